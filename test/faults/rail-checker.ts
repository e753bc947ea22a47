// What every payer holds against what the till's file says, in plain SQL and through the payers' own eyes.
import { messageOf } from '../../src/lib/errors.js'
import { openSqlite, type Sqlite } from '../../src/storage/sqlite/sqlite.js'
import type { FaultRelay } from './fault-relay.js'
import { type RailPayer, readWrap, slateIn } from './rail-payers.js'
import { findDamage } from './store-checker.js'

export interface RailWorld {
  /** The till's database file. */
  readonly path: string
  readonly relays: readonly Pick<FaultRelay, 'url' | 'wrapsTo'>[]
  readonly payers: readonly RailPayer[]
  /** Ids the till answered with. */
  readonly invoices: ReadonlySet<string>
}

/** What one payer got: the S2 texts, each with who wrote it, and whatever was unreadable. */
export interface Purse {
  readonly replies: ReadonlyMap<string, ReadonlySet<string>>
  /** Wraps that held an S2. */
  readonly wraps: ReadonlySet<string>
  readonly holders: ReadonlySet<string>
  readonly complaints: readonly string[]
}

const opened = new Map<string, ReturnType<typeof read>>()

function read(payer: RailPayer, wrap: Parameters<typeof readWrap>[1]) {
  try {
    const { author, content } = readWrap(payer, wrap)
    return { author, slate: slateIn(content) }
  } catch (thrown) {
    return { complaint: `wrap ${wrap.id}: ${messageOf(thrown)}` }
  }
}

/** Reads each wrap once: relays keep what they have. */
function readOnce(payer: RailPayer, wrap: Parameters<typeof readWrap>[1]) {
  const key = wrap.id + wrap.sig
  const known = opened.get(key) ?? read(payer, wrap)
  opened.set(key, known)
  return known
}

export function purseOf(payer: RailPayer, relays: RailWorld['relays']): Purse {
  const replies = new Map<string, Set<string>>()
  const [wraps, holders, complaints] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const relay of relays) {
    for (const wrap of relay.wrapsTo(payer.pubkey)) {
      const got = readOnce(payer, wrap)
      if ('complaint' in got) complaints.add(got.complaint)
      else if (got.slate) {
        if (got.slate.id !== payer.slateId || got.slate.state !== 2)
          complaints.add(`a slate that no payer asked for: ${wrap.id}`)
        replies.set(got.slate.armor, (replies.get(got.slate.armor) ?? new Set()).add(got.author))
        wraps.add(wrap.id)
        holders.add(relay.url)
      }
    }
  }
  return { replies, wraps, holders, complaints: [...complaints] }
}

/** Whether it must be answered in the end: one of two who pay the same, or who takes it back at once, need not be. */
export const isOwed = ({ isRival, voided }: RailPayer): boolean => !isRival && voided !== 'unanswered'

/** Whether the payer has what it paid for. */
export const isAnswered = (payer: RailPayer, relays: RailWorld['relays']): boolean =>
  purseOf(payer, relays).replies.size > 0

/** Each must answer no row, at any moment. */
const IMPOSSIBLE: Readonly<Record<string, string>> = {
  'a reply that was given up': "SELECT payment_id FROM letter WHERE kind = 'reply' AND state = 'given-up'",
  'a reply that ended without a relay': `SELECT payment_id FROM letter
    WHERE kind = 'reply' AND state = 'sent' AND accepted_by = '[]'`,
  'one slate, several payments': 'SELECT lower(id) FROM payment GROUP BY lower(id) HAVING count(*) > 1',
  'one output, several payments': 'SELECT hex(commitment) FROM payment GROUP BY commitment HAVING count(*) > 1',
}

/** Everything that is wrong now, whatever is still under way; empty when nothing is. */
export function findRailFaults(world: RailWorld): readonly string[] {
  const db = openSqlite(world.path, 'reading')
  try {
    const rows = Object.entries(IMPOSSIBLE).flatMap(([what, sql]) => db.all(sql).map(([id]) => `${what}: ${id}`))
    const gone = [...world.invoices].filter((id) => !db.get('SELECT 1 FROM invoice WHERE id = ?', [id]))
    return [
      ...findDamage(world.path, []),
      ...rows,
      ...gone.map((id) => `invoice ${id} is gone`),
      ...world.payers.flatMap((payer) => aboutPayer(db, world, payer)),
    ]
  } finally {
    db.close()
  }
}

