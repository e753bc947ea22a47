// The operator's lists and NIP-86 on the relay as it is composed, over real sockets.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import RelayBan from '../../src/commands/relay/ban.js'
import { changeRelayLists } from '../../src/daemons/relay-lists.js'
import { type NostrEvent, signEvent } from '../../src/nostr/event/index.js'
import { httpAuthHeader } from '../../src/nostr/http-auth/index.js'
import { systemClock, systemRandom } from '../../src/system/index.js'
import { keyPairOf } from '../support/nostr.js'
import { relayClient } from '../support/relay-client.js'
import { relayDaemon } from '../support/relay-daemon.js'
import { runCommandClass } from '../support/run-command.js'

const [ada, bob, eve] = [keyPairOf('ada'), keyPairOf('bob'), keyPairOf('eve')]
const TYPE = 'application/nostr+json+rpc'
const URL = 'wss://relay.example'
const SETTINGS = `[info]\nrelay_url = "${URL}"\nname = "before"\n[network]\ntrusted_proxies = ["127.0.0.1"]\n[management]\nadmins = ["${ada.pubkey}"]\n`

const cleanups: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function started(toml = SETTINGS) {
  const relay = await relayDaemon(toml)
  cleanups.push(relay.close)
  await relay.daemon.start()

  async function post(body: string, { by = ada, headers = {}, type = TYPE } = {}): Promise<Response> {
    const url = 'https://relay.example/'
    const signing = { url, method: 'POST', body: Buffer.from(body), now: systemClock.now(), random: systemRandom }
    const authorization = httpAuthHeader({ ...signing, secret: by.secret, extraTags: [['n', String(count++)]] })
    return relay.get('/', { method: 'POST', body, headers: { 'content-type': type, authorization, ...headers } })
  }
  const connect = () => relayClient(relay.daemon.address().replace('http', 'ws'))

  async function send(event: NostrEvent) {
    const client = await connect()
    client.send(['EVENT', event])
    const answer = (await client.until('OK')).at(-1)
    client.close()
    expect(answer?.[1]).toBe(event.id)
    return { ok: answer?.[2], text: answer?.[3] }
  }

  return {
    ...relay,
    post,
    async ask(method: string, ...params: unknown[]) {
      return (await post(JSON.stringify({ method, params }))).json()
    },
    send,
    async publish(by: typeof ada, changes: object = {}) {
      const created_at = Math.floor(systemClock.now() / 1000)
      const template = { kind: 0, created_at, tags: [], content: '{}', ...changes }
      const event = signEvent(template, by.secret, systemRandom)
      return { event, ...(await send(event)) }
    },
    /** Ids of stored events. */
    async found(id: string) {
      const client = await connect()
      client.send(['REQ', 'found', { ids: [id] }])
      const answers = await client.until('EOSE')
      client.close()
      return answers.slice(0, -1).map(([, , event]) => (event as NostrEvent).id)
    },
  }
}
let count = 0

test('the document names NIP-86 as long as an admin is configured', async () => {
  const relay = await started(SETTINGS.replace(/admins = .*/, 'admins = []'))
  const nips = async ({ get } = relay): Promise<readonly number[]> =>
    (await (await get('/', { headers: { accept: 'application/nostr+json' } })).json()).supported_nips
  expect(await nips(await started())).toContain(86)
  expect(await nips()).not.toContain(86)
  await changeRelayLists(relay.config.dbPath, { do: 'add', list: 'admins', entry: ada.pubkey, reason: 'moderator' })
  await relay.daemon.reload()
  expect(await nips()).toContain(86)
})

test('the log says that a list changed, and by whom; whom it is about and why stand in the audit alone', async () => {
  const relay = await started()
  expect(await relay.ask('banpubkey', bob.pubkey, 'sends insults')).toEqual({ result: true })
  expect(await relay.ask('blockip', '203.0.113.7', 'flood')).toEqual({ result: true })
  expect(relay.logText()).toContain(`"do":"add","changed":"bannedKeys","by":"${ada.pubkey}"`)
  for (const kept of [bob.pubkey, 'insults', '203.0.113.7']) {
    expect(relay.logText()).not.toContain(kept)
    expect(readFileSync(join(relay.dataDir, 'relay-audit.jsonl'), 'utf8')).toContain(kept)
  }
})

