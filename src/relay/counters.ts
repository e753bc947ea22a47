// Counters for the operator: numbers only, neither contents nor keys.
import { classOf, type EventClass, GIFT_WRAP_KIND } from '../nostr/event/index.js'

/** Gift wraps are counted apart, because the relay exists for them. */
type CountedClass = EventClass | 'gift wrap' | 'unreadable'

export interface Counters {
  readonly messages: Map<string, number>
  /** `accepted regular`, `duplicate gift wrap`, `blocked ephemeral` …: the first word of the answer, and the class of the kind. */
  readonly events: Map<string, number>
  /** Accepted events by kind; those beyond the first `MOST_NAMED` kinds are under `OTHER_KINDS`. */
  readonly kinds: Map<number, number>
  /** Refused events by the text of the answer; texts beyond the first `MOST_NAMED` are under their first word. */
  readonly refusals: Map<string, number>
  bytesIn: number
  bytesOut: number
  /** New events sent to open subscriptions. */
  liveDeliveries: number
  connected: number
}

/** Counters of kinds and of texts: clients and plugins may invent them. */
const MOST_NAMED = 100
const LONGEST_TEXT = 120
export const OTHER_KINDS = -1

/** Commands with a counter of their own. All others share one, because clients may invent them. */
const VERBS: ReadonlySet<string> = new Set([
  'EVENT',
  'REQ',
  'CLOSE',
  'COUNT',
  'AUTH',
  'NEG-OPEN',
  'NEG-MSG',
  'NEG-CLOSE',
])

const WORDS: ReadonlySet<string> = new Set([
  'duplicate',
  'replaced',
  'deleted',
  'invalid',
  'blocked',
  'rate-limited',
  'auth-required',
  'restricted',
  'error',
])

export const createCounters = (): Counters => ({
  messages: new Map(),
  events: new Map(),
  kinds: new Map(),
  refusals: new Map(),
  bytesIn: 0,
  bytesOut: 0,
  liveDeliveries: 0,
  connected: 0,
})

export const countMessage = ({ messages }: Counters, verb: string): void =>
  add(messages, VERBS.has(verb) ? verb : 'other')

/** Sum over all commands. */
export const messagesOf = ({ messages }: Counters): number =>
  [...messages.values()].reduce((sum, count) => sum + count, 0)

/** `text` is that of the OK; `kind` is absent for what is no event. */
export function countEvent({ events, kinds, refusals }: Counters, kind: number | undefined, text: string): void {
  const word = text === '' ? 'accepted' : firstWord(text)
  add(events, `${word} ${countedClass(kind)}`)
  if (word === 'accepted') addNamed(kinds, kind ?? OTHER_KINDS, OTHER_KINDS)
  else if (word !== 'duplicate') addNamed(refusals, text.slice(0, LONGEST_TEXT), `${word}: other reasons`)
}

/** The machine-readable prefix of an answer. Texts of plugins may lack one. */
function firstWord(text: string): string {
  const end = text.indexOf(':')
  const word = text.slice(0, Math.max(0, end))
  return WORDS.has(word) ? word : 'refused'
}

function countedClass(kind: number | undefined): CountedClass {
  if (kind === undefined) return 'unreadable'
  return kind === GIFT_WRAP_KIND ? 'gift wrap' : classOf(kind)
}

function add<Name>(counts: Map<Name, number>, name: Name): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** Counts under `other` what has no counter of its own and no longer gets one. */
const addNamed = <Name>(counts: Map<Name, number>, name: Name, other: Name): void =>
  add(counts, counts.size < MOST_NAMED || counts.has(name) ? name : other)
