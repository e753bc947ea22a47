// Questions in the usual shapes of clients, made from events that the relay stores.

/** The members of an event that questions are made of. */
export interface SampleEvent {
  readonly id: string
  readonly pubkey: string
  readonly tags: readonly (readonly string[])[]
}

/** Returns other values of the sample at every call, in turn. */
interface Picks {
  ids(count: number): readonly string[]
  authors(count: number): readonly string[]
  recipient(): string
}

/** The shapes as data: an author's notes, an inbox, known ids, the newest events, profiles, a thread, a feed, an unknown id. */
const SHAPES: readonly ((pick: Picks) => object)[] = [
  (pick) => ({ authors: pick.authors(1), kinds: [1], limit: 50 }),
  (pick) => ({ kinds: [1059], '#p': [pick.recipient()], limit: 100 }),
  (pick) => ({ ids: pick.ids(10) }),
  () => ({ limit: 50 }),
  () => ({ kinds: [1], limit: 50 }),
  (pick) => ({ kinds: [0, 3, 10_050], authors: pick.authors(20) }),
  (pick) => ({ kinds: [1, 7], '#e': pick.ids(1) }),
  (pick) => ({ kinds: [1], authors: pick.authors(60), limit: 50 }),
  (pick) => ({ ids: pick.ids(1).map(backwards) }),
]

const backwards = (id: string): string => Array.from(id).reverse().join('')

/** Filters in the form of the wire: one of each shape per round. None for an empty sample. */
export function* questionsLike(sample: readonly SampleEvent[], rounds: number): Generator<object> {
  if (sample.length === 0) return
  const pick = picksFrom(sample)
  for (let round = 0; round < rounds; round++) for (const shape of SHAPES) yield shape(pick)
}

function picksFrom(sample: readonly SampleEvent[]): Picks {
  const ids = sample.map(({ id }) => id)
  const authors = [...new Set(sample.map(({ pubkey }) => pubkey))]
  const recipients = [...new Set(sample.flatMap(({ tags }) => tags.flatMap(recipientOf)))]
  let at = 0
  const next = (values: readonly string[], count: number): readonly string[] =>
    Array.from({ length: Math.min(count, values.length) }, () => values[at++ % values.length] ?? '')
  return {
    ids: (count) => next(ids, count),
    authors: (count) => next(authors, count),
    recipient: () => next(recipients.length > 0 ? recipients : authors, 1)[0] ?? '',
  }
}

const KEY = /^[0-9a-f]{64}$/

const recipientOf = ([name, value = '']: readonly string[]): readonly string[] =>
  name === 'p' && KEY.test(value) ? [value] : []
