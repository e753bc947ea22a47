// Requests of commands to a running relay. Only the serving process may delete events, because it indexes the newest in memory. A command therefore
// inserts a request into the database; the store polls every second, carries it out and writes the answer.
import { setTimeout } from 'node:timers/promises'
import { messageOf } from '../../../lib/errors.js'
import type { Filter } from '../../../nostr/filter/index.js'
import type { Spared } from '../../../relay/index.js'
import { databaseWriteFailed } from '../../errors.js'
import { inTransaction, type Sqlite } from '../../sqlite/sqlite.js'
import type { EventRetention, Removal } from './removal.js'

export type EventRequest =
  | { readonly kind: 'remove'; readonly filters: readonly Filter[]; readonly spared?: Spared }
  | { readonly kind: 'prune'; readonly retention: EventRetention }

type Answer = { readonly removed: number } | { readonly problem: string }

/** Milliseconds between two polls for the answer. */
const PATIENCE = 100
/** Polls after which the command checks that the relay still runs. */
const DOUBT = 50

export const carryOut = ({ remove, prune }: Omit<Removal, 'sweep'>, request: EventRequest): Promise<number> =>
  request.kind === 'remove' ? remove(request.filters, request.spared) : prune(request.retention)

/** Returns a poll function that carries out requests of other processes, one at a time. Cheap when the database did not change. */
export function createRequestHandler(db: Sqlite, removal: Omit<Removal, 'sweep'>): () => void {
  let seen: number | undefined
  let working = false

  async function answer(id: number, request: EventRequest): Promise<void> {
    let answer: Answer
    try {
      answer = { removed: await carryOut(removal, request) }
    } catch (thrown) {
      answer = { problem: messageOf(thrown) }
    }
    inTransaction(db, () => db.run('UPDATE request SET answer = ? WHERE id = ?', [JSON.stringify(answer), id]))
  }

  return () => {
    const version = Number(db.all('PRAGMA data_version')[0]?.[0])
    if (working || version === seen) return
    const [row] = db.all('SELECT id, body FROM request WHERE answer IS NULL ORDER BY id LIMIT 1')
    if (row === undefined) {
      seen = version
      return
    }
    working = true
    // Only commands of this program write requests.
    void answer(Number(row[0]), JSON.parse(String(row[1])) as EventRequest)
      .catch(() => {})
      .finally(() => {
        working = false
      })
  }
}

/** Sends a request to the serving store and waits for the answer. `isServed` tells whether it still runs. */
export async function askStore(db: Sqlite, request: EventRequest, isServed: () => boolean): Promise<number> {
  inTransaction(db, () => db.run('INSERT INTO request (body) VALUES (?)', [JSON.stringify(request)]))
  const id = Number(db.all('SELECT last_insert_rowid()')[0]?.[0])
  for (let look = 1; ; look++) {
    const [row] = db.all('SELECT answer FROM request WHERE id = ?', [id])
    if (row === undefined || (look % DOUBT === 0 && !isServed()))
      throw databaseWriteFailed('the relay stopped before it answered')
    if (row[0] !== null) return takeAnswer(db, id, JSON.parse(String(row[0])) as Answer)
    await setTimeout(PATIENCE)
  }
}

function takeAnswer(db: Sqlite, id: number, answer: Answer): number {
  inTransaction(db, () => db.run('DELETE FROM request WHERE id = ?', [id]))
  if ('problem' in answer) throw databaseWriteFailed(answer.problem)
  return answer.removed
}
