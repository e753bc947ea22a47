// Outgoing Nostr messages: stored until relays accept them.
import { LONGEST_WAIT_MS, NOTICE_HOLD_MS } from '../../../lib/due-times.js'
import type { Letter, LetterDraft, LetterStore } from '../../../till/index.js'
import { integerCell, nullable } from '../../sqlite/columns.js'
import { freshLetter, LETTER_HELD_BACK, letterStateAfter } from '../../till/letter-rows.js'
import type { Queries } from '../change.js'
import type { Transactions } from '../transactions.js'
import { createClaims, IS_MINE, LEASE_ENDS } from './claims.js'
import { findPayment, markReplied } from './rows.js'
import { LETTER } from './tables.js'

const claimDue = createClaims({
  table: 'letter',
  due: 'next_attempt_at',
  columns: LETTER.columns,
  and: `AND state = 'pending' AND NOT ${LETTER_HELD_BACK}`,
  longestWaitMs: LONGEST_WAIT_MS.letter,
})

const OF_KIND = 'payment_id = ? AND kind = ?'
const FIND = `SELECT ${LETTER.columns} FROM letter WHERE ${OF_KIND}`
const KEEP_WRAP = `UPDATE letter SET wrap = ? WHERE ${OF_KIND} AND state = 'pending' AND wrap IS NULL`
const BACKLOG = "SELECT count(*), min(created_at) FROM letter WHERE state = 'pending'"

export function letterVerbs({ read, change, repeatable }: Transactions): LetterStore {
  return {
    claimLetters: (claim) =>
      repeatable(async (db) => {
        const letters = []
        for (const row of await claimDue(db, claim, [claim.now - NOTICE_HOLD_MS])) {
          const letter = LETTER.read(row)
          const payment = await findPayment(db, letter.paymentId)
          if (payment) letters.push({ ...letter, payment })
        }
        return letters
      }),
    letterOf: (paymentId, kind) => read((db) => findLetter(db, paymentId, kind)),
    keepWrap: (paymentId, kind, wrap) =>
      repeatable(async (db) => {
        await db.run(KEEP_WRAP, [wrap, paymentId, kind])
        return (await findLetter(db, paymentId, kind))?.wrap ?? undefined
      }),
    recordPosting: (paymentId, kind, posting) =>
      change(async (db) => {
        await recordPosting(db, paymentId, kind, posting)
        if (kind === 'reply' && posting.acceptedBy.length > 0) await markReplied(db, paymentId)
      }),
    requeueLetter: (paymentId, draft, now, by) => change((db) => requeueLetter(db, paymentId, draft, { now, by })),
    letterBacklog: () =>
      read(async (db) => {
        const [pending = 0n, oldest = null] = (await db.get(BACKLOG)) ?? []
        return { pending: integerCell.read(pending), oldestCreatedAt: nullable(integerCell).read(oldest) }
      }),
  }
}

async function findLetter(db: Queries, paymentId: string, kind: string): Promise<Letter | undefined> {
  const row = await db.get(FIND, [paymentId, kind])
  return row && LETTER.read(row)
}

type Posting = Parameters<LetterStore['recordPosting']>[2]

const RECORD = `UPDATE letter SET state = ?, attempts = attempts + ?, next_attempt_at = ?, accepted_by = ?, last_error = ?,
    wrap = CASE ?::text WHEN 'pending' THEN wrap END, ${LEASE_ENDS}
  WHERE ${OF_KIND} AND state = 'pending' AND ${IS_MINE}`

async function recordPosting(db: Queries, paymentId: string, kind: string, posting: Posting): Promise<void> {
  const { acceptedBy, error, nextAttemptAt, partial = false, by } = posting
  const state = letterStateAfter(posting)
  const changes = [state, partial ? 0 : 1, nextAttemptAt, JSON.stringify(acceptedBy), error, state]
  await db.run(RECORD, [...changes, paymentId, kind, by])
}

/** A wrap of another layout would use a format that the payer did not request. */
const REQUEUE = `UPDATE letter SET state = 'pending', layout = ?, created_at = ?, attempts = 0, next_attempt_at = ?,
    accepted_by = '[]', last_error = NULL, wrap = CASE layout WHEN ?::text THEN wrap END, leased_until = ?, leased_by = ?
  WHERE ${OF_KIND}`

async function requeueLetter(
  db: Queries,
  paymentId: string,
  draft: LetterDraft,
  { now, by }: { readonly now: number; readonly by: string },
): Promise<'queued' | 'unknown-payment'> {
  const { kind, layout } = draft
  if ((await db.run(REQUEUE, [layout, now, now, layout, now, by, paymentId, kind])) > 0) return 'queued'
  if (!(await db.get('SELECT 1 FROM payment WHERE id = ?', [paymentId]))) return 'unknown-payment'
  await insertLetters(db, paymentId, [draft], now)
  return 'queued'
}

const INSERT = `INSERT INTO letter (${LETTER.columns}) VALUES (${LETTER.marks}) ON CONFLICT (payment_id, kind) DO NOTHING`

/** Queues letters of a payment, due at once; an existing one stays as it is. Must run within a change. */
export async function insertLetters(
  db: Queries,
  paymentId: string,
  drafts: readonly LetterDraft[],
  now: number,
): Promise<void> {
  for (const draft of drafts) await db.run(INSERT, LETTER.values(freshLetter(paymentId, draft, now)))
}

const END_REPLY = `UPDATE letter SET state = 'sent', next_attempt_at = NULL, wrap = NULL
  WHERE payment_id = ? AND kind = 'reply' AND state = 'pending' AND accepted_by <> '[]'`

/** The payer has the reply: the relays that lag need it no longer. Must run within a change. */
export async function endReply(db: Queries, paymentId: string): Promise<void> {
  await db.run(END_REPLY, [paymentId])
}
