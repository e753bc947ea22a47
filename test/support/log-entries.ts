// Random entries of a relay's log: everything that decisions depend on, close together in time, so that most entries concern earlier ones.

import type { EventText } from '../../src/nostr/event/index.js'
import type { Filter } from '../../src/nostr/filter/index.js'
import type { LogMark, LogSettings } from '../../src/relay/index.js'
import { addressText } from '../../src/storage/events/write/deletions.js'
import { aText, keyOf, NOW } from './event-builders.js'

export type RandomEntry = LogMark &
  (
    | { readonly events: readonly EventText[] }
    | { readonly remove: readonly Filter[]; readonly spare?: string }
    | { readonly settings: LogSettings }
  )

const KINDS = [1, 1, 1, 7, 0, 10_002, 30_023, 30_023, 1059, 1059]
const AUTHORS = 12
/** Earlier events that later ones repeat or name. */
const REMEMBERED = 400
/** Of an event of which eleven are too much for one deletion. */
const LARGE = 100_000

/** Numbers below `limit`, the same for the same seed. */
function numbersFrom(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

export function* randomEntries(count: number, seed = 1): Generator<RandomEntry> {
  const below = numbersFrom(seed)
  const recent: EventText[] = []
  const large: EventText[] = []
  let at = NOW * 1000

  const pick = (): EventText => recent[below(recent.length)] ?? plain()
  const seconds = () => Math.floor(at / 1000)
  const expiry = (one: number): string[][] =>
    below(one) === 0 ? [['expiration', String(seconds() + 1 + below(40))]] : []
  const author = () => keyOf(1 + below(AUTHORS))

  function plain(): EventText {
    const tags = [['d', String(below(3))], ['p', author()], ...expiry(3)]
    const members = { kind: KINDS[below(KINDS.length)] ?? 1, pubkey: author(), tags, content: String(below(9)) }
    return aText({ ...members, created_at: seconds() - 30 + below(60) })
  }

  function deletion(): EventText {
    const named = Array.from({ length: 1 + below(4) }, pick)
    const tags = named.map(({ event }) => {
      const address = addressText(event)
      return address !== undefined && below(2) === 0 ? ['a', address] : ['e', event.id]
    })
    // Mostly of the author of what it names, since others are refused.
    const pubkey = below(8) === 0 ? author() : (named[0]?.event.pubkey ?? author())
    const own = tags.filter((_, index) => below(6) === 0 || named[index]?.event.pubkey === pubkey)
    return aText({ kind: 5, pubkey, created_at: seconds() - 20 + below(40), tags: [...own, ...expiry(2)] })
  }

  function largeOne(): EventText {
    if (large.length < 14) {
      const one = aText({
        pubkey: keyOf(1),
        created_at: seconds(),
        tags: expiry(2),
        content: `${at}`.padEnd(LARGE, 'x'),
      })
      large.push(one)
      return one
    }
    const ids = large.splice(0).map(({ event }) => ['e', event.id])
    return aText({ kind: 5, pubkey: keyOf(1), created_at: seconds(), tags: ids, content: String(at) })
  }

  function event(): EventText {
    const what = below(1000)
    if (what < 5) return largeOne()
    if (what < 200) return deletion()
    if (what < 400) return pick()
    const text = plain()
    if (recent.length < REMEMBERED) recent.push(text)
    else recent[below(REMEMBERED)] = text
    return text
  }

  function removal(): Pick<Extract<RandomEntry, { remove: unknown }>, 'remove' | 'spare'> {
    const filter: Filter =
      below(2) === 0
        ? { tags: [], kinds: [KINDS[below(KINDS.length)] ?? 1], until: seconds() - below(30) }
        : { tags: [], authors: [author()], until: seconds() - below(30) }
    return below(3) === 0 ? { remove: [filter], spare: author() } : { remove: [filter] }
  }

  for (let pos = 1; pos <= count; pos++) {
    // Writers' clocks differ: time also goes back a little.
    at += below(4) === 0 ? below(9000) - 3000 : below(300)
    const what = below(200)
    if (what === 0) yield { pos, at, ...removal() }
    else if (what === 1) yield { pos, at, settings: { giftWrapRecipientDelete: below(2) === 0 } }
    else yield { pos, at, events: Array.from({ length: 1 + below(3) }, event) }
  }
}
