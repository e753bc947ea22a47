// Outgoing Nostr messages: stored until relays accept them.
import { LONGEST_WAIT_MS, NOTICE_HOLD_MS } from '../../lib/due-times.js'
import type { Letter, LetterDraft, LetterStore } from '../../till/index.js'
import { integerCell } from '../sqlite/columns.js'
import type { Write } from '../sqlite/group-commit.js'
import type { Sqlite } from '../sqlite/sqlite.js'
import { createDueSearch } from './due-times.js'
import { createLeases } from './leases.js'
import { freshLetter, LETTER_HELD_BACK, letterStateAfter } from './letter-rows.js'
import { findPayment, markReplied } from './rows.js'
import { LETTER } from './tables.js'

const SELECT = `SELECT ${LETTER.columns} FROM letter`
const lettersDue = createDueSearch({
  select: `${SELECT} INDEXED BY letter_due`,
  column: 'next_attempt_at',
  and: `AND state = 'pending' AND NOT ${LETTER_HELD_BACK}`,
  order: 'seq',
  longestWaitMs: LONGEST_WAIT_MS.letter,
})
const BACKLOG = `SELECT
  (SELECT count(*) FROM letter WHERE state = 'pending'), (SELECT min(created_at) FROM letter WHERE state = 'pending')`

/** The verbs on one connection; `write` runs those that change anything. */
export function letterVerbs(db: Sqlite, write: Write): LetterStore {
  const leases = createLeases()
  return {
    async claimLetters(claim) {
      const { now } = claim
      const due = (limit: number) => lettersDue(db, now, limit, [now - NOTICE_HOLD_MS]).map(LETTER.read)
      return leases.claim(claim, due, keyOf).flatMap((letter) => {
        const payment = findPayment(db, letter.paymentId)
        return payment ? [{ ...letter, payment }] : []
      })
    },
    letterOf: async (paymentId, kind) => findLetter(db, paymentId, kind),
    keepWrap: (paymentId, kind, wrap) =>
      write(() => {
        db.run(`UPDATE letter SET wrap = ? WHERE payment_id = ? AND kind = ? AND state = 'pending' AND wrap IS NULL`, [
          wrap,
          paymentId,
          kind,
        ])
        return findLetter(db, paymentId, kind)?.wrap ?? undefined
      }),
    recordPosting: (paymentId, kind, posting) =>
      write(() => {
        const key = keyOf({ paymentId, kind })
        if (leases.isMine(key, posting.by)) {
          recordPosting(db, paymentId, kind, posting)
          leases.end(key)
        }
        if (kind === 'reply' && posting.acceptedBy.length > 0) markReplied(db, paymentId)
      }),
    requeueLetter: (paymentId, draft, now, by) =>
      write(() => {
        leases.take(keyOf({ paymentId, kind: draft.kind }), { by, now, leaseMs: 0 })
        return requeueLetter(db, paymentId, draft, now)
      }),
    async letterBacklog() {
      const [pending = 0n, oldest = null] = db.get(BACKLOG) ?? []
      return { pending: integerCell.read(pending), oldestCreatedAt: oldest === null ? null : integerCell.read(oldest) }
    },
  }
}

const keyOf = ({ paymentId, kind }: Pick<Letter, 'paymentId' | 'kind'>): string => `${kind} ${paymentId}`

function findLetter(db: Sqlite, paymentId: string, kind: string): Letter | undefined {
  const row = db.get(`${SELECT} WHERE payment_id = ? AND kind = ?`, [paymentId, kind])
  return row && LETTER.read(row)
}

type Posting = Parameters<LetterStore['recordPosting']>[2]

const RECORD = `UPDATE letter SET state = ?3, attempts = attempts + ?7, next_attempt_at = ?4, accepted_by = ?5, last_error = ?6,
  wrap = CASE WHEN ?4 IS NULL THEN NULL ELSE wrap END WHERE payment_id = ?1 AND kind = ?2 AND state = 'pending'`

function recordPosting(db: Sqlite, paymentId: string, kind: string, posting: Posting): void {
  const { acceptedBy, error, nextAttemptAt, partial = false } = posting
  const state = letterStateAfter(posting)
  db.run(RECORD, [paymentId, kind, state, nextAttemptAt, JSON.stringify(acceptedBy), error, partial ? 0 : 1])
}

/** A wrap of another layout would use a format that the payer did not request. */
const REQUEUE = `UPDATE letter SET state = 'pending', layout = ?3, created_at = ?4, attempts = 0, next_attempt_at = ?4,
  accepted_by = '[]', last_error = NULL, wrap = CASE WHEN layout = ?3 THEN wrap ELSE NULL END
  WHERE payment_id = ?1 AND kind = ?2`

function requeueLetter(db: Sqlite, paymentId: string, draft: LetterDraft, now: number): 'queued' | 'unknown-payment' {
  if (db.run(REQUEUE, [paymentId, draft.kind, draft.layout, now]) > 0) return 'queued'
  if (!db.get('SELECT 1 FROM payment WHERE id = ?', [paymentId])) return 'unknown-payment'
  insertLetters(db, paymentId, [draft], now)
  return 'queued'
}

const INSERT = `INSERT INTO letter (${LETTER.columns}) VALUES (${LETTER.marks}) ON CONFLICT DO NOTHING`

/** Queues letters of a payment, due at once; an existing one stays as it is. Must run with the write lock held. */
export function insertLetters(db: Sqlite, paymentId: string, drafts: readonly LetterDraft[], now: number): void {
  for (const draft of drafts) db.run(INSERT, LETTER.values(freshLetter(paymentId, draft, now)))
}

const END_REPLY = `UPDATE letter SET state = 'sent', next_attempt_at = NULL, wrap = NULL
  WHERE payment_id = ? AND kind = 'reply' AND state = 'pending' AND accepted_by <> '[]'`

/** The payer has the reply: the relays that lag need it no longer. Must run with the write lock held. */
export function endReply(db: Sqlite, paymentId: string): void {
  db.run(END_REPLY, [paymentId])
}
