// Who is there (NIP-42; specification: relay, 8), who must say so, and who reads gift wraps (specification: relay, 9).
import { describe, expect, test } from 'vitest'
import { authEvent, type Proof } from '../../support/wire-auth.js'
import type { WireClient } from '../../support/wire-client.js'
import { now, type Person, person, wrapFor, writer } from '../../support/wire-people.js'
import { relays } from './relays.js'

const OK = [true, '']
const NOT_AUTH = 'invalid: not an AUTH event'
const TIME = 'invalid: created_at is not within 10 minutes of now'
const CHALLENGE = 'invalid: not the challenge of this connection'
const ADDRESS = 'invalid: not the address of this relay'
const GATE = 'auth-required: gift wraps are shown to their recipients'
const FIRST = 'auth-required: publish after NIP-42 AUTH'

async function prove(client: WireClient, who: Person, changes: Partial<Proof> = {}) {
  const proof = { relay: relays.gated.address, challenge: await client.challenge(), ...changes }
  return client.publish(authEvent(who, proof), 'AUTH')
}

async function holder(...people: readonly Person[]): Promise<WireClient> {
  const client = await relays.gated.client()
  for (const who of people) expect(await prove(client, who)).toEqual(OK)
  return client
}

export function describeAuth(): void {
  describe('AUTH (NIP-42)', () => {
    test('a challenge of 128 random bits comes at once, another one to everybody', async () => {
      const clients = [await relays.gated.client(), await relays.gated.client()]
      const challenges = await Promise.all(clients.map((client) => client.challenge()))
      for (const challenge of challenges) expect(challenge).toMatch(/^[0-9a-f]{32}$/)
      expect(new Set(challenges).size).toBe(2)
    })

    test('proves a key that the relay never heard of', async () => {
      await holder(person('unheard'))
    })

    test.each<[string, (challenge: string) => Partial<Proof>, string]>([
      ['another kind', () => ({ kind: 1 }), NOT_AUTH],
      ['a time eleven minutes ago', () => ({ created_at: now() - 660 }), TIME],
      ['a time eleven minutes ahead', () => ({ created_at: now() + 660 }), TIME],
      ['another challenge', () => ({ challenge: 'f'.repeat(32) }), CHALLENGE],
      ['an empty challenge', () => ({ challenge: '' }), CHALLENGE],
      ['no challenge', () => ({ tags: [['relay', relays.gated.address]] }), CHALLENGE],
      [
        'the challenge in capitals',
        (challenge) => ({ challenge: challenge.toUpperCase().replace(/^\d+$/, 'A') }),
        CHALLENGE,
      ],
      ['another relay', () => ({ relay: 'wss://other.example' }), ADDRESS],
      ['another port', () => ({ relay: 'ws://127.0.0.1:1' }), ADDRESS],
      ['another scheme than websockets', () => ({ relay: relays.gated.address.replace('ws', 'http') }), ADDRESS],
      ['no address', () => ({ relay: 'relay' }), ADDRESS],
      ['no relay', (challenge) => ({ tags: [['challenge', challenge]] }), ADDRESS],
    ])('with %s is refused', async (_what, changes, text) => {
      const client = await relays.gated.client()
      const challenge = await client.challenge()
      expect(await prove(client, person('prover'), changes(challenge))).toEqual([false, text])
      expect(await prove(client, person('prover'))).toEqual(OK)
    })

    test.each<[string, () => Partial<Proof>]>([
      ['nine minutes ago', () => ({ created_at: now() - 540 })],
      ['nine minutes ahead', () => ({ created_at: now() + 540 })],
      ['with a slash at the end of the address', () => ({ relay: `${relays.gated.address}/` })],
      ['with a path in the address', () => ({ relay: `${relays.gated.address}/some/where?x=1` })],
      ['with the scheme in capitals', () => ({ relay: relays.gated.address.replace('ws', 'WS') })],
    ])('%s is accepted', async (_what, changes) => {
      expect(await prove(await relays.gated.client(), person('prover'), changes())).toEqual(OK)
    })

    test('with a bad signature or another content is refused', async () => {
      const client = await relays.gated.client()
      const proof = authEvent(person('prover'), { relay: relays.gated.address, challenge: await client.challenge() })
      expect(await client.publish({ ...proof, sig: '0'.repeat(128) } as typeof proof, 'AUTH')).toEqual([
        false,
        'invalid: bad signature',
      ])
      expect(await client.publish({ ...proof, content: 'x' } as typeof proof, 'AUTH')).toEqual([
        false,
        'invalid: id is not that of the content',
      ])
    })

    test.each([
      ['nothing', []],
      ['a text', ['x']],
      ['a list', [[]]],
    ])('with %s is refused', async (_what, rest) => {
      const client = await relays.gated.client()
      await client.challenge()
      await client.expects(['AUTH', ...rest], [['OK', '?', false, 'invalid: an event is an object']])
    })

    test('a challenge is good for its connection only', async () => {
      const [one, other] = [await relays.gated.client(), await relays.gated.client()]
      await other.challenge()
      expect(await prove(other, person('prover'), { challenge: await one.challenge() })).toEqual([false, CHALLENGE])
    })

    test('eight keys are proven, a ninth is refused, a known one is welcome again', async () => {
      const people = Array.from({ length: 8 }, (_, n) => person(`key ${n}`))
      const client = await holder(...people)
      expect(await prove(client, person('key 8'))).toEqual([false, 'invalid: too many keys on this connection'])
      expect(await prove(client, people[0]!)).toEqual(OK)
    })

    test('what is sent right behind it knows the key', async () => {
      const client = await relays.gated.client()
      const who = person('hasty')
      const proof = authEvent(who, { relay: relays.gated.address, challenge: await client.challenge() })
      client.send(['AUTH', proof])
      client.send(['REQ', 's', { kinds: [1059], '#p': [who.pubkey] }])
      expect(await client.take(2)).toEqual([
        ['OK', proof.id, true, ''],
        ['EOSE', 's'],
      ])
    })

    test('events of AUTH are never published', async () => {
      const client = await relays.gated.client()
      const event = writer().event({ kind: 22_242 })
      expect(await client.publish(event)).toEqual([false, 'blocked: an AUTH event is for nobody else'])
    })
  })

  describe('publishing where everybody must say who they are', () => {
    test('is refused with the challenge, and goes on after the answer, for anybody’s events', async () => {
      const client = await relays.strict.client()
      const [who, event] = [writer(), writer().event({ content: '' })]
      const challenge = await client.challenge()
      client.send(['EVENT', event])
      expect(await client.take(2)).toEqual([
        ['OK', event.id, false, FIRST],
        ['AUTH', challenge],
      ])
      expect(await client.publish(authEvent(who, { relay: relays.strict.address, challenge }), 'AUTH')).toEqual(OK)
      expect(await client.publish(event)).toEqual(OK)
    })

    test('reading needs no authentication', async () => {
      const client = await relays.strict.client()
      await client.expects(['REQ', 's', { kinds: [1059] }], [['EOSE', 's']])
    })

    test('ephemeral events need it too', async () => {
      const client = await relays.strict.client()
      const event = writer().event({ kind: 20_000, content: '' })
      expect(await client.publish(event)).toEqual([false, FIRST])
    })
  })

  describe('gift wraps for their recipients only', () => {
    test('a question about nothing else needs a key', async () => {
      const client = await relays.gated.client()
      const challenge = await client.challenge()
      const filters = [{ kinds: [1059] }, { kinds: [1059], '#p': [person('x').pubkey] }]
      await client.expects(
        ['REQ', 's', ...filters],
        [
          ['AUTH', challenge],
          ['CLOSED', 's', GATE],
        ],
      )
      await client.expects(
        ['COUNT', 'c', ...filters],
        [
          ['AUTH', challenge],
          ['CLOSED', 'c', GATE],
        ],
      )
      await client.expects(
        ['NEG-OPEN', 'n', { kinds: [1059] }, '6100000200'],
        [
          ['AUTH', challenge],
          ['NEG-ERR', 'n', GATE],
        ],
      )
    })

    test('each comes to its recipient, stored and live, and to no other client', async () => {
      const [ada, ben] = [writer(), writer()]
      const [forAda, forBen] = [wrapFor(ada.pubkey), wrapFor(ben.pubkey)]
      const sender = await relays.gated.client()
      await sender.store(forAda, forBen)
      const client = await holder(ada)
      const both = { kinds: [1059], '#p': [ada.pubkey, ben.pubkey] }
      client.send(['REQ', 's', both])
      expect(await client.until('EOSE')).toEqual([
        ['EVENT', 's', forAda],
        ['EOSE', 's'],
      ])
      const [moreForBen, moreForAda] = [wrapFor(ben.pubkey), wrapFor(ada.pubkey)]
      await sender.store(moreForBen, moreForAda)
      expect(await client.next()).toEqual(['EVENT', 's', moreForAda])
      await client.isQuiet()
      expect(await prove(client, ben)).toEqual(OK)
      expect([...(await client.ids(both))].sort()).toEqual(
        [forAda, forBen, moreForAda, moreForBen].map(({ id }) => id).sort(),
      )
    })

    test('a key that is proven later opens a subscription that stands', async () => {
      const [ada, ben] = [writer(), writer()]
      const client = await holder(ada)
      client.send(['REQ', 's', { kinds: [1059], '#p': [ben.pubkey] }])
      expect(await client.next()).toEqual(['EOSE', 's'])
      expect(await prove(client, ben)).toEqual(OK)
      const wrap = wrapFor(ben.pubkey)
      await (await relays.gated.client()).store(wrap)
      expect(await client.next()).toEqual(['EVENT', 's', wrap])
    })

    test('a mixed question is answered without them', async () => {
      const ada = writer()
      const [note, wrap] = [ada.event({ tags: [['p', ada.pubkey]] }), wrapFor(ada.pubkey)]
      const sender = await relays.gated.client()
      await sender.store(note, wrap)
      const stranger = await relays.gated.client()
      const filter = { '#p': [ada.pubkey] }
      const questions: readonly (readonly object[])[] = [
        [filter],
        [{ ...filter, kinds: [1, 1059] }],
        [{ ids: [wrap.id] }, { ids: [note.id] }],
        [{ kinds: [1059] }, filter],
      ]
      for (const filters of questions) expect(await stranger.ids(...filters)).toEqual([note.id])
      await stranger.expects(
        ['REQ', 'live', filter],
        [
          ['EVENT', 'live', note],
          ['EOSE', 'live'],
        ],
      )
      await sender.store(wrapFor(ada.pubkey))
      await stranger.isQuiet()
      expect(await (await holder(ada)).ids(filter)).toHaveLength(3)
    })

    test('the sender does not read its own wrap back', async () => {
      const [sender, recipient] = [writer(), writer()]
      const client = await holder(sender)
      const wrap = wrapFor(recipient.pubkey, {}, sender)
      await client.store(wrap)
      expect(await client.ids({ kinds: [1059], '#p': [recipient.pubkey], ids: [wrap.id], limit: 1 })).toEqual([])
    })

    test('are counted for their recipient only', async () => {
      const ada = writer()
      await (await relays.gated.client()).store(
        wrapFor(ada.pubkey),
        wrapFor(ada.pubkey),
        ada.event({ tags: [['p', ada.pubkey]] }),
      )
      const filter = { '#p': [ada.pubkey] }
      expect(await (await relays.gated.client()).count(filter)).toEqual({ count: 1 })
      expect(await (await holder(writer())).count({ ...filter, kinds: [1059] })).toEqual({ count: 0 })
      expect(await (await holder(ada)).count({ ...filter, kinds: [1059] })).toEqual({ count: 2 })
    })

    test('are compared for their recipient only', async () => {
      const ada = writer()
      const note = ada.event({ kind: 14, tags: [['p', ada.pubkey]] })
      await (await relays.gated.client()).store(wrapFor(ada.pubkey), note)
      const open = ['NEG-OPEN', 'n', { '#p': [ada.pubkey] }, '6100000200']
      const message = (...ids: string[]) => [
        'NEG-MSG',
        'n',
        `61000002${ids.length.toString(16).padStart(2, '0')}${ids.join('')}`,
      ]
      await (await relays.gated.client()).expects(open, [message(note.id)])
      const client = await holder(ada)
      client.send(open)
      expect(String((await client.next())[2])).toHaveLength(message(note.id, note.id)[2]!.length)
    })

    test('other kinds are for everybody', async () => {
      const ada = writer()
      const sealed = ada.event({ kind: 4, tags: [['p', ada.pubkey]] })
      const client = await relays.gated.client()
      await client.store(sealed)
      expect(await client.ids({ kinds: [4], '#p': [ada.pubkey] })).toEqual([sealed.id])
    })
  })
}
