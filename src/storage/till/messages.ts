// Outgoing Nostr messages: stored until relays accept them.
import type { MessageDraft, MessageStore, OutgoingMessage } from '../../till/index.js'
import { HELD_NOTICES } from '../../till/model.js'
import { sql } from '../dialect.js'
import { integerCell, nullable } from '../sqlite/columns.js'
import { exists, get, one, type Runner, run, type Verb } from '../verbs.js'
import type { WorkLeases } from './leases.js'
import { markReplied } from './rows.js'
import { REPLY_RAIL } from './rules.js'
import { MESSAGE } from './tables.js'

/** A notice waits for the reply of its payment; those made up to the time that is bound wait no longer. */
export const MESSAGE_HELD_BACK = `(kind IN (${HELD_NOTICES.map((kind) => `'${kind}'`).join(', ')}) AND created_at > ?
    AND EXISTS (SELECT 1 FROM payment WHERE payment.id = letter.payment_id AND rail = '${REPLY_RAIL}' AND settlement = 'received'))`

const FIND = `SELECT ${MESSAGE.columns} FROM letter WHERE payment_id = ? AND kind = ?`
const KEEP_WRAP = `UPDATE letter SET wrap = ? WHERE payment_id = ? AND kind = ? AND state = 'pending' AND wrap IS NULL`
/** Of two searches SQLite takes each from the end of an index. */
const BACKLOG = sql(({ either }) =>
  either(
    `SELECT (SELECT count(*) FROM letter WHERE state = 'pending'),
      (SELECT min(created_at) FROM letter WHERE state = 'pending')`,
    "SELECT count(*), min(created_at) FROM letter WHERE state = 'pending'",
  ),
)

export function messageVerbs(
  { read, change, repeatable }: Runner,
  leases: WorkLeases,
): Omit<MessageStore, 'claimMessages'> {
  return {
    messageOfPayment: (paymentId, kind) => read(() => findMessage(paymentId, kind)),
    keepWrap: (paymentId, kind, wrap) => repeatable(() => keepWrap(paymentId, kind, wrap)),
    recordPosting: (paymentId, kind, posting) =>
      change(function* (): Verb<void> {
        const key = messageKey({ paymentId, kind })
        if (leases.isMine(key, posting.by)) {
          yield* recordPosting(paymentId, kind, posting)
          leases.end(key)
        }
        if (kind === 'reply' && posting.acceptedBy.length > 0) yield* markReplied(paymentId)
      }),
    requeueMessage: (paymentId, draft, now, by) =>
      change(() => {
        leases.take(messageKey({ paymentId, kind: draft.kind }), { by, now, leaseMs: 0 })
        return requeueMessage(paymentId, draft, now, by)
      }),
    messageBacklog: () => read(messageBacklog),
  }
}

/** Names a message among the leases. */
export const messageKey = ({ paymentId, kind }: Pick<OutgoingMessage, 'paymentId' | 'kind'>): string =>
  `${kind} ${paymentId}`

const findMessage = (paymentId: string, kind: string): Verb<OutgoingMessage | undefined> =>
  one(FIND, [paymentId, kind], MESSAGE.read)

function* keepWrap(paymentId: string, kind: string, wrap: string): Verb<string | undefined> {
  yield* run(KEEP_WRAP, [wrap, paymentId, kind])
  return (yield* findMessage(paymentId, kind))?.wrap ?? undefined
}

function* messageBacklog(): Verb<Awaited<ReturnType<MessageStore['messageBacklog']>>> {
  const [pending = 0n, oldest = null] = (yield* get(BACKLOG)) ?? []
  return { pending: integerCell.read(pending), oldestCreatedAt: nullable(integerCell).read(oldest) }
}

type Posting = Parameters<MessageStore['recordPosting']>[2]

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

/** What a try makes of its message. */
function stateAfter({ acceptedBy, nextAttemptAt }: Posting): OutgoingMessage['state'] {
  if (nextAttemptAt !== null) return 'pending'
  return acceptedBy.length > 0 ? 'sent' : 'given-up'
}

/** A wrap of another layout would use a format that the payer did not request. */
const REQUEUE = sql(
  ({ leases }) => `UPDATE letter SET state = 'pending', layout = ?, created_at = ?, attempts = 0, next_attempt_at = ?,
    accepted_by = '[]', last_error = NULL, wrap = CASE layout WHEN CAST(? AS text) THEN wrap END${leases.take}
  WHERE payment_id = ? AND kind = ?`,
)

function* requeueMessage(
  paymentId: string,
  draft: MessageDraft,
  now: number,
  by: string,
): Verb<'queued' | 'unknown-payment'> {
  const { kind, layout } = draft
  const changes = [layout, now, now, layout]
  const requeued = yield* run(REQUEUE, ({ leases }) => [...changes, ...leases.until(now, by), paymentId, kind])
  if (requeued > 0) return 'queued'
  if (!(yield* exists('SELECT 1 FROM payment WHERE id = ?', [paymentId]))) return 'unknown-payment'
  yield* insertMessages(paymentId, [draft], now)
  return 'queued'
}

const INSERT = `INSERT INTO letter (${MESSAGE.columns}) VALUES (${MESSAGE.marks}) ON CONFLICT (payment_id, kind) DO NOTHING`

/** Queues messages of a payment, due at once; an existing one stays as it is. Must run within a change. */
export function* insertMessages(paymentId: string, drafts: readonly MessageDraft[], now: number): Verb<void> {
  for (const draft of drafts) yield* run(INSERT, MESSAGE.values(newMessage(paymentId, draft, now)))
}

/** A message that was never tried, due at once. */
const newMessage = (paymentId: string, { kind, layout }: MessageDraft, now: number): OutgoingMessage => ({
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
