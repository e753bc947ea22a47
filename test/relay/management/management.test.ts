// NIP-86 without HTTP: who may ask, and every method.
import { describe, expect, test } from 'vitest'
import { httpAuthHeader } from '../../../src/nostr/http-auth/index.js'
import { createInfo, createManagement } from '../../../src/relay/management/management.js'
import { MANAGEMENT_METHODS, type ManagementParts } from '../../../src/relay/management/methods.js'
import { applyChange, createTerms, DEFAULT_POLICY, type ListChange, NO_LISTS } from '../../../src/relay/policy/index.js'
import { createFakeClock } from '../../support/fake-clock.js'
import { keyPairOf, seededRandom } from '../../support/nostr.js'
import { NOON } from '../../support/till-builders.js'

const [ada, eve] = [keyPairOf('ada'), keyPairOf('eve')]
const [KEY, ID] = ['c1'.repeat(32), 'e1'.repeat(32)] as const
const URL = 'wss://relay.example'
const random = seededRandom('management')

interface Signing {
  readonly secret?: typeof ada.secret
  readonly url?: string
  readonly method?: string
  readonly body?: string
  readonly now?: number
}

/** It started ten seconds ago: what was signed before may have been used with an earlier process. */
const AGE_MS = 10_000

function aRelay({
  admins = [ada.pubkey],
  relayUrls = [URL, 'wss://second.example/'],
  ms = 0,
  kinds = DEFAULT_POLICY.kinds,
  claimUse,
}: {
  readonly admins?: readonly string[]
  readonly relayUrls?: readonly string[]
  readonly ms?: number
  readonly kinds?: typeof DEFAULT_POLICY.kinds
  readonly claimUse?: ManagementParts['claimUse']
} = {}) {
  const clock = createFakeClock(NOON - AGE_MS + ms)
  let current = NO_LISTS
  const changes: (ListChange & { by: string })[] = []
  const lists = {
    current: () => current,
    async change(change: ListChange, by: string) {
      current = applyChange(current, change, clock.now())
      changes.push({ ...change, by })
    },
  }
  const terms = createTerms({ ...DEFAULT_POLICY, kinds }, lists)
  const startAgain = () => createManagement({ relayUrls, admins, lists, kinds: () => terms().kinds, clock, claimUse })
  const manage = startAgain()
  void clock.advance(AGE_MS)

  const sign = (body: string, { secret = ada.secret, url = 'https://relay.example', ...changes }: Signing = {}) =>
    httpAuthHeader({
      url,
      method: changes.method ?? 'POST',
      body: Buffer.from(changes.body ?? body),
      secret,
      now: changes.now ?? clock.now(),
      random,
    })

  const send = (body: string, signing?: Signing) =>
    manage({ authorization: sign(body, signing), body: Buffer.from(body) })
  return {
    clock,
    lists,
    changes,
    manage,
    startAgain,
    sign,
    send,
    /** A second later than the one before: of one second two equal requests are one event. */
    async ask(method: string, ...params: unknown[]): Promise<unknown> {
      await clock.advance(1000)
      const { status, body } = await send(JSON.stringify({ method, params }))
      return status === 200 && 'result' in body ? body.result : { status, ...body }
    },
  }
}

const BODY = JSON.stringify({ method: 'listbannedpubkeys', params: [] })

