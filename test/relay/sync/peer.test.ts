// Questions of `relay sync` to scripted relays, and NIP-42 before and between them.
import { describe, expect, test } from 'vitest'
import type { NostrEvent } from '../../../src/nostr/event/index.js'
import type { OpenSocket } from '../../../src/nostr/relays/index.js'
import { openPeer } from '../../../src/relay/sync/peer.js'
import { createFakeClock, settled } from '../../support/fake-clock.js'
import { keyPairOf, seededRandom } from '../../support/nostr.js'
import { anEvent } from '../../support/relay-parts.js'

const url = 'wss://relay.example'
const key = { secret: keyPairOf('sync').secret, relay: url, random: seededRandom('sync') }
const REFUSED = 'auth-required: prove a key'
const challengeIn = ({ tags }: NostrEvent): string | undefined => tags.find(([name]) => name === 'challenge')?.[1]
const event = anEvent('ada')

interface Script {
  readonly key?: typeof key
  /** The answers to EVENT messages, in order; then all are accepted. */
  readonly refusals?: readonly string[]
  /** The relay's word on an AUTH. Null: none. */
  readonly proof?: string | null
  readonly silent?: boolean
  /** Bytes that wait to be sent. */
  readonly unsent?: number
}

function setUp({ refusals = [], proof = '', silent = false, unsent = 0, ...script }: Script = {}) {
  const clock = createFakeClock()
  const sent: (readonly unknown[])[] = []
  const left = [...refusals]
  let listener: Parameters<OpenSocket>[1] | undefined
  const say = (...message: unknown[]) => listener?.frame(JSON.stringify(message))
  function hear([verb, value]: readonly unknown[]): void {
    const { id } = value as NostrEvent
    if (verb === 'AUTH' && proof !== null) say('OK', id, proof === '', proof)
    if (verb !== 'EVENT' || silent) return
    const refusal = left.shift() ?? ''
    say('OK', id, refusal === '', refusal)
  }
  const openSocket: OpenSocket = async (_request, given) => {
    listener = given
    const none = () => undefined
    return {
      send(frame) {
        sent.push(JSON.parse(frame))
        hear(JSON.parse(frame))
      },
      ...{ ping: none, pause: none, resume: none, bufferedBytes: () => unsent, close: none, terminate: none },
    }
  }
  return {
    ...{ clock, sent, say },
    opening: openPeer({ url, openSocket, clock, timeoutMs: 5000, ...script }),
    proofs: () => sent.flatMap(([verb, value]) => (verb === 'AUTH' ? [value as NostrEvent] : [])),
    garble: () => listener?.frame('{not json'),
    hangUp: () => listener?.closed({ reason: 'the connection was closed' }),
  }
}

/** With a challenge at the connection. */
async function challenged(script: Script = {}) {
  const relay = setUp({ key, ...script })
  await settled()
  relay.say('AUTH', 'abc')
  return { ...relay, peer: await relay.opening }
}

/** Without one: what is opened waits a second for it. */
async function unchallenged(script: Script = {}) {
  const relay = setUp({ key, ...script })
  await settled()
  await relay.clock.advance(1000)
  return { ...relay, peer: await relay.opening }
}

const ACCEPTED = { accepted: true, text: '' }

describe('a challenge at the connection', () => {
  test('is answered before the first request', async () => {
    const { proofs } = await challenged()
    expect(proofs().map((proof) => [proof.kind, challengeIn(proof)])).toEqual([[22_242, 'abc']])
  })

  test('is awaited for a second only', async () => {
    const { proofs } = await unchallenged()
    expect(proofs()).toEqual([])
  })

  test('means nothing without a key', async () => {
    const { opening, say, proofs } = setUp({ refusals: [REFUSED] })
    const peer = await opening
    say('AUTH', 'abc')
    expect(await peer.publish(event)).toEqual({ accepted: false, text: REFUSED })
    expect(proofs()).toEqual([])
  })

  test('may have 1024 characters', async () => {
    const relay = setUp({ key })
    await settled()
    relay.say('AUTH', 'x'.repeat(1024))
    await relay.opening
    expect(relay.proofs()).toHaveLength(1)
  })

  test('that is no text, or too long, is none', async () => {
    const relay = setUp({ key })
    await settled()
    relay.say('AUTH', 7)
    relay.say('AUTH', 'x'.repeat(1025))
    await relay.clock.advance(1000)
    await relay.opening
    expect(relay.proofs()).toEqual([])
  })
})

test('a relay that reads slowly is waited for, however much waits to be sent', async () => {
  const { opening, clock } = setUp({ unsent: 64 * 1024 * 1024 })
  const peer = await opening
  expect(await peer.publish(event)).toEqual(ACCEPTED)
  await clock.advance(120_000)
  expect(await peer.publish(event)).toEqual(ACCEPTED)
})

