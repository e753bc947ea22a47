// NIP-42 and what depends on it: proven keys, protected events, gift wraps for their recipients only (specification: relay, 8 and 9).
import { describe, expect, test } from 'vitest'
import { hostAndPortOf } from '../../../src/relay/auth/auth-event.js'
import { keyPairOf } from '../../support/nostr.js'
import { anEvent, openPolicy, RELAY_URL, relaySettings, SECONDS } from '../../support/relay-parts.js'
import { aSession, sessionOn, type TestSession } from '../../support/relay-session.js'

const AUTH_ON = relaySettings({ auth: { enabled: true } })
const GATED = relaySettings({ auth: { enabled: true, giftWrapsToRecipient: true } })

async function challengeOf(session: TestSession): Promise<string> {
  const [message = []] = await session.answered()
  expect(message[0]).toBe('AUTH')
  return String(message[1])
}

interface Proof {
  readonly challenge: string
  readonly relay?: string
  readonly kind?: number
  readonly created_at?: number
}

const proofOf = (name: string, { challenge, relay = RELAY_URL, ...rest }: Proof) =>
  anEvent(name, {
    kind: 22_242,
    content: '',
    tags: [
      ['relay', relay],
      ['challenge', challenge],
    ],
    ...rest,
  })

async function authenticated(name: string, settings = AUTH_ON) {
  const session = aSession({ settings })
  const challenge = await challengeOf(session)
  const proof = proofOf(name, { challenge })
  session.say(['AUTH', proof])
  expect(await session.answered()).toEqual([['OK', proof.id, true, '']])
  return { ...session, challenge }
}

test('every connection gets a challenge of its own, of 128 bits at least', async () => {
  const first = aSession({ settings: AUTH_ON })
  const second = sessionOn(first.relay)
  const [one, other] = [await challengeOf(first), await challengeOf(second)]
  expect(one).toMatch(/^[0-9a-f]{32,}$/)
  expect(one).not.toBe(other)
})

test('while it is off no client is challenged', async () => {
  expect(await aSession().answered()).toEqual([])
})

const PROOFS: readonly { readonly what: string; readonly proof: Partial<Proof>; readonly text: string }[] = [
  { what: 'right', proof: {}, text: '' },
  { what: 'the address with a path and in capitals', proof: { relay: 'WSS://Relay.Example:443/inbox' }, text: '' },
  { what: 'ten minutes old', proof: { created_at: SECONDS - 600 }, text: '' },
  {
    what: 'older',
    proof: { created_at: SECONDS - 601 },
    text: 'invalid: created_at is not within 10 minutes of now',
  },
  {
    what: 'of the future',
    proof: { created_at: SECONDS + 601 },
    text: 'invalid: created_at is not within 10 minutes of now',
  },
  { what: 'another kind', proof: { kind: 1 }, text: 'invalid: not an AUTH event' },
  { what: "another's challenge", proof: { challenge: 'x' }, text: 'invalid: not the challenge of this connection' },
  { what: 'another relay', proof: { relay: 'wss://other.example' }, text: 'invalid: not the address of this relay' },
  { what: 'another port', proof: { relay: `${RELAY_URL}:8443` }, text: 'invalid: not the address of this relay' },
  { what: 'no address at all', proof: { relay: 'relay.example' }, text: 'invalid: not the address of this relay' },
]

test.each(PROOFS)('a proof: $what', async ({ proof, text }) => {
  const session = aSession({ settings: AUTH_ON })
  const event = proofOf('anna', { challenge: await challengeOf(session), ...proof })
  session.say(['AUTH', event])
  expect(await session.answered()).toEqual([['OK', event.id, text === '', text]])
})

test('a proof that another key signed proves nothing', async () => {
  const session = aSession({ settings: AUTH_ON })
  const challenge = await challengeOf(session)
  const forged = { ...proofOf('anna', { challenge }), sig: proofOf('ben', { challenge }).sig }
  session.say(['AUTH', forged])
  session.say(['EVENT', anEvent('anna', { tags: [['-']] })])
  expect((await session.answered()).map(([verb, , accepted]) => [verb, accepted])).toEqual([
    ['OK', false],
    ['OK', false],
    ['AUTH', undefined],
  ])
})

test('a client that proves a key publishes protected events, also without waiting for the answer', async () => {
  const session = aSession({ settings: AUTH_ON })
  const challenge = await challengeOf(session)
  const event = anEvent('anna', { tags: [['-']] })
  session.say(['AUTH', proofOf('anna', { challenge })])
  session.say(['EVENT', event])
  expect((await session.answered()).at(-1)).toEqual(['OK', event.id, true, ''])
})

