import { LONGEST_WAIT_MS, NOTICE_HOLD_MS } from '../../src/lib/due-times.js'
import type { Letter, LetterDraft, LetterKind, LetterStore } from '../../src/till/index.js'
import { HELD_NOTICES } from '../../src/till/model.js'
import type { Tables } from './fake-tables.js'
import { isDue } from './fake-tables.js'

const keyOf = (paymentId: string, kind: LetterKind): string => `${paymentId} ${kind}`

export function insertLetters(
  { letters }: Tables,
  paymentId: string,
  drafts: readonly LetterDraft[],
  now: number,
): void {
  for (const { kind, layout } of drafts.filter((draft) => !letters.get(keyOf(paymentId, draft.kind))))
    letters.insert(keyOf(paymentId, kind), {
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
}

/** A reply that some relay took is sent. */
export function endReply({ letters }: Tables, paymentId: string): void {
  const reply = letters.get(keyOf(paymentId, 'reply'))
  if (reply?.state !== 'pending' || reply.acceptedBy.length === 0) return
  letters.update(keyOf(paymentId, 'reply'), { state: 'sent', nextAttemptAt: null, wrap: null })
}

export function fakeLetterStore(tables: Tables): LetterStore {
  const { letters, payments } = tables
  const pending = () => letters.all().filter(({ state }) => state === 'pending')
  const { letter: leases } = tables.leases
  const isHeldBack = ({ kind, createdAt, paymentId }: Letter, now: number) => {
    const { rail, settlement } = payments.get(paymentId) ?? {}
    const waits = HELD_NOTICES.includes(kind) && now < createdAt + NOTICE_HOLD_MS
    return waits && rail === 'nostr' && settlement === 'received'
  }
  return {
    async claimLetters(claim) {
      const { now } = claim
      const due = pending()
        .filter((letter) => isDue(letter.nextAttemptAt, now, LONGEST_WAIT_MS.letter) && !isHeldBack(letter, now))
        .sort((a, b) => (a.nextAttemptAt ?? 0) - (b.nextAttemptAt ?? 0))
      return leases
        .claim(claim, due, ({ paymentId, kind }) => keyOf(paymentId, kind))
        .flatMap((letter) => {
          const payment = payments.get(letter.paymentId)
          return payment ? [{ ...letter, payment }] : []
        })
    },
    letterOf: async (paymentId, kind) => letters.get(keyOf(paymentId, kind)),
    async keepWrap(paymentId, kind, wrap) {
      const letter = letters.get(keyOf(paymentId, kind))
      if (letter?.state !== 'pending') return undefined
      letters.update(keyOf(paymentId, kind), { wrap: letter.wrap ?? wrap })
      return letter.wrap ?? wrap
    },
    async recordPosting(paymentId, kind, { acceptedBy, error, nextAttemptAt, partial, by }) {
      const isLate = leases.isOthers(keyOf(paymentId, kind), by)
      if (!isLate) leases.held.delete(keyOf(paymentId, kind))
      const letter = letters.get(keyOf(paymentId, kind))
      const finished = acceptedBy.length > 0 ? 'sent' : 'given-up'
      if (letter?.state === 'pending' && !isLate)
        letters.update(keyOf(paymentId, kind), {
          state: nextAttemptAt === null ? finished : 'pending',
          attempts: letter.attempts + (partial ? 0 : 1),
          nextAttemptAt,
          acceptedBy,
          lastError: error,
          wrap: nextAttemptAt === null ? null : letter.wrap,
        })
      const answered = kind === 'reply' && acceptedBy.length > 0
      if (answered && payments.get(paymentId)?.settlement === 'received')
        payments.update(paymentId, { settlement: 'replied' })
    },
    async requeueLetter(paymentId, { kind, layout }, now, by) {
      leases.hand(keyOf(paymentId, kind), { by, now, leaseMs: 0 })
      if (!payments.get(paymentId)) return 'unknown-payment'
      const before = letters.get(keyOf(paymentId, kind))
      insertLetters(tables, paymentId, [{ kind, layout }], now)
      letters.update(keyOf(paymentId, kind), {
        state: 'pending',
        layout,
        createdAt: now,
        attempts: 0,
        nextAttemptAt: now,
        acceptedBy: [],
        lastError: null,
        wrap: before?.layout === layout ? before.wrap : null,
      })
      return 'queued'
    },
    async letterBacklog() {
      const waiting = pending().map(({ createdAt }) => createdAt)
      return { pending: waiting.length, oldestCreatedAt: waiting.length === 0 ? null : Math.min(...waiting) }
    },
  }
}