describe('who may ask', () => {
  test('a key of the settings, and one of the lists', async () => {
    const relay = aRelay()
    expect((await relay.send(BODY)).status).toBe(200)
    expect((await relay.send(BODY, { secret: eve.secret })).status).toBe(403)
    await relay.lists.change({ do: 'add', list: 'admins', entry: eve.pubkey, reason: '' }, 'command')
    expect((await relay.send(BODY, { secret: eve.secret })).status).toBe(200)
  })

  test.each(['wss://relay.example', 'wss://relay.example/', 'https://relay.example/', 'https://second.example'])(
    'for the address %s',
    async (url) => {
      expect((await aRelay().send(BODY, { url })).status).toBe(200)
    },
  )

  test.each<[string, Signing, string]>([
    ['another address', { url: 'https://elsewhere.example' }, 'auth event url mismatch'],
    ['another method', { method: 'GET' }, 'auth event method mismatch'],
    ['another body', { body: `${BODY} ` }, 'auth event payload hash mismatch'],
    ['no body', { body: '' }, 'auth event missing payload hash'],
  ])('not with a signature for %s', async (_what, signing, error) => {
    expect(await aRelay().send(BODY, signing)).toEqual({ status: 401, body: { error } })
  })

  test('of several front ends only one accepts a signature', async () => {
    const uses = new Set<string>()
    const claimUse = async (id: string) => uses.size < uses.add(id).size
    const [one, two] = [aRelay({ claimUse }), aRelay({ claimUse })]
    const request = { authorization: one.sign(BODY), body: Buffer.from(BODY) }
    const answers = await Promise.all([one.manage(request), two.manage(request)])
    expect(answers.map(({ status }) => status)).toEqual([200, 401])
    expect(answers[1]?.body).toEqual({ error: 'auth event replayed' })
  })

  test('not too late, and not too early', async () => {
    const { clock, sign, manage } = aRelay()
    const body = Buffer.from(BODY)
    const old = sign(BODY)
    await clock.advance(61_000)
    expect((await manage({ authorization: old, body })).status).toBe(401)
    expect((await manage({ authorization: sign(BODY, { now: clock.now() + 7000 }), body })).status).toBe(401)
    expect((await manage({ authorization: sign(BODY, { now: clock.now() - 59_000 }), body })).status).toBe(200)
  })

  test('not twice, and not with what an earlier process may have taken', async () => {
    const { clock, sign, manage } = aRelay()
    const [authorization, body] = [sign(BODY), Buffer.from(BODY)]
    expect((await manage({ authorization, body })).status).toBe(200)
    expect(await manage({ authorization, body })).toEqual({ status: 401, body: { error: 'auth event replayed' } })
    const early = sign(BODY, { now: clock.now() - AGE_MS - 1000 })
    expect(await manage({ authorization: early, body })).toMatchObject({ status: 401 })
  })

  test.each([0, 400])(
    'not again after a restart, signed by a clock that is five seconds ahead (%d ms into a second)',
    async (ms) => {
      const { clock, manage, startAgain, sign } = aRelay({ ms })
      const [authorization, body] = [sign(BODY, { now: clock.now() + 5000 }), Buffer.from(BODY)]
      expect((await manage({ authorization, body })).status).toBe(200)
      await clock.advance(1)
      const restarted = startAgain()
      expect(await restarted({ authorization, body })).toEqual({
        status: 401,
        body: { error: 'auth event is older than this process: sign it again 5 seconds after the relay started' },
      })
      await clock.advance(6000)
      expect((await restarted({ authorization: sign(BODY), body })).status).toBe(200)
    },
  )

  test('not with a broken signature, a broken header or none', async () => {
    const { sign, manage } = aRelay()
    const body = Buffer.from(BODY)
    const event = JSON.parse(Buffer.from(sign(BODY).slice('Nostr '.length), 'base64').toString())
    const forged = { ...event, pubkey: eve.pubkey }
    const broken = { ...event, sig: event.sig.replace(/^./, (first: string) => (first === '0' ? '1' : '0')) }
    const headers = [forged, broken].map((one) => `Nostr ${Buffer.from(JSON.stringify(one)).toString('base64')}`)
    for (const authorization of [...headers, 'Nostr', 'Nostr !', 'Bearer abc', '', undefined])
      expect((await manage({ authorization, body })).status, authorization).toBe(401)
  })

  test('no key, where the relay has no address or no admins', async () => {
    expect((await aRelay({ relayUrls: [] }).send(BODY)).status).toBe(401)
    expect((await aRelay({ admins: [] }).send(BODY)).status).toBe(403)
  })

  test('requests of strangers are not remembered: a flood of them shuts no manager out', async () => {
    const relay = aRelay()
    for (let n = 0; n < 30; n++) await relay.send(BODY, { secret: eve.secret })
    expect((await relay.send(BODY)).status).toBe(200)
  })
})

describe('what is no request', () => {
  test('a member that NIP-86 does not have is refused by name; those of JSON-RPC do no harm', async () => {
    const { send } = aRelay()
    const body = { method: 'banpubkey', params: [KEY], id: 1, jsonrpc: '2.0' }
    expect(await send(JSON.stringify(body))).toMatchObject({ status: 200 })
    expect(await send(JSON.stringify({ method: 'listbannedpubkeys', parms: [] }))).toEqual({
      status: 400,
      body: { error: 'invalid: unknown member "parms"' },
    })
  })

  test.each(['', 'nonsense', '[]', '5', '{}', '{"method":5}', '{"method":"banpubkey","params":{}}'])(
    '%j',
    async (body) => {
      expect((await aRelay().send(body)).status).toBe(400)
    },
  )

  test('an unknown method, also one that every object has', async () => {
    for (const method of ['bankey', 'constructor', '__proto__', 'toString'])
      expect(await aRelay().ask(method)).toEqual({ status: 200, error: `unsupported method: ${method}` })
  })
})

