// Counting (NIP-45), comparing (NIP-77), managing (NIP-86), and who may write what (specification: relay, 6 and 7).
import { createHash } from 'node:crypto'
import { nip77 } from 'nostr-tools'
import type { NostrEvent } from 'nostr-tools/pure'
import { describe, expect, test } from 'vitest'
import { authEvent, authorizationFor } from '../../support/wire-auth.js'
import type { WireClient } from '../../support/wire-client.js'
import { ids, now, type Person, person, writer } from '../../support/wire-people.js'
import { ADMIN, relays } from './relays.js'

const NOTHING = '6100000200'

/** Compares with the relay, by a library that is not ours. */
async function differences(client: WireClient, mine: readonly NostrEvent[], filter: object) {
  const storage = new nip77.NegentropyStorageVector()
  for (const { created_at, id } of mine) storage.insert(created_at, id)
  storage.seal()
  const negentropy = new nip77.Negentropy(storage, 60_000)
  const [have, need]: [string[], string[]] = [[], []]
  let message: string | null = negentropy.initiate()
  for (let verb = 'NEG-OPEN'; message !== null; verb = 'NEG-MSG') {
    client.send(verb === 'NEG-OPEN' ? [verb, 'n', filter, message] : [verb, 'n', message])
    const answer = await client.next()
    expect(answer.slice(0, 2)).toEqual(['NEG-MSG', 'n'])
    message = negentropy.reconcile(
      String(answer[2]),
      (id) => have.push(id),
      (id) => need.push(id),
    )
  }
  client.send(['NEG-CLOSE', 'n'])
  return { have: have.sort(), need: need.sort() }
}