test("another's protected event stays refused", async () => {
  const session = await authenticated('ben')
  const event = anEvent('anna', { tags: [['-']] })
  session.say(['EVENT', event])
  expect(await session.answered()).toEqual([
    ['OK', event.id, false, 'restricted: this event may only be published by its author'],
  ])
})

test('an answer that asks for a key repeats the challenge', async () => {
  const policy = { ...openPolicy, refusalFor: () => 'auth-required: publish after NIP-42 AUTH' }
  const session = aSession({ settings: AUTH_ON, policy })
  const challenge = await challengeOf(session)
  session.say(['EVENT', anEvent('anna')])
  expect((await session.answered()).at(-1)).toEqual(['AUTH', challenge])
})

test('eight keys may be proven, each counts, and the ninth is one too many', async () => {
  const policy = {
    ...openPolicy,
    refusalFor: ({ authed }: { readonly authed: readonly string[] }) => `blocked: ${authed.length} keys`,
  }
  const session = aSession({ settings: AUTH_ON, policy })
  const challenge = await challengeOf(session)
  const names = ['1', '2', '3', '4', '5', '6', '7', '8']
  for (const name of [...names, '8', '9']) session.say(['AUTH', proofOf(name, { challenge })])
  session.say(['EVENT', anEvent('anna')])
  const texts = (await session.answered()).map(([, , , text]) => text)
  expect(texts).toEqual([...Array(9).fill(''), 'invalid: too many keys on this connection', 'blocked: 8 keys'])
})

test.each([
  ['wss://a.example', 'a.example:443'],
  ['ws://a.example/', 'a.example:80'],
  ['wss://[::1]:7777/x?y', '[::1]:7777'],
  ['https://a.example', undefined],
  ['', undefined],
])('the host of %s', (address, host) => expect(hostAndPortOf(address)).toBe(host))

describe('gift wraps for their recipients only', () => {
  const wrap = anEvent('throw-away', { kind: 1059, tags: [['p', keyPairOf('anna').pubkey]] })
  const note = anEvent('ben')

  async function withWrap(name: string | undefined) {
    const first = name === undefined ? aSession({ settings: GATED }) : await authenticated(name, GATED)
    const writer = sessionOn(first.relay)
    for (const event of [wrap, note]) writer.say(['EVENT', event])
    await writer.answered()
    if (name === undefined) await first.answered()
    return { ...first, writer }
  }

  test('who proved no key and asks for nothing else is asked for one', async () => {
    const session = await withWrap(undefined)
    session.say(['REQ', 's', { kinds: [1059] }])
    session.say(['COUNT', 'c', { kinds: [1059] }])
    expect((await session.answered()).map(([verb, , text]) => [verb, text])).toEqual([
      ['AUTH', undefined],
      ['CLOSED', 'auth-required: gift wraps are shown to their recipients'],
      ['AUTH', undefined],
      ['CLOSED', 'auth-required: gift wraps are shown to their recipients'],
    ])
  })

  test('a request for more is served without them', async () => {
    const session = await withWrap(undefined)
    session.say(['REQ', 's', { kinds: [1059] }, { kinds: [1] }])
    session.say(['REQ', 't', { ids: [wrap.id] }])
    session.say(['COUNT', 'c', {}])
    expect(await session.answered()).toEqual([
      ['EVENT', 's', note],
      ['EOSE', 's'],
      ['EOSE', 't'],
      ['COUNT', 'c', { count: 1 }],
    ])
  })

  test.each([
    ['anna', 1],
    ['ben', 0],
  ])('%s sees %i of those for anna, stored and counted', async (name, seen) => {
    const session = await withWrap(name)
    session.say(['REQ', 's', { kinds: [1059] }])
    session.say(['COUNT', 'c', { kinds: [1059] }])
    const answers = await session.answered()
    expect(answers.filter(([verb]) => verb === 'EVENT')).toHaveLength(seen)
    expect(answers.at(-1)).toEqual(['COUNT', 'c', { count: seen }])
  })

  test.each([
    ['anna', 1],
    ['ben', 0],
  ])('%s gets %i of the new ones for anna', async (name, got) => {
    const session = await withWrap(name)
    session.say(['REQ', 's', { since: SECONDS }, { kinds: [1059] }])
    await session.answered()
    const next = anEvent('throw-away', { kind: 1059, tags: [['p', keyPairOf('anna').pubkey]], content: 'next' })
    session.writer.say(['EVENT', next])
    expect(await session.answered()).toHaveLength(got)
  })

  test('a key proven later opens what is subscribed already', async () => {
    const session = aSession({ settings: GATED })
    const challenge = await challengeOf(session)
    session.say(['REQ', 's', {}])
    session.say(['AUTH', proofOf('anna', { challenge })])
    await session.answered()
    session.say(['EVENT', wrap])
    expect((await session.answered()).at(-1)).toEqual(['EVENT', 's', wrap])
  })
})
