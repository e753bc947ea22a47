// NIP-42 of `relay sync` against scripted relays.
import { describe, expect, test } from 'vitest'
import type { NostrEvent } from '../../../src/nostr/event/index.js'
import { createPeerAuth } from '../../../src/relay/sync/peer-auth.js'
import { createFakeClock } from '../../support/fake-clock.js'
import { keyPairOf, seededRandom } from '../../support/nostr.js'

const URL = 'wss://relay.example'
const key = { secret: keyPairOf('sync').secret, relay: URL, random: seededRandom('sync') }
const REFUSED = 'auth-required: prove a key'
const challengeIn = ({ tags }: NostrEvent): string | undefined => tags.find(([name]) => name === 'challenge')?.[1]

function setUp(options: { readonly key?: typeof key | undefined; readonly answers?: readonly string[] } = { key }) {
  const clock = createFakeClock()
  const proofs: NostrEvent[] = []
  const answers = [...(options.answers ?? [])]
  const auth = createPeerAuth({
    ...{ key: options.key, clock, timeoutMs: 5000, failure: (reason) => new Error(reason) },
    async send(event) {
      proofs.push(event)
      return answers.shift() ?? ''
    },
  })
  const asking = (refusals: readonly string[]) => {
    const left = [...refusals]
    return auth.retrying(
      async () => left.shift() ?? 'done',
      (answer) => answer,
    )
  }
  return { auth, clock, proofs, asking }
}

describe('a challenge at the connection', () => {
  test('is answered before the first request', async () => {
    const { auth, proofs } = setUp()
    const beginning = auth.begin()
    auth.challenged('abc')
    await beginning
    expect(proofs.map((event) => [event.kind, challengeIn(event)])).toEqual([[22_242, 'abc']])
  })

  test('is awaited for a second only', async () => {
    const { auth, clock, proofs } = setUp()
    const beginning = auth.begin()
    await clock.advance(1000)
    await beginning
    expect([proofs.length, clock.sleepers()]).toEqual([0, 0])
  })

  test('means nothing without a key', async () => {
    const { auth, proofs, asking } = setUp({})
    auth.challenged('abc')
    await auth.begin()
    expect(await asking([REFUSED])).toBe(REFUSED)
    expect(proofs).toEqual([])
  })
})

describe('a refusal', () => {
  test('is answered with a proof, and the request repeated once', async () => {
    const { auth, proofs, asking } = setUp()
    auth.challenged('abc')
    expect(await asking([REFUSED])).toBe('done')
    expect(await asking([REFUSED, REFUSED])).toBe(REFUSED)
    expect(proofs).toHaveLength(2)
  })

  test('of another kind is not', async () => {
    const { auth, proofs, asking } = setUp()
    auth.challenged('abc')
    expect(await asking(['blocked: no'])).toBe('blocked: no')
    expect(proofs).toEqual([])
  })

  test('waits for the challenge that follows it', async () => {
    const { auth, proofs, asking } = setUp()
    const answer = asking([REFUSED])
    await Promise.resolve()
    auth.challenged('later')
    expect(await answer).toBe('done')
    expect(proofs.map(challengeIn)).toEqual(['later'])
  })

  test('of several requests at once costs one proof', async () => {
    const { auth, proofs, asking } = setUp()
    auth.challenged('abc')
    expect(await Promise.all(Array.from({ length: 50 }, () => asking([REFUSED])))).toEqual(Array(50).fill('done'))
    expect(proofs).toHaveLength(1)
  })
})

describe('failures', () => {
  test('no challenge', async () => {
    const { clock, asking } = setUp()
    const answer = asking([REFUSED])
    const failed = expect(answer).rejects.toThrow('it requires authentication and sends no challenge')
    await Promise.resolve()
    await clock.advance(5000)
    await failed
    expect(clock.sleepers()).toBe(0)
  })

  test('a key that the relay refuses', async () => {
    const { auth, asking } = setUp({ key, answers: ['restricted: not a member'] })
    auth.challenged('abc')
    await expect(asking([REFUSED])).rejects.toThrow('it refuses the key: restricted: not a member')
  })

  test('a relay that always asks again', async () => {
    const { auth, asking } = setUp()
    auth.challenged('abc')
    for (let round = 0; round < 5; round++) await asking([REFUSED, REFUSED])
    await expect(asking([REFUSED])).rejects.toThrow('it asks for authentication again after 5 times')
  })

  test('a challenge that is no text, or too long, is none', async () => {
    const { auth, clock, proofs } = setUp()
    auth.challenged(7)
    auth.challenged('x'.repeat(1025))
    const beginning = auth.begin()
    await clock.advance(1000)
    await beginning
    expect(proofs).toEqual([])
  })
})