describe('methods', () => {
  test('are listed, all but the one that lists them', async () => {
    const names = await aRelay().ask('supportedmethods')
    expect(names).toEqual(Object.keys(MANAGEMENT_METHODS).slice(1))
    expect(names).toHaveLength(21)
  })

  test('keys are banned and allowed, never both', async () => {
    const relay = aRelay()
    expect(await relay.ask('banpubkey', KEY, 'spam')).toBe(true)
    expect(await relay.ask('listbannedpubkeys')).toEqual([{ pubkey: KEY, reason: 'spam' }])
    expect(await relay.ask('allowpubkey', KEY.toUpperCase())).toBe(true)
    expect(await relay.ask('listbannedpubkeys')).toEqual([])
    expect(await relay.ask('listallowedpubkeys')).toEqual([{ pubkey: KEY }])
    expect(await relay.ask('unallowpubkey', KEY)).toBe(true)
    expect(await relay.ask('listallowedpubkeys')).toEqual([])
    await relay.ask('banpubkey', KEY)
    expect(await relay.ask('unbanpubkey', KEY)).toBe(true)
    expect(relay.lists.current().bannedKeys).toEqual(new Map())
  })

  test('events are banned and allowed again', async () => {
    const relay = aRelay()
    expect(await relay.ask('banevent', ID, 'illegal')).toBe(true)
    expect(await relay.ask('listbannedevents')).toEqual([{ id: ID, reason: 'illegal' }])
    for (const method of ['allowevent', 'unbanevent']) {
      await relay.ask('banevent', ID)
      expect(await relay.ask(method, ID)).toBe(true)
      expect(await relay.ask('listbannedevents')).toEqual([])
    }
    expect(await relay.ask('listeventsneedingmoderation')).toEqual([])
  })

  test('kinds are taken or not', async () => {
    const relay = aRelay()
    expect(await relay.ask('listallowedkinds')).toEqual([...DEFAULT_POLICY.kinds])
    expect(await relay.ask('allowkind', 4)).toBe(true)
    expect(await relay.ask('disallowkind', 0)).toBe(true)
    const kinds = await relay.ask('listallowedkinds')
    expect(kinds).toContain(4)
    expect(kinds).not.toContain(0)
    expect(await relay.ask('listdisallowedkinds')).toEqual([0])
    expect(await relay.ask('allowkind', 0)).toBe(true)
    expect(await relay.ask('listdisallowedkinds')).toEqual([])
    expect(await relay.ask('allowkind', 22242)).toMatchObject({ error: expect.stringContaining('never stored') })
  })

  test('where all kinds are accepted the list is empty, also with exceptions', async () => {
    const relay = aRelay({ kinds: [{ first: 0, last: 65_535 }] })
    expect(await relay.ask('listallowedkinds')).toEqual([])
    await relay.ask('disallowkind', 7)
    expect(await relay.ask('listallowedkinds')).toEqual([])
    expect(await relay.ask('listdisallowedkinds')).toEqual([7])
  })

  test('the list has short ranges kind by kind, and no long ones', async () => {
    const short = { first: 30_000, last: 30_099 }
    const relay = aRelay({ kinds: [1, { first: 20_000, last: 29_999 }, short] })
    await relay.ask('disallowkind', 30_001)
    const kinds = (await relay.ask('listallowedkinds')) as readonly number[]
    expect(kinds).toHaveLength(100)
    expect(kinds.slice(0, 4)).toEqual([1, 30_000, 30_002, 30_003])
  })

  test('addresses are blocked', async () => {
    const relay = aRelay()
    expect(await relay.ask('blockip', '203.0.113.7', 'flood')).toBe(true)
    expect(await relay.ask('blockip', '2001:DB8::/32')).toBe(true)
    expect(await relay.ask('listblockedips')).toEqual([{ ip: '203.0.113.7', reason: 'flood' }, { ip: '2001:db8::/32' }])
    expect(await relay.ask('unblockip', '203.0.113.7')).toBe(true)
    expect(await relay.ask('listblockedips')).toEqual([{ ip: '2001:db8::/32' }])
  })

  test('the relay gets another name, description and picture, and its own again', async () => {
    const relay = aRelay()
    const settings = { name: 'before', description: 'old', icon: undefined } as Parameters<typeof createInfo>[0]
    const info = createInfo(settings, relay.lists)
    const first = info()
    expect(first).toEqual(settings)
    await relay.ask('changerelayname', 'after')
    await relay.ask('changerelaydescription', 'new')
    await relay.ask('changerelayicon', 'https://relay.example/icon.png')
    expect(info()).toMatchObject({ name: 'after', description: 'new', icon: 'https://relay.example/icon.png' })
    expect(info()).toBe(info())
    await relay.ask('changerelayname', '')
    expect(info().name).toBe('before')
  })

  test.each<[string, unknown]>([
    ['banpubkey', 'dead'],
    ['banpubkey', undefined],
    ['banpubkey', null],
    ['banpubkey', [KEY]],
    ['unbanpubkey', 5],
    ['allowpubkey', `${KEY}0`],
    ['banevent', 'zz'.repeat(32)],
    ['allowevent', ''],
    ['allowkind', -1],
    ['allowkind', 1.5],
    ['allowkind', 65_536],
    ['disallowkind', 'one'],
    ['blockip', 'example.org'],
    ['blockip', '203.0.113.7/33'],
    ['unblockip', '203.0.113'],
    ['changerelayname', 5],
    ['changerelayname', 'x'.repeat(2001)],
  ])('%s refuses %j and changes nothing', async (method, param) => {
    const relay = aRelay()
    expect(await relay.ask(method, param)).toEqual({ status: 200, error: expect.stringMatching(/^invalid: /) })
    expect(relay.changes).toEqual([])
  })

  test('every change names the manager', async () => {
    const relay = aRelay()
    await relay.ask('banpubkey', KEY, 'spam')
    expect(relay.changes).toEqual([{ do: 'add', list: 'bannedKeys', entry: KEY, reason: 'spam', by: ada.pubkey }])
  })
})