describe('a manager', () => {
  test('bans a key, which then publishes nothing, and lets it in again', async () => {
    const { ask, publish } = await started()
    expect((await publish(bob)).ok).toBe(true)
    expect(await ask('banpubkey', bob.pubkey, 'spam')).toEqual({ result: true })
    expect(await publish(bob, { content: '{"name":"bob"}' })).toMatchObject({
      ok: false,
      text: 'blocked: this key may not publish to this relay',
    })
    expect(await ask('listbannedpubkeys')).toEqual({ result: [{ pubkey: bob.pubkey, reason: 'spam' }] })
    await ask('unbanpubkey', bob.pubkey)
    // Of another kind: a second profile of the same second may lose against the first.
    expect((await publish(bob, { kind: 10_050, tags: [['relay', URL]] })).ok).toBe(true)
  })

  test('allows a kind', async () => {
    const { ask, publish } = await started()
    expect((await publish(bob, { kind: 4 })).ok).toBe(false)
    await ask('allowkind', 4)
    expect((await publish(bob, { kind: 4 })).ok).toBe(true)
  })

  test('blocks an address, which is not even let in', async () => {
    const { ask, daemon, get } = await started()
    await ask('blockip', '203.0.113.0/24')
    const url = daemon.address().replace('http', 'ws')
    const { WebSocket } = await import('ws')
    const statusFor = (address: string) =>
      new Promise<number>((resolve) => {
        const socket = new WebSocket(url, { headers: { 'x-real-ip': address } })
        socket.on('open', () => resolve(101)).on('error', () => undefined)
        socket.on('unexpected-response', (_request, { statusCode = 0 }) => resolve(statusCode))
        cleanups.push(() => socket.terminate())
      })
    expect(await statusFor('203.0.113.9')).toBe(403)
    expect(await statusFor('198.51.100.1')).toBe(101)
    expect((await get('/')).status).toBe(200)
  })

  test('names the relay anew, in its document and on its page', async () => {
    const { ask, get } = await started()
    const named = async () => (await (await get('/', { headers: { accept: 'application/nostr+json' } })).json()).name
    expect(await named()).toBe('before')
    await ask('changerelayname', 'after & <b>')
    expect(await named()).toBe('after & <b>')
    expect(await (await get('/')).text()).toContain('after &amp; &lt;b&gt;')
  })
})

describe('an event that was banned', () => {
  test('is gone at once and does not come back', async () => {
    const { ask, publish, send, found } = await started()
    const { event } = await publish(bob)
    expect(await found(event.id)).toEqual([event.id])
    expect(await ask('banevent', event.id, 'illegal')).toEqual({ result: true })
    expect(await found(event.id)).toEqual([])
    expect(await send(event)).toMatchObject({ ok: false, text: 'blocked: this event was removed by the operator' })
    await ask('allowevent', event.id)
    expect(await send(event)).toMatchObject({ ok: true })
  })
})

describe('who is refused', () => {
  test('strangers, other bodies, other types, and bodies too large', async () => {
    const { post, get } = await started()
    const body = JSON.stringify({ method: 'supportedmethods', params: [] })
    expect((await post(body)).status).toBe(200)
    expect((await post(body, { by: eve })).status).toBe(403)
    expect((await post(body, { headers: { authorization: '' } })).status).toBe(401)
    expect((await post(body, { type: 'application/json' })).status).toBe(415)
    expect((await post(' '.repeat(70_000))).status).toBe(413)
    expect((await post('nonsense')).status).toBe(400)
    expect((await get('/', { method: 'POST' })).status).toBe(401)
    expect(await (await post(body, { by: eve })).json()).toEqual({
      error: 'restricted: this key does not manage the relay',
    })
  })

  test('a flood of strangers, per address', async () => {
    const { post } = await started()
    const statuses = await Promise.all(Array.from({ length: 70 }, () => post('{}', { by: eve })))
    expect(statuses.filter(({ status }) => status === 403).length).toBe(60)
    expect(statuses.filter(({ status }) => status === 429).length).toBe(10)
  })

  test('everybody, where the relay has no address to sign for', async () => {
    const { post } = await started('')
    expect((await post('{}')).status).toBe(405)
  })
})

test('a command is followed after SIGHUP, and at the latest seconds later', async () => {
  const { publish, daemon, dataDir } = await started()
  expect((await publish(bob)).ok).toBe(true)
  await runCommandClass(RelayBan, [bob.pubkey, '--reason', 'spam', '--db', dataDir])
  await daemon.reload()
  expect((await publish(bob, { content: '' })).ok).toBe(false)
  await runCommandClass(RelayBan, [bob.pubkey, '--reason', 'sorry', '--remove', '--db', dataDir])
  await expect.poll(async () => (await publish(bob, { content: '' })).ok, { timeout: 10_000, interval: 500 }).toBe(true)
})

test('what a manager banned is banned after a restart', async () => {
  const first = await started()
  await first.ask('banpubkey', bob.pubkey)
  await first.daemon.stop()
  const again = await relayDaemon(SETTINGS, { dataDir: first.dataDir })
  cleanups.push(again.close)
  await again.daemon.start()
  const client = await relayClient(again.daemon.address().replace('http', 'ws'))
  const template = { kind: 0, created_at: Math.floor(systemClock.now() / 1000), tags: [], content: '' }
  client.send(['EVENT', signEvent(template, bob.secret, systemRandom)])
  expect((await client.until('OK')).at(-1)?.[2]).toBe(false)
  client.close()
})