function aboutPayer(db: Sqlite, { relays }: RailWorld, payer: RailPayer): string[] {
  const purse = purseOf(payer, relays)
  const row = db.get('SELECT reply, hex(payer), hex(recipient_pubkey), s2 FROM payment WHERE id = ?', [payer.slateId])
  const letter = db.get("SELECT accepted_by FROM letter WHERE payment_id = ? AND kind = 'reply'", [payer.slateId])
  const claimed: string[] = JSON.parse(String(letter?.[0] ?? '[]'))
  const authors = [...purse.replies.values()].flatMap((names) => [...names])
  const say = (text: string) => `slate ${payer.slateId}: ${text}`
  const wrongs: readonly (readonly [boolean, string])[] = [
    [purse.replies.size > 1, `${purse.replies.size} different S2`],
    [purse.replies.size > 0 && !row, 'an S2 left without a payment'],
    [
      row !== undefined && [...purse.replies.keys()].some((armor) => armor.trim() !== String(row[0]).trim()),
      'an S2 that is not the stored one',
    ],
    [row !== undefined && String(row[1]).toLowerCase() !== payer.pubkey, 'the payment is of another payer'],
    [row !== undefined && String(row[2]).toLowerCase() !== payer.to, 'the payment came to another key'],
    [authors.some((author) => author !== payer.to), 'an S2 by another key than the paid one'],
    [
      claimed.some((url) => !purse.holders.has(url.replace(/\/$/, ''))),
      `${claimed} are said to hold an S2 they do not hold`,
    ],
    [!row && isOwed(payer) && payer.wraps.some((id) => isSeen(db, id)), 'seen, and not dealt with'],
  ]
  return [...purse.complaints, ...wrongs.flatMap(([isWrong, text]) => (isWrong ? [text] : []))].map(say)
}

const isSeen = (db: Sqlite, id: string): boolean => db.get('SELECT 1 FROM seen WHERE id = unhex(?)', [id]) !== undefined

/** What must be so once everything had its time: every payer answered, and nothing owed when there was time for that too. */
export function findUnfinished(world: RailWorld, isAllDone = true): readonly string[] {
  const db = openSqlite(world.path, 'reading')
  try {
    const owed = !isAllDone ? [] : db.all("SELECT payment_id, kind, last_error FROM letter WHERE state = 'pending'")
    return [
      ...world.payers.filter(isOwed).flatMap((payer) => unfinished(db, world, payer)),
      ...world.payers.flatMap((payer) => charged(db, payer)),
      ...rivalries(world),
      ...owed.map(([id, kind, error]) => `letter ${kind} of ${id} is still owed: ${error}`),
    ]
  } finally {
    db.close()
  }
}

function unfinished(db: Sqlite, { relays }: RailWorld, payer: RailPayer): string[] {
  const purse = purseOf(payer, relays)
  const settlement = String(db.get('SELECT settlement FROM payment WHERE id = ?', [payer.slateId])?.[0])
  const wanted = payer.voided === 'answered' ? ['abandoned'] : ['replied', 'seen', 'mined', 'confirmed']
  const found = purse.replies.size === 1 ? [] : [`slate ${payer.slateId}: ${purse.replies.size} S2`]
  return wanted.includes(settlement) ? found : [...found, `slate ${payer.slateId} is ${settlement}`]
}

/** Who took a payment back has none, or one that was given up. */
function charged(db: Sqlite, { slateId, voided }: RailPayer): string[] {
  const [settlement = 'abandoned'] = db.get('SELECT settlement FROM payment WHERE id = ?', [slateId]) ?? []
  return voided === 'unanswered' && settlement !== 'abandoned' ? [`slate ${slateId}, taken back, is ${settlement}`] : []
}

/** Of those who paid one invoice exactly one has an S2. */
function rivalries({ payers, relays }: RailWorld): string[] {
  const rivals = payers.filter(({ isRival }) => isRival)
  return [...new Set(rivals.map(({ invoiceId }) => invoiceId))].flatMap((id) => {
    const winners = rivals.filter((one) => one.invoiceId === id && isAnswered(one, relays)).length
    return winners === 1 ? [] : [`invoice ${id}: ${winners} of the rivals have an S2`]
  })
}
