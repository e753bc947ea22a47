// What a relay asks itself after the start: valid questions, on a relay of its own, until a client has one.
import { expect, test } from 'vitest'
import { eventText } from '../../../src/nostr/event/index.js'
import { parseFilter } from '../../../src/nostr/filter/index.js'
import { createRelay } from '../../../src/relay/relay.js'
import { questionsLike, warmUp } from '../../../src/relay/warm-up/warm-up.js'
import { keyPairOf } from '../../support/nostr.js'
import { anEvent, relayParts, SECONDS } from '../../support/relay-parts.js'

const MANY = 5000
const RECIPIENT = keyPairOf('recipient').pubkey

const EVENTS = Array.from({ length: 12 }, (_, index) =>
  anEvent(`author ${index % 3}`, {
    kind: index % 2 === 0 ? 1 : 1059,
    created_at: SECONDS - index,
    tags: [['p', RECIPIENT]],
  }),
)

/** A served relay with stored events, and a clock by which every question takes longer than a slice. */
function served({ pause = () => {} } = {}) {
  let ticks = 0
  const { parts, store } = relayParts()
  store.append(EVENTS.flatMap((event) => eventText(event) ?? []))
  const clock = { ...parts.clock, monotonic: () => (ticks += 3), sleep: async () => pause() }
  const withClock = { ...parts, clock }
  return { parts: withClock, relay: createRelay(withClock) }
}

const aConnection = {
  address: '127.0.0.1',
  write: () => true,
  pendingBytes: () => 0,
  pause() {},
  resume() {},
  end() {},
  drop() {},
}

test('hundreds of questions of every shape move no figure of the served relay', async () => {
  const { parts, relay } = served()
  const before = structuredClone(relay.metrics())
  const { signal } = new AbortController()
  expect(await warmUp({ served: relay, parts, events: MANY, signal })).toBe(2700)
  expect(relay.metrics()).toEqual(before)
})

test('with few stored events nothing is asked', async () => {
  const { parts, relay } = served()
  const { signal } = new AbortController()
  expect(await warmUp({ served: relay, parts, events: MANY - 1, signal })).toBe(0)
})

test('the first message of a client ends it, and so does the end of the relay', async () => {
  let pauses = 0
  const stopping = new AbortController()
  const first = served({
    pause: () => {
      if (++pauses === 4) first.relay.connect(aConnection).take(Buffer.from('["CLOSE","a"]'), false)
    },
  })
  const asked = warmUp({ served: first.relay, parts: first.parts, events: MANY, signal: stopping.signal })
  expect(await asked).toBe(4)
  const second = served({ pause: () => stopping.abort() })
  expect(await warmUp({ served: second.relay, parts: second.parts, events: MANY, signal: stopping.signal })).toBe(1)
})

test('refused questions do not hold it up', async () => {
  const { parts, relay } = served()
  const { settings } = parts
  const gated = { ...settings, auth: { ...settings.auth, enabled: true, giftWrapsToRecipient: true } }
  const { signal } = new AbortController()
  const strict = { ...parts, settings: gated }
  expect(await warmUp({ served: relay, parts: strict, events: MANY, signal })).toBe(2700)
})

test('every question is a valid filter, and an empty sample has none', () => {
  const questions = [...questionsLike(EVENTS, 2)]
  expect(questions).toHaveLength(18)
  for (const question of questions) expect(parseFilter(question, { maxValues: 100 })).not.toHaveProperty('problem')
  expect([...questionsLike([], 2)]).toEqual([])
})
