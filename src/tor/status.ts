// Derives the status of the onion service from known facts.

/** Times are epoch milliseconds. */
export interface OnionFacts {
  /** Why there is no connection; null with a connection, and during the first attempt. */
  readonly failure: string | null
  readonly connected: boolean
  /** Percent, and tor's text for the step; null = unknown. */
  readonly bootstrap: number | null
  readonly step: string
  /** When tor reached 100 percent. */
  readonly joinedAt: number | null
  /** When the service was last added. */
  readonly addedAt: number | null
  /** Whether an upload was confirmed since. */
  readonly confirmed: boolean
  /** Consecutive times that the service was added again for a missing upload. */
  readonly retries: number
  /** The last upload of the descriptor that a directory confirmed. */
  readonly publishedAt: number | null
  /** Why a directory refused the descriptor, if that was the last event. */
  readonly refusal: string | null
}

export type OnionStatus = 'connecting' | 'down' | 'bootstrapping' | 'publishing' | 'published'

export const NOTHING_KNOWN: OnionFacts = {
  failure: null,
  connected: false,
  bootstrap: null,
  step: '',
  joinedAt: null,
  addedAt: null,
  confirmed: false,
  retries: 0,
  publishedAt: null,
  refusal: null,
}

/** tor uploads a fresh descriptor every 60 to 120 minutes; the first one takes seconds, on a bad day minutes. */
const RENEWAL_LIMIT_MS = 130 * 60_000
const FIRST_LIMIT_MS = 10 * 60_000

export function onionStatus(facts: OnionFacts): OnionStatus {
  if (facts.failure !== null) return 'down'
  if (!facts.connected || facts.addedAt === null) return 'connecting'
  if (facts.bootstrap !== null && facts.bootstrap < 100) return 'bootstrapping'
  return facts.confirmed ? 'published' : 'publishing'
}

/**
 * Whether an upload of the descriptor is overdue. The service is then removed and added again, which repairs services that are silently
 * unreachable. The limit for the first upload doubles with each repeat.
 */
export function isOverdue(facts: OnionFacts, now: number): boolean {
  const { addedAt, joinedAt, publishedAt, retries } = facts
  if (addedAt === null || joinedAt === null) return false
  const since = Math.max(addedAt, joinedAt, publishedAt ?? 0)
  const first = Math.min(FIRST_LIMIT_MS * 2 ** Math.min(retries, 10), RENEWAL_LIMIT_MS)
  return now - since > (facts.confirmed ? RENEWAL_LIMIT_MS : first)
}

/** One sentence for people. */
export function detailOf(facts: OnionFacts, now: number): string {
  const refused = facts.refusal === null ? '' : ` (a directory refused it: ${facts.refusal})`
  switch (onionStatus(facts)) {
    case 'down':
      return facts.failure ?? ''
    case 'connecting':
      return 'connecting to tor'
    case 'bootstrapping':
      return `tor is joining its network: ${facts.bootstrap} %${facts.step === '' ? '' : `, ${facts.step}`}`
    case 'publishing':
      return `the onion service is being published${refused}`
    case 'published':
      return `published, last ${Math.max(0, Math.floor((now - (facts.publishedAt ?? now)) / 60_000))} min ago`
  }
}