test('of two answers that come at once the first counts', async () => {
  const { opening, say } = setUp()
  const peer = await opening
  const reading = peer.read([event.id])
  await settled()
  say('EVENT', 'grinpay-read', event)
  say('EOSE', 'grinpay-read')
  say('CLOSED', 'grinpay-read', 'error: closing')
  expect(await reading).toEqual([event])
})

describe('a refusal', () => {
  test('is answered with a proof, and the request repeated once', async () => {
    const { peer, proofs, say, sent } = await unchallenged({ refusals: [REFUSED] })
    const answer = peer.publish(event)
    await settled()
    say('AUTH', 'later')
    expect(await answer).toEqual(ACCEPTED)
    expect(proofs().map(challengeIn)).toEqual(['later'])
    expect(sent.filter(([verb]) => verb === 'EVENT')).toHaveLength(2)
  })

  test('that stands after the proof is the answer', async () => {
    const { peer, proofs } = await challenged({ refusals: [REFUSED, REFUSED] })
    expect(await peer.publish(event)).toEqual({ accepted: false, text: REFUSED })
    expect(proofs()).toHaveLength(1)
  })

  test('of another kind is the answer', async () => {
    const { peer, proofs } = await unchallenged({ refusals: ['blocked: no'] })
    expect(await peer.publish(event)).toEqual({ accepted: false, text: 'blocked: no' })
    expect(proofs()).toEqual([])
  })

  test('of several requests at once costs one proof', async () => {
    const { peer, proofs, say } = await unchallenged({ refusals: Array(50).fill(REFUSED) })
    const events = Array.from({ length: 50 }, (_, n) => anEvent('ada', { content: String(n) }))
    const answers = Promise.all(events.map(peer.publish))
    await settled()
    say('AUTH', 'later')
    expect(await answers).toEqual(Array(50).fill(ACCEPTED))
    expect(proofs()).toHaveLength(1)
  })

  test.each(['NEG-ERR', 'CLOSED'])('of a reconciliation (%s) is answered with a proof too', async (verb) => {
    const { peer, proofs, say, sent } = await unchallenged()
    const answer = peer.reconcile(new Uint8Array([97]), {})
    say(verb, 'grinpay-sync', REFUSED)
    await settled()
    say('AUTH', 'later')
    await settled()
    say('NEG-MSG', 'grinpay-sync', '61ff')
    expect(await answer).toEqual(new Uint8Array([97, 255]))
    expect(proofs()).toHaveLength(1)
    expect(sent.filter(([verb]) => verb === 'NEG-OPEN')).toHaveLength(2)
  })
})

describe('failures', () => {
  test('no challenge', async () => {
    const { peer, clock, say } = await unchallenged()
    const failed = expect(peer.read([event.id])).rejects.toThrow('it requires authentication and sends no challenge')
    say('CLOSED', 'grinpay-read', REFUSED)
    await settled()
    await clock.advance(5000)
    await failed
  })

  test('a key that the relay refuses', async () => {
    const relay = setUp({ key, proof: 'restricted: not a member' })
    await settled()
    relay.say('AUTH', 'abc')
    await expect(relay.opening).rejects.toThrow('it refuses the key: restricted: not a member')
  })

  test('a proof that is never answered', async () => {
    const relay = setUp({ key, proof: null })
    const failed = expect(relay.opening).rejects.toMatchObject({ code: 'RELAY_SYNC_FAILED' })
    await settled()
    relay.say('AUTH', 'abc')
    await relay.clock.advance(1000)
    await relay.clock.advance(5000)
    await failed
  })

  test('a question has a limit on time', async () => {
    const { opening, clock } = setUp({ silent: true })
    const peer = await opening
    const failed = [peer.publish(event), peer.read([event.id]), peer.reconcile(new Uint8Array(), {})].map((asked) =>
      expect(asked).rejects.toThrow('no answer within 5 s'),
    )
    await settled()
    await clock.advance(5000)
    await Promise.all(failed)
  })

  test('a connection that is gone answers nothing, before it and after it', async () => {
    const { opening, hangUp } = setUp({ silent: true })
    const peer = await opening
    const early = [peer.publish(event), peer.read([event.id])]
    const failed = early.map((asked) => expect(asked).rejects.toThrow('the connection was closed'))
    hangUp()
    await Promise.all(failed)
    await expect(peer.publish(event)).rejects.toThrow('the connection was closed')
    await expect(peer.read([event.id])).rejects.toThrow('the connection was closed')
  })
})

test('what is not readable, or belongs to nothing, is passed over', async () => {
  const { opening, say, garble } = setUp({ silent: true })
  const peer = await opening
  const reading = peer.read([event.id])
  garble()
  say('NOTICE', 'hello')
  say('EVENT', 'other', event)
  say('EVENT', 'grinpay-read', anEvent('eve'))
  say('EVENT', 'grinpay-read', event)
  say('EOSE', 'grinpay-read')
  expect(await reading).toEqual([event])
})
