// When a relay dies: each moment brings it into a state, and returns when the kill is to come.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'libsql'
import type { LivingRelay } from './relay-life.js'
import { openLine } from './relay-line.js'
import { expiring, publish } from './relay-load.js'
import type { RelayLog } from './relay-log.js'
import type { Society } from './relay-people.js'

export interface Dying {
  readonly relay: LivingRelay
  readonly folder: string
  readonly log: RelayLog
  readonly society: Society
  /** Resolves after so many more answers to events, or when it took too long. */
  readonly answers: (count: number) => Promise<void>
}

export type Moment = 'load' | 'merging' | 'indexing' | 'removing' | 'sweeping' | 'stopping' | 'starting'
/** In this order, again and again. */
export const MOMENTS: readonly Moment[] = [
  'load',
  'merging',
  'removing',
  'stopping',
  'indexing',
  'load',
  'starting',
  'removing',
  'load',
  'stopping',
  'indexing',
  'sweeping',
]

const DAY = 86_400
const OLD_DAYS = 2
const WRAP = 1059
/** What is waited for and does not come in this time came already, or not at all: then the kill comes anyway. */
const PATIENCE_MS = 12_000
const EXPIRING = 300
const random = (most: number): number => Math.floor(Math.random() * most)

/** `true` as soon as the condition holds. */
async function watch(isSo: () => boolean, everyMs = 2): Promise<boolean> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await pause(everyMs)) if (isSo()) return true
  return false
}

/** A look into the living database. Closed before the kill: the last one who closes would mend what the kill left. */
async function watchRows(folder: string, sql: string, isSo: (value: number) => boolean): Promise<void> {
  const db = new Database(join(folder, 'relay.db'))
  try {
    db.exec('PRAGMA query_only=ON')
    const statement = db.prepare(sql).raw(true)
    await watch(() => isSo(Number((statement.get() as unknown[])[0])))
  } finally {
    db.close()
  }
}

/** As commands do it: the relay looks every second. */
function leaveRequest(folder: string, body: object): number {
  const db = new Database(join(folder, 'relay.db'))
  try {
    db.exec('PRAGMA busy_timeout=5000')
    return Number(db.prepare('INSERT INTO request (body) VALUES (?)').run(JSON.stringify(body)).lastInsertRowid)
  } finally {
    db.close()
  }
}

function orderPrune({ folder, log }: Dying) {
  const before = Math.floor(Date.now() / 1000) - OLD_DAYS * DAY
  const order = log.order(({ kind, created_at }) => kind !== WRAP && created_at < before)
  return { order, id: leaveRequest(folder, { kind: 'prune', retention: { days: OLD_DAYS } }) }
}

function orderRemoval({ folder, log, society }: Dying) {
  const { pubkey } = society.doomed
  const order = log.order((event) => event.pubkey === pubkey)
  return { order, id: leaveRequest(folder, { kind: 'remove', filters: [{ authors: [pubkey], tags: [] }] }) }
}

const answered = (id: number) => `SELECT count(*) FROM request WHERE id = ${id} AND answer IS NOT NULL`

const DEATHS: Readonly<Record<Exclude<Moment, 'starting'>, (dying: Dying) => Promise<void>>> = {
  load: ({ answers }) => answers(20 + random(500)),

  /** The thread that merges the log writes to the database file. */
  async merging({ folder, answers }) {
    const writtenAt = () => statSync(join(folder, 'relay.db')).mtimeMs
    const before = writtenAt()
    await answers(50)
    await watch(() => writtenAt() !== before)
    await pause(random(12))
  },

  /** A prune begins by indexing everything. */
  async indexing(dying) {
    await dying.answers(100 + random(300))
    orderPrune(dying)
    await watchRows(dying.folder, 'SELECT begun > indexed FROM progress', (isBetween) => isBetween === 1)
    await pause(random(10))
  },

  async removing(dying) {
    await dying.answers(60 + random(200))
    const { order, id } = Math.random() < 0.5 ? orderRemoval(dying) : orderPrune(dying)
    if (Math.random() < 0.4)
      return watchRows(dying.folder, `SELECT (SELECT count(*) FROM gone) + (${answered(id)})`, (rows) => rows > 0)
    await watchRows(dying.folder, answered(id), (rows) => {
      order.done = rows === 1
      return order.done
    })
    order.endedAt = dying.log.tick()
    await dying.answers(random(60))
  },

  async sweeping({ relay, folder, log, society }) {
    const line = await openLine(relay.url, (asked) => log.faults.push(`no answer to ${asked}`))
    const events = Array.from({ length: EXPIRING }, () => expiring(society.writers[0]!, 2 + random(4)))
    await Promise.all(events.map((event) => publish(line, log, event)))
    line.close()
    await pause(6500)
    let most = 0
    await watchRows(folder, 'SELECT count(*) FROM expiry WHERE expires <= unixepoch()', (rows) => {
      const isLess = rows < most
      most = Math.max(most, rows)
      return isLess
    })
    await pause(random(10))
  },

  async stopping({ relay, answers }) {
    await answers(50 + random(200))
    relay.child.kill('SIGTERM')
    await Promise.race([pause(random(250)), relay.ended])
  },
}

/** Returns when it is time to kill. */
export const bringTo = (moment: Exclude<Moment, 'starting'>, dying: Dying): Promise<void> => DEATHS[moment](dying)