export function describeCounting(): void {
  describe('COUNT (NIP-45)', () => {
    test('counts what filters match together, each event once, whatever the limits', async () => {
      const client = await relays.open.client()
      const who = writer()
      const events = [1, 1, 7].map((kind) => who.event({ kind }))
      await client.store(...events)
      const by = { authors: [who.pubkey] }
      expect(await client.count(by)).toEqual({ count: 3 })
      expect(await client.count({ ...by, limit: 1 })).toEqual({ count: 3 })
      expect(await client.count({ ...by, limit: 0 })).toEqual({ count: 3 })
      expect(await client.count({ ...by, kinds: [1] }, { ...by, kinds: [7] })).toEqual({ count: 3 })
      expect(await client.count({ ...by, kinds: [1] }, by)).toEqual({ count: 3 })
      expect(await client.count({ ...by, since: now() + 900 })).toEqual({ count: 0 })
      expect(await client.count({ ids: [] })).toEqual({ count: 0 })
      expect(await client.count({ ...by, search: 'x' })).toEqual({ count: 0 })
    })

    test('does not count what was replaced or deleted', async () => {
      const client = await relays.open.client()
      const who = writer()
      const event = who.event()
      await client.store(who.event({ kind: 0, created_at: now() - 5 }), who.event({ kind: 0 }), event)
      await client.store(who.deletion([['e', event.id]]))
      expect(await client.count({ authors: [who.pubkey] })).toEqual({ count: 2 })
    })

    test.each([
      ['no filter', [], 'invalid: no filter'],
      ['a bad filter', [{ kinds: ['1'] }], 'invalid: kinds holds whole numbers from 0 to 65535, not "1"'],
    ])('with %s is closed', async (_what, filters, text) => {
      await (await relays.open.client()).expects(['COUNT', 'c', ...filters], [['CLOSED', 'c', text]])
    })

    test('leaves a subscription of the same name alone', async () => {
      const client = await relays.open.client()
      const event = writer().event()
      const filter = { authors: [event.pubkey] }
      await client.expects(['REQ', 's', filter], [['EOSE', 's']])
      await client.expects(['COUNT', 's', filter], [['COUNT', 's', { count: 0 }]])
      await client.expects(
        ['EVENT', event],
        [
          ['OK', event.id, true, ''],
          ['EVENT', 's', event],
        ],
      )
    })

    test('is closed where it is off', async () => {
      const client = await relays.asking.client()
      await client.expects(['COUNT', 'c', {}], [['CLOSED', 'c', 'unsupported: COUNT is switched off']])
    })
  })

  describe('comparing sets (NIP-77)', () => {
    test('finds exactly what differs', async () => {
      const client = await relays.open.client()
      const who = writer()
      const events = Array.from({ length: 150 }, (_, n) =>
        who.event({ kind: 4242, created_at: now() - 500 + (n >> 1) }),
      )
      const [theirs, mine] = [events.slice(0, 120), events.slice(20)]
      for (const event of theirs) client.send(['EVENT', event])
      await client.take(theirs.length)
      const filter = { authors: [who.pubkey] }
      const sorted = (some: readonly NostrEvent[]) => [...ids(some)].sort()
      expect(await differences(client, mine, filter)).toEqual({
        have: sorted(events.slice(120)),
        need: sorted(events.slice(0, 20)),
      })
      expect(await differences(client, theirs, filter)).toEqual({ have: [], need: [] })
      expect(await differences(client, [], filter)).toEqual({ have: [], need: sorted(theirs) })
      expect(await differences(client, theirs, { ...filter, kinds: [1] })).toEqual({ have: sorted(theirs), need: [] })
      expect(await differences(client, [], { ...filter, since: events[100]!.created_at })).toEqual({
        have: [],
        need: sorted(events.slice(100, 120)),
      })
    })

    test.each([
      ['a message that is no hex', [{ ids: [] }, 'xyz'], ['NEG-ERR', 'n', 'PROTOCOL-ERROR']],
      ['half a byte', [{ ids: [] }, '610'], ['NEG-ERR', 'n', 'PROTOCOL-ERROR']],
      ['no message', [{ ids: [] }], ['NEG-ERR', 'n', 'PROTOCOL-ERROR']],
      ['a message that ends too early', [{ ids: [] }, '6100'], ['NEG-ERR', 'n', 'PROTOCOL-ERROR']],
      ['another version', [{ ids: [] }, '6200'], ['NEG-MSG', 'n', '61']],
      ['what is no version', [{ ids: [] }, '00'], ['NEG-ERR', 'n', 'PROTOCOL-ERROR']],
      [
        'a bad filter',
        [{ kinds: ['1'] }, NOTHING],
        ['NEG-ERR', 'n', 'invalid: kinds holds whole numbers from 0 to 65535, not "1"'],
      ],
      ['a good question', [{ ids: [] }, NOTHING], ['NEG-MSG', 'n', NOTHING]],
    ])('NEG-OPEN with %s', async (_what, rest, answer) => {
      await (await relays.open.client()).expects(['NEG-OPEN', 'n', ...rest], [answer])
    })

    test('NEG-MSG of an unknown session is an error, and NEG-CLOSE of it is silent', async () => {
      const client = await relays.open.client()
      await client.expects(['NEG-MSG', 'n', NOTHING], [['NEG-ERR', 'n', 'closed: unknown subscription handle']])
      await client.expects(['NEG-CLOSE', 'n'], [])
    })

    test('a set that is too large is refused with the bound', async () => {
      const recipient = writer()
      const client = await relays.strict.client()
      await client.publish(
        authEvent(recipient, { relay: relays.strict.address, challenge: await client.challenge() }),
        'AUTH',
      )
      await client.store(...[1, 2, 3].map((n) => recipient.event({ content: `${n}` })))
      const refusal = ['NEG-ERR', 'n', 'blocked: too many query results', 2]
      await client.expects(['NEG-OPEN', 'n', { authors: [recipient.pubkey] }, NOTHING], [refusal])
    })

    test.each(['NEG-OPEN', 'NEG-MSG', 'NEG-CLOSE'])('%s where it is off is answered with a NOTICE', async (verb) => {
      const client = await relays.asking.client()
      await client.expects([verb, 'n', {}, NOTHING], [['NOTICE', 'invalid: negentropy is switched off']])
    })
  })
}

