// Outgoing Nostr messages: stored until relays accept them.
import type { Letter, LetterDraft, LetterStore } from '../../till/index.js'
import { HELD_NOTICES } from '../../till/model.js'
import { sql } from '../dialect.js'
import { integerCell, nullable } from '../sqlite/columns.js'
import { exists, get, one, type Runner, run, type Verb } from '../verbs.js'
import type { WorkLeases } from './leases.js'
import { markReplied } from './rows.js'
import { REPLY_RAIL } from './rules.js'
import { LETTER } from './tables.js'

/** A notice waits for the reply of its payment; those made up to the time that is bound wait no longer. */
export const LETTER_HELD_BACK = `(kind IN (${HELD_NOTICES.map((kind) => `'${kind}'`).join(', ')}) AND created_at > ?
    AND EXISTS (SELECT 1 FROM payment WHERE payment.id = letter.payment_id AND rail = '${REPLY_RAIL}' AND settlement = 'received'))`

const FIND = `SELECT ${LETTER.columns} FROM letter WHERE payment_id = ? AND kind = ?`
const KEEP_WRAP = `UPDATE letter SET wrap = ? WHERE payment_id = ? AND kind = ? AND state = 'pending' AND wrap IS NULL`
/** Of two searches SQLite takes each from the end of an index. */
const BACKLOG = sql(({ either }) =>
  either(
    `SELECT (SELECT count(*) FROM letter WHERE state = 'pending'),
      (SELECT min(created_at) FROM letter WHERE state = 'pending')`,
    "SELECT count(*), min(created_at) FROM letter WHERE state = 'pending'",
  ),
)

export function letterVerbs(
  { read, change, repeatable }: Runner,
  leases: WorkLeases,
): Omit<LetterStore, 'claimLetters'> {
  return {
    letterOf: (paymentId, kind) => read(() => findLetter(paymentId, kind)),
    keepWrap: (paymentId, kind, wrap) => repeatable(() => keepWrap(paymentId, kind, wrap)),
    recordPosting: (paymentId, kind, posting) =>
      change(function* (): Verb<void> {
        const key = letterKey({ paymentId, kind })
        if (leases.isMine(key, posting.by)) {
          yield* recordPosting(paymentId, kind, posting)
          leases.end(key)
        }
        if (kind === 'reply' && posting.acceptedBy.length > 0) yield* markReplied(paymentId)
      }),
    requeueLetter: (paymentId, draft, now, by) =>
      change(() => {
        leases.take(letterKey({ paymentId, kind: draft.kind }), { by, now, leaseMs: 0 })
        return requeueLetter(paymentId, draft, now, by)
      }),
    letterBacklog: () => read(letterBacklog),
  }
}

/** Names a letter among the leases. */
export const letterKey = ({ paymentId, kind }: Pick<Letter, 'paymentId' | 'kind'>): string => `${kind} ${paymentId}`

const findLetter = (paymentId: string, kind: string): Verb<Letter | undefined> =>
  one(FIND, [paymentId, kind], LETTER.read)

function* keepWrap(paymentId: string, kind: string, wrap: string): Verb<string | undefined> {
  yield* run(KEEP_WRAP, [wrap, paymentId, kind])
  return (yield* findLetter(paymentId, kind))?.wrap ?? undefined
}

function* letterBacklog(): Verb<Awaited<ReturnType<LetterStore['letterBacklog']>>> {
  const [pending = 0n, oldest = null] = (yield* get(BACKLOG)) ?? []
  return { pending: integerCell.read(pending), oldestCreatedAt: nullable(integerCell).read(oldest) }
}

type Posting = Parameters<LetterStore['recordPosting']>[2]

const RECORD = sql(
  ({
    leases,
  }) => `UPDATE letter SET state = ?, attempts = attempts + ?, next_attempt_at = ?, accepted_by = ?, last_error = ?,
    wrap = CASE CAST(? AS text) WHEN 'pending' THEN wrap END${leases.end}
  WHERE payment_id = ? AND kind = ? AND state = 'pending'${leases.isMine}`,
)

function recordPosting(paymentId: string, kind: string, posting: Posting): Verb<number> {
  const { acceptedBy, error, nextAttemptAt, partial = false, by } = posting
  const state = stateAfter(posting)
  const changes = [state, partial ? 0 : 1, nextAttemptAt, JSON.stringify(acceptedBy), error, state]
  return run(RECORD, ({ leases }) => [...changes, paymentId, kind, ...leases.by(by)])
}

/** What a try makes of its letter. */
function stateAfter({ acceptedBy, nextAttemptAt }: Posting): Letter['state'] {
  if (nextAttemptAt !== null) return 'pending'
  return acceptedBy.length > 0 ? 'sent' : 'given-up'
}

/** A wrap of another layout would use a format that the payer did not request. */
const REQUEUE = sql(
  ({ leases }) => `UPDATE letter SET state = 'pending', layout = ?, created_at = ?, attempts = 0, next_attempt_at = ?,
    accepted_by = '[]', last_error = NULL, wrap = CASE layout WHEN CAST(? AS text) THEN wrap END${leases.take}
  WHERE payment_id = ? AND kind = ?`,
)

function* requeueLetter(
  paymentId: string,
  draft: LetterDraft,
  now: number,
  by: string,
): Verb<'queued' | 'unknown-payment'> {
  const { kind, layout } = draft
  const changes = [layout, now, now, layout]
  const requeued = yield* run(REQUEUE, ({ leases }) => [...changes, ...leases.until(now, by), paymentId, kind])
  if (requeued > 0) return 'queued'
  if (!(yield* exists('SELECT 1 FROM payment WHERE id = ?', [paymentId]))) return 'unknown-payment'
  yield* insertLetters(paymentId, [draft], now)
  return 'queued'
}

const INSERT = `INSERT INTO letter (${LETTER.columns}) VALUES (${LETTER.marks}) ON CONFLICT (payment_id, kind) DO NOTHING`

/** Queues letters of a payment, due at once; an existing one stays as it is. Must run within a change. */
export function* insertLetters(paymentId: string, drafts: readonly LetterDraft[], now: number): Verb<void> {
  for (const draft of drafts) yield* run(INSERT, LETTER.values(freshLetter(paymentId, draft, now)))
}

/** A letter that was never tried, due at once. */
const freshLetter = (paymentId: string, { kind, layout }: LetterDraft, now: number): Letter => ({
  paymentId,
  kind,
  layout,
  state: 'pending',
  createdAt: now,
  attempts: 0,
  nextAttemptAt: now,
  wrap: null,
  acceptedBy: [],
  lastError: null,
})

const END_REPLY = `UPDATE letter SET state = 'sent', next_attempt_at = NULL, wrap = NULL
  WHERE payment_id = ? AND kind = 'reply' AND state = 'pending' AND accepted_by <> '[]'`

/** The payer has the reply: the relays that lag need it no longer. Must run within a change. */
export const endReply = (paymentId: string): Verb<number> => run(END_REPLY, [paymentId])
