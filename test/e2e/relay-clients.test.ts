// SimplePool of nostr-tools, as wallets and web pages use it, on the relay as built; and its operator at the console.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { EventTemplate, Filter, NostrEvent } from 'nostr-tools'
import * as nip11 from 'nostr-tools/nip11'
import * as nip59 from 'nostr-tools/nip59'
import { SimplePool, useWebSocketImplementation } from 'nostr-tools/pool'
import { finalizeEvent, generateSecretKey, getPublicKey } from 'nostr-tools/pure'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import { systemClock } from '../../src/system/index.js'
import { formFields } from '../support/console-app.js'
import { type RelayProcess, startRelay } from '../support/relay-process.js'
import { cleanEnvironment, freePort, ROOT } from '../support/till-process.js'

useWebSocketImplementation(WebSocket)

const REACTION = 7
const PROTECTED = 'this event may only be published by its author'
const pools: SimplePool[] = []
afterEach(() => {
  for (const pool of pools.splice(0)) pool.destroy()
})

function keyPairOf() {
  const secret = generateSecretKey()
  const now = () => Math.floor(systemClock.now() / 1000)
  return {
    secret,
    pubkey: getPublicKey(secret),
    event: (kind: number, tags: string[][] = [], content = '') =>
      finalizeEvent({ kind, tags, content, created_at: now() }, secret),
    onauth: async (template: EventTemplate) => finalizeEvent(template, secret),
  }
}
type KeyPair = ReturnType<typeof keyPairOf>

function aPool(): SimplePool {
  const pool = new SimplePool()
  pools.push(pool)
  return pool
}

/** With a key, the relay's challenge is answered when it asks for that. */
const publish = (relay: RelayProcess, pool: SimplePool, event: NostrEvent, as?: KeyPair) =>
  Promise.all(pool.publish([relay.address], event, as && { onauth: as.onauth }))

/** What is stored, as far as it is shown. */
async function read(relay: RelayProcess, filter: Filter, as?: KeyPair): Promise<readonly NostrEvent[]> {
  const seen: NostrEvent[] = []
  const asked = as && { onauth: as.onauth }
  await new Promise<void>((done) => {
    const onevent = (event: NostrEvent) => seen.push(event)
    aPool().subscribeManyEose([relay.address], filter, { onevent, onclose: () => done(), ...asked })
  })
  return seen
}

/** By the command of the operator; a browser without scripts. */
async function signInByLink({ config }: RelayProcess) {
  const words = ['console', 'open', '--daemon', 'relay', '--settings', config, '--name', 'anna']
  const options = { encoding: 'utf8', env: cleanEnvironment({ HOME: dirname(config) }) } as const
  const { stdout } = spawnSync(process.execPath, [join(ROOT, 'bin/run.js'), ...words], options)
  const link = stdout.trim()
  const entered = await fetch(link, { method: 'POST' })
  const [cookie = ''] = (entered.headers.get('set-cookie') ?? '').split(';')
  const base = new URL('/console', link).href
  return {
    page: async (path: string) => (await fetch(base + path, { headers: { cookie } })).text(),
    post: (path: string, fields: Readonly<Record<string, string>>) =>
      fetch(base + path, {
        method: 'POST',
        headers: { cookie },
        body: new URLSearchParams(fields),
        redirect: 'manual',
      }),
  }
}