export function describeWriting(): void {
  describe('who may write what', () => {
    const stranger = person('stranger')
    const p = ['p', stranger.pubkey]
    const [KIND, AUTHORS] = [
      'blocked: event kind not accepted by this relay',
      'blocked: this relay accepts public notes only from authorized authors',
    ]
    const [EXTRA, MISSING_RECIPIENT] = [
      'blocked: gift wrap has extraneous tags',
      'blocked: gift wrap missing recipient',
    ]
    test.each<[string, { kind: number; tags?: string[][] }, string]>([
      ['a profile', { kind: 0 }, ''],
      ['a note', { kind: 1 }, AUTHORS],
      ['an article', { kind: 30_023, tags: [['d', 'x']] }, AUTHORS],
      ['a kind that is not listed', { kind: 6 }, KIND],
      ['a zap', { kind: 9735 }, KIND],
      ['an ephemeral kind that is not listed', { kind: 20_001 }, KIND],
      ['an ephemeral kind that is', { kind: 24_140 }, ''],
      ['a gift wrap', { kind: 1059, tags: [p] }, ''],
      ['a gift wrap with a hint', { kind: 1059, tags: [[...p, 'wss://relay.example']] }, ''],
      [
        'a gift wrap that ends',
        { kind: 1059, tags: [p, ['expiration', '9999999999']] },
        'blocked: expiration not allowed on gift wraps',
      ],
      ['a gift wrap without a recipient', { kind: 1059 }, MISSING_RECIPIENT],
      ['a gift wrap to two', { kind: 1059, tags: [p, p] }, MISSING_RECIPIENT],
      ['a gift wrap to no key', { kind: 1059, tags: [['p', 'x']] }, MISSING_RECIPIENT],
      [
        'a gift wrap to a key in capitals',
        { kind: 1059, tags: [['p', stranger.pubkey.toUpperCase()]] },
        MISSING_RECIPIENT,
      ],
      ['a gift wrap with another tag', { kind: 1059, tags: [p, ['t', 'x']] }, EXTRA],
      ['a gift wrap with an empty word', { kind: 1059, tags: [p, ['']] }, EXTRA],
    ])('%s of a stranger', async (_what, template, text) => {
      expect(await (await relays.usual.client()).publish(stranger.event(template))).toEqual([text === '', text])
    })

    test('all 25 kinds of the list and no other of those that matter', async () => {
      const KINDS = [
        0, 1, 3, 5, 7, 13, 14, 16, 17, 1059, 1111, 10000, 10002, 10050, 24133, 24140, 27235, 30000, 30003, 30023, 30078,
        30402, 30405, 30406, 31990,
      ]
      const asked = [
        ...KINDS,
        2,
        4,
        6,
        8,
        18,
        40,
        1060,
        1984,
        9734,
        9735,
        10001,
        20000,
        22242,
        24134,
        25910,
        30017,
        30018,
        30024,
        40000,
        65535,
      ]
      const client = await relays.usual.client()
      const taken: number[] = []
      for (const kind of asked) {
        const [, text] = await client.publish(stranger.event({ kind, tags: kind === 1059 ? [p] : [] }))
        if (!text.startsWith('blocked: event kind') && !text.startsWith('blocked: an AUTH')) taken.push(kind)
      }
      expect(taken).toEqual(KINDS)
    })

    test('notes are taken from those on the list', async () => {
      expect(await (await relays.open.client()).publish(writer().event())).toEqual([true, ''])
      expect(await (await relays.open.client()).publish(stranger.event())).toEqual([false, AUTHORS])
    })
  })

  describe('a plugin', () => {
    const FAILED = [false, 'error: internal error']
    test.each([
      ['accepts', 'yes', [true, ''], 1],
      ['accepts after noise', 'noise', [true, ''], 1],
      ['rejects with its text', 'no', [false, 'blocked: the plugin says no'], 0],
      ['rejects in silence', 'shadow', [true, ''], 0],
      ['answers for another event', 'lie', FAILED, 0],
      ['gives an unknown answer', 'odd', FAILED, 0],
      ['ends', 'die', FAILED, 0],
      ['says nothing', 'hang', FAILED, 0],
    ])('that %s', async (_what, content, answer, stored) => {
      const client = await relays.asking.client()
      const event = writer().event({ content })
      expect(await client.publish(event)).toEqual(answer)
      expect(await client.ids({ ids: [event.id] })).toHaveLength(stored)
    })

    /** A plugin that failed is left alone for a while. */
    async function acceptedAgain(client: WireClient): Promise<void> {
      for (let tries = 0; tries < 40; tries++) {
        const [accepted, text] = await client.publish(writer().event())
        if (accepted) return
        expect(text).toBe('error: internal error')
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      throw new Error('it stays away')
    }

    test('that says nothing stops no reader', async () => {
      const [client, reader] = [await relays.asking.client(), await relays.asking.client()]
      await acceptedAgain(client)
      client.send(['EVENT', writer().event({ content: 'hang' })])
      let isAnswered = false
      const answer = client.next().finally(() => {
        isAnswered = true
      })
      await reader.expects(['REQ', 's', { limit: 1, kinds: [100] }], [['EOSE', 's']])
      expect(isAnswered).toBe(false)
      expect((await answer).slice(2)).toEqual([false, 'error: internal error'])
    })

    test('is not asked about what the relay refuses by itself, and works again after it failed', async () => {
      const client = await relays.asking.client()
      const event = writer().event({ content: 'hang', created_at: 0 })
      expect(await client.publish(event)).toEqual([false, 'invalid: created_at too early'])
      await acceptedAgain(client)
    })
  })
}

export function describeManaging(): void {
  describe('managing over HTTP (NIP-86)', () => {
    async function ask(
      who: Person | undefined,
      method: unknown,
      params: unknown = [],
      changes: { body?: string; url?: string } = {},
    ) {
      const body = changes.body ?? JSON.stringify({ method, params })
      const { address, port } = relays.gated
      const hash = createHash('sha256').update(JSON.stringify({ method, params })).digest('hex')
      const authorization = who && authorizationFor(who, changes.url ?? address, hash)
      const answer = await fetch(`http://127.0.0.1:${port}/`, {
        method: 'POST',
        headers: { 'content-type': 'application/nostr+json+rpc', ...(authorization && { authorization }) },
        body,
      })
      return {
        status: answer.status,
        headers: answer.headers,
        body: (await answer.json()) as { result?: unknown; error?: string },
      }
    }
    const done = async (method: string, ...params: readonly unknown[]) => {
      const { status, body } = await ask(ADMIN, method, params)
      expect([status, body.error]).toEqual([200, undefined])
      return body.result
    }

    test('lists its methods', async () => {
      expect(await done('supportedmethods')).toEqual(
        expect.arrayContaining([
          'banpubkey',
          'allowpubkey',
          'banevent',
          'changerelayname',
          'allowkind',
          'disallowkind',
          'blockip',
          'listblockedips',
        ]),
      )
    })

    test.each<[string, Parameters<typeof ask>, number]>([
      ['no key', [undefined, 'supportedmethods'], 401],
      ['a stranger', [writer(), 'supportedmethods'], 403],
      [
        'another body than was signed',
        [ADMIN, 'supportedmethods', [], { body: '{"method":"banpubkey","params":[]}' }],
        401,
      ],
      ['another relay', [ADMIN, 'supportedmethods', [], { url: 'wss://other.example' }], 401],
    ])('is refused for %s', async (_what, asked, status) => {
      const answer = await ask(...asked)
      expect(answer.status).toBe(status)
      expect(answer.body.error).toEqual(expect.any(String))
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    })

    test('a banned key does not publish until it is let again', async () => {
      const client = await relays.gated.client()
      const who = writer()
      expect(await done('banpubkey', who.pubkey, 'noise')).toBe(true)
      expect(await done('listbannedpubkeys')).toEqual([{ pubkey: who.pubkey, reason: 'noise' }])
      expect(await client.publish(who.event())).toEqual([false, 'blocked: this key may not publish to this relay'])
      expect(await done('unbanpubkey', who.pubkey)).toBe(true)
      expect(await client.publish(who.event())).toEqual([true, ''])
    })

    test('a banned event goes and does not come back', async () => {
      const client = await relays.gated.client()
      const event = writer().event()
      await client.store(event)
      expect(await done('banevent', event.id)).toBe(true)
      expect((await client.publish(event))[1]).toBe('blocked: this event was removed by the operator')
      expect(await client.ids({ ids: [event.id] })).toEqual([])
    })

    test('an allowed key publishes notes', async () => {
      const client = await relays.gated.client()
      const who = person('newcomer')
      expect((await client.publish(who.event()))[0]).toBe(false)
      expect(await done('allowpubkey', who.pubkey)).toBe(true)
      expect(await client.publish(who.event())).toEqual([true, ''])
    })

    test('a kind is taken away and given back', async () => {
      const client = await relays.gated.client()
      expect(await done('disallowkind', 7)).toBe(true)
      expect((await client.publish(writer().event({ kind: 7 })))[1]).toBe(
        'blocked: event kind not accepted by this relay',
      )
      expect(await done('allowkind', 7)).toBe(true)
      expect(await client.publish(writer().event({ kind: 7 }))).toEqual([true, ''])
    })

    test('name and description change in the document at once', async () => {
      expect(await done('changerelayname', 'Another name')).toBe(true)
      expect(await done('changerelaydescription', 'Another line')).toBe(true)
      const answer = await fetch(`http://127.0.0.1:${relays.gated.port}/`, {
        headers: { accept: 'application/nostr+json' },
      })
      expect(await answer.json()).toMatchObject({ name: 'Another name', description: 'Another line' })
    })

    test('nonsense is refused', async () => {
      expect((await ask(ADMIN, 'dance')).body.error).toMatch(/^unsupported method/)
      expect((await ask(ADMIN, 'banpubkey', ['x'])).body.error).toMatch(/^invalid: /)
      expect((await ask(ADMIN, 7)).status).toBe(400)
    })

    test('is not offered without admins', async () => {
      const answer = await fetch(`http://127.0.0.1:${relays.usual.port}/`, {
        method: 'POST',
        headers: { 'content-type': 'application/nostr+json+rpc' },
        body: '{"method":"supportedmethods","params":[]}',
      })
      expect([401, 404, 415]).toContain(answer.status)
    })
  })
}
