// Reads from whichever node answers, while the primary is away. What a standby shows is at least on two machines, and may be older.
import { databaseUnavailable } from '../errors.js'
import type { Queries } from './change.js'
import type { Connection } from './driver.js'
import type { PostgresParts } from './place.js'
import type { Pool } from './pool.js'
import type { OpenHost } from './primary.js'
import { ConnectionLost, isCancelled, isConnectionLoss } from './sql-errors.js'
import type { Transactions } from './transactions.js'

/** A machine that lost its power closes no connection. */
const ANSWER_MS = 3000
/** Of each statement: the server gives up before. */
export const ANY_NODE_STATEMENT_MS = 2000

export interface AnyNode {
  /** Rejects with DATABASE_UNAVAILABLE when no node answers. */
  read<T>(verb: (db: Queries) => Promise<T>): Promise<T>
  close(): void
}

/** A node that was found is asked until it fails; its statements wait for each other. */
export function createAnyNode({ place, service }: Pick<PostgresParts, 'place' | 'service'>, open: OpenHost): AnyNode {
  let current: Promise<Connection> | undefined
  let next = 0
  let isOpen = true

  /** The next host that can be connected to. */
  async function find(): Promise<Connection> {
    const { hosts } = place.address
    for (const _ of hosts) {
      const host = hosts[next++ % hosts.length]
      const connection = host && (await open(host).catch(() => undefined))
      if (!connection) continue
      if (isOpen) return connection
      connection.close()
    }
    throw databaseUnavailable(undefined, service.daemon)
  }

  async function connected(): Promise<Connection> {
    const known = current
    if (known && (await known.catch(() => undefined))?.isSound) return known
    if (current === known) {
      current = find()
      current.catch(() => undefined)
    }
    return current ?? find()
  }

  return {
    async read(verb) {
      for (const _ of place.address.hosts) {
        const connection = await connected()
        try {
          return await inTime(verb(connection))
        } catch (error) {
          // A table that is locked on the primary is locked here, too; the connection is as good as before.
          if (isCancelled(error)) throw databaseUnavailable(error, service.daemon)
          if (!isConnectionLoss(error)) throw error
          connection.close()
        }
      }
      throw databaseUnavailable(undefined, service.daemon)
    },
    close() {
      isOpen = false
      current?.then(
        (connection) => connection.close(),
        () => undefined,
      )
    },
  }
}

/** As `read` of transactions; from any node while the primary is away, for what may be a little older. */
export type ReadAnywhere = Transactions['read']

export const createReadAnywhere =
  (
    { pool, read }: { readonly pool: Pool } & Pick<Transactions, 'read'>,
    anyNode: Pick<AnyNode, 'read'>,
  ): ReadAnywhere =>
  async (verb, patienceMs) => {
    if (pool.trouble) return anyNode.read(verb)
    try {
      return await read(verb, patienceMs)
    } catch (error) {
      if (!databaseUnavailable.is(error)) throw error
      return anyNode.read(verb)
    }
  }

/** Rejects like a lost connection when the answer is late. */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ConnectionLost('no answer')), ANSWER_MS)
  })
  answer.catch(() => undefined)
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