describe('SimplePool', () => {
  let relay: RelayProcess
  beforeAll(async () => {
    relay = await startRelay({
      'authorization.nip42_auth': true,
      'authorization.gift_wraps_to_recipient': true,
      'console.enabled': true,
      'console.bind': `127.0.0.1:${await freePort()}`,
    })
  })
  afterAll(() => relay?.remove())

  test('hears, finds and counts what another one publishes', async () => {
    const [author, reader] = [keyPairOf(), aPool()]
    const filter = { kinds: [REACTION], authors: [author.pubkey] }
    const heard: object[] = []
    await new Promise<void>((oneose) => {
      reader.subscribeMany([relay.address], filter, { onevent: (event) => heard.push(event), oneose })
    })
    const event = author.event(REACTION, [], '+')
    await publish(relay, aPool(), event)
    await vi.waitFor(() => expect(heard).toMatchObject([{ id: event.id, sig: event.sig }]), 10_000)
    expect(await reader.querySync([relay.address], filter)).toMatchObject([{ id: event.id }])
    expect(await (await reader.ensureRelay(relay.address)).count([filter], {})).toBe(1)
  })

  test('deletes, for good', async () => {
    const [author, pool] = [keyPairOf(), aPool()]
    const event = author.event(REACTION, [], '+')
    await publish(relay, pool, event)
    await publish(relay, pool, author.event(5, [['e', event.id]]))
    expect(await pool.querySync([relay.address], { ids: [event.id] })).toEqual([])
    await expect(publish(relay, pool, event)).rejects.toThrow('deleted: user requested deletion')
  })

  test('replaces a profile by a newer one, and not by an older one', async () => {
    const [author, pool] = [keyPairOf(), aPool()]
    const older = author.event(0, [], '{"name":"a"}')
    const newer = finalizeEvent({ ...older, created_at: older.created_at + 1, content: '{"name":"b"}' }, author.secret)
    await publish(relay, pool, older)
    await publish(relay, pool, newer)
    expect(await pool.get([relay.address], { kinds: [0], authors: [author.pubkey] })).toMatchObject({ id: newer.id })
    await expect(publish(relay, pool, older)).rejects.toThrow('replaced: have newer event')
  })

  test('authenticates when it is asked to, and publishes again by itself', async () => {
    const [author, other] = [keyPairOf(), keyPairOf()]
    const event = author.event(REACTION, [['-']], '+')
    await expect(publish(relay, aPool(), event)).rejects.toThrow(`auth-required: ${PROTECTED}`)
    await expect(publish(relay, aPool(), event, other)).rejects.toThrow(`restricted: ${PROTECTED}`)
    await publish(relay, aPool(), event, author)
    expect(await aPool().querySync([relay.address], { ids: [event.id] })).toMatchObject([{ id: event.id }])
  })

  test('a gift wrap is seen by its recipient alone, stored and live', async () => {
    const [sender, recipient, stranger] = [keyPairOf(), keyPairOf(), keyPairOf()]
    const wrap = (content: string) => nip59.wrapEvent({ kind: 14, content }, sender.secret, recipient.pubkey)
    const filter = { kinds: [1059], '#p': [recipient.pubkey] }
    const stored = wrap('for you')
    await publish(relay, aPool(), stored)
    expect(await read(relay, filter)).toEqual([])
    expect(await read(relay, filter, stranger)).toEqual([])
    const [found] = await read(relay, filter, recipient)
    expect(found && nip59.unwrapEvent(found, recipient.secret).content).toBe('for you')

    const inbox: string[] = []
    await new Promise<void>((oneose) => {
      const onevent = (event: NostrEvent) => inbox.push(nip59.unwrapEvent(event, recipient.secret).content)
      aPool().subscribeMany([relay.address], filter, { onevent, oneose, onauth: recipient.onauth })
    })
    await publish(relay, aPool(), wrap('and this'))
    await vi.waitFor(() => expect(inbox).toContain('and this'), 10_000)
  })

  test('a client that must authenticate before reading gets the reason', async () => {
    const reasons = await new Promise<readonly { readonly reason: string }[]>((onclose) => {
      aPool().subscribeMany([relay.address], { kinds: [1059] }, { onclose })
    })
    expect(reasons).toMatchObject([{ reason: expect.stringMatching(/^auth-required: /) }])
  })

  test('is banned by a person at the console, who signed in by a link, and sees what was refused', async () => {
    const [spammer, friend] = [keyPairOf(), keyPairOf()]
    await publish(relay, aPool(), spammer.event(REACTION, [], '+'))
    const person = await signInByLink(relay)
    expect(await person.page('/relay/today')).toMatch(/<h2 id="health">Ready/)
    const action = '/relay/lists/add'
    const fields = { ...formFields(await person.page('/relay/lists'), `/console${action}`), entry: spammer.pubkey }
    const asked = await (await person.post(action, { ...fields, reason: 'spam' })).text()
    await publish(relay, aPool(), spammer.event(REACTION, [], '-'))
    expect((await person.post(action, formFields(asked, `/console${action}`))).status).toBe(303)
    const refusal = 'blocked: this key may not publish to this relay'
    await expect(publish(relay, aPool(), spammer.event(REACTION, [], '!'))).rejects.toThrow(refusal)
    await publish(relay, aPool(), friend.event(REACTION, [], '+'))
    const page = await person.page('/relay/today')
    expect(page).toContain(refusal)
    expect(page).toContain('7 reaction')
    expect(await person.page('/relay/lists')).toContain(spammer.pubkey)
    expect(readFileSync(join(dirname(relay.config), 'relay-audit.jsonl'), 'utf8')).toContain('"by":"console: anna"')
  })

  test('reads the document', async () => {
    const document = await nip11.fetchRelayInformation(relay.address)
    expect(document.supported_nips).toEqual([1, 2, 9, 11, 40, 42, 45, 59, 65, 70, 77])
    expect(document.limitation).toMatchObject({ max_message_length: expect.any(Number) })
  })
})

describe('a relay for everyone', () => {
  const DAY = 86_400
  let relay: RelayProcess
  beforeAll(async () => {
    relay = await startRelay({
      'authorization.public_note_authors': 'everyone',
      'limits.event_kind_allowlist': 'all',
      'options.reject_past_seconds': 0,
    })
  })
  afterAll(() => relay?.remove())

  /** Publishes and finds by id, with two clients. */
  const isKept = async (event: NostrEvent): Promise<boolean> => {
    await publish(relay, aPool(), event)
    return (await aPool().get([relay.address], { ids: [event.id] }))?.id === event.id
  }

  test('keeps notes, articles, reports and relay lists of a stranger, of any age', async () => {
    const author = keyPairOf()
    for (const kind of [1, 4, 6, 1984, 9735, 10_002, 30_023]) expect(await isKept(author.event(kind))).toBe(true)
    for (const created_at of [1, 1_000_000_000])
      expect(await isKept(finalizeEvent({ kind: 1, tags: [], content: 'old', created_at }, author.secret))).toBe(true)
  })

  test('forwards ephemeral events of the whole range, and keeps none', async () => {
    const [author, reader] = [keyPairOf(), aPool()]
    const filter = { kinds: [20_000, 29_999], authors: [author.pubkey] }
    const heard: number[] = []
    await new Promise<void>((oneose) => {
      reader.subscribeMany([relay.address], filter, { onevent: ({ kind }) => heard.push(kind), oneose })
    })
    for (const kind of filter.kinds) await publish(relay, aPool(), author.event(kind))
    await vi.waitFor(() => expect(heard).toEqual(filter.kinds), 10_000)
    expect(await aPool().querySync([relay.address], filter)).toEqual([])
  })

  test('replaces and deletes kinds that it does not know', async () => {
    const [author, pool] = [keyPairOf(), aPool()]
    const at = (kind: number, ago: number) =>
      finalizeEvent(
        { kind, tags: [['d', 'x']], content: '', created_at: Math.floor(systemClock.now() / 1000) - ago },
        author.secret,
      )
    for (const kind of [19_999, 39_999]) {
      const [older, newer] = [at(kind, 2 * DAY), at(kind, DAY)]
      for (const event of [older, newer]) await publish(relay, pool, event)
      const found = await pool.querySync([relay.address], { kinds: [kind], authors: [author.pubkey] })
      expect(found).toMatchObject([{ id: newer.id }])
      await publish(relay, pool, author.event(5, [['e', newer.id]]))
      expect(await pool.querySync([relay.address], { kinds: [kind], authors: [author.pubkey] })).toEqual([])
    }
  })

  test('keeps the rules of gift wraps, and stores no answer to a challenge', async () => {
    const author = keyPairOf()
    await expect(publish(relay, aPool(), author.event(1059))).rejects.toThrow('gift wrap missing recipient')
    await expect(publish(relay, aPool(), author.event(22_242))).rejects.toThrow('an AUTH event is for nobody else')
    expect(await isKept(nip59.wrapEvent({ kind: 14, content: '' }, author.secret, keyPairOf().pubkey))).toBe(true)
  })

  test('its document keeps no wallet away', async () => {
    const { limitation, supported_nips } = await nip11.fetchRelayInformation(relay.address)
    expect(limitation).not.toHaveProperty('created_at_lower_limit')
    expect(limitation).not.toHaveProperty('restricted_writes')
    expect(supported_nips).toEqual([1, 2, 4, 9, 11, 40, 45, 59, 65, 70, 77])
  })
})
