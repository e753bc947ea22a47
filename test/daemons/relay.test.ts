// The composition of the relay: it takes and gives events over real sockets, keeps them, tells how it is, and stops.
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { signEvent } from '../../src/nostr/event/index.js'
import { systemClock, systemRandom } from '../../src/system/index.js'
import { keyPairOf } from '../support/nostr.js'
import { relayClient } from '../support/relay-client.js'
import { relayDaemon } from '../support/relay-daemon.js'
import { codeOf } from '../support/vectors.js'

const alice = keyPairOf('alice')

const cleanups: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function started(toml?: string, lent?: { readonly dataDir: string }) {
  const relay = await relayDaemon(toml, lent)
  cleanups.push(relay.close)
  await relay.daemon.start()
  return relay
}

async function clientOf({ daemon }: Awaited<ReturnType<typeof started>>) {
  const client = await relayClient(daemon.address().replace('http', 'ws'))
  cleanups.push(client.close)
  return client
}

const profile = (content: string) =>
  signEvent(
    { kind: 0, created_at: Math.floor(systemClock.now() / 1000), tags: [], content },
    alice.secret,
    systemRandom,
  )

test('an event is taken, passed on, and found again by the next process', async () => {
  const first = await started()
  const client = await clientOf(first)
  const event = profile('{}')
  client.send(['REQ', 'live', { kinds: [0] }])
  expect(await client.next()).toEqual(['EOSE', 'live'])
  client.send(['EVENT', event])
  const both = [await client.next(), await client.next()]
  expect(both).toContainEqual(['OK', event.id, true, ''])
  expect(both).toContainEqual(['EVENT', 'live', event])
  await first.daemon.stop()

  const second = await started('', { dataDir: first.dataDir })
  const later = await clientOf(second)
  later.send(['REQ', 'stored', { authors: [alice.pubkey] }])
  expect(await later.until('EOSE')).toEqual([
    ['EVENT', 'stored', event],
    ['EOSE', 'stored'],
  ])
})

test('a stop says goodbye to everybody and does not wait for idle connections', async () => {
  const relay = await started()
  const client = await clientOf(relay)
  const { address } = relay.daemon
  const was = address()
  client.send(['REQ', 'live', {}])
  await client.until('EOSE')
  const before = performance.now()
  await relay.daemon.stop()
  expect(await client.ended).toBe(1001)
  expect(performance.now() - before).toBeLessThan(5000)
  expect(relay.logText()).not.toContain('part did not stop cleanly')
  await expect(fetch(was)).rejects.toThrow()
})

test('what is set about kinds and authors counts', async () => {
  const relay = await started(
    `[limits]\nevent_kind_allowlist = [1]\n[authorization]\npublic_note_authors = ["${alice.pubkey}"]`,
  )
  const client = await clientOf(relay)
  const event = profile('{}')
  client.send(['EVENT', event])
  expect(await client.next()).toEqual(['OK', event.id, false, 'blocked: event kind not accepted by this relay'])
  expect(
    (await (await relay.get('/', { headers: { accept: 'application/nostr+json' } })).json()).supported_nips,
  ).toEqual([1, 11, 40, 45, 70, 77])
})

test('a policy program of the operator is asked', async () => {
  const program = `while read -r line; do id=$(printf %s "$line" | sed 's/.*"id":"\\([0-9a-f]*\\)".*/\\1/'); echo "{\\"id\\":\\"$id\\",\\"action\\":\\"reject\\",\\"msg\\":\\"blocked: by program\\"}"; done`
  const relay = await started(`[write_policy]\nplugin = ${JSON.stringify(program)}\n`)
  const client = await clientOf(relay)
  const event = profile('{}')
  client.send(['EVENT', event])
  expect(await client.next()).toEqual(['OK', event.id, false, 'blocked: by program'])
})

test('websockets are taken at the root alone', async () => {
  const { daemon } = await started()
  const elsewhere = relayClient(`${daemon.address().replace('http', 'ws')}/elsewhere`)
  await expect(elsewhere).rejects.toThrow('404')
})

test('it is ready while its databases can be written', async () => {
  const { get } = await started(
    '[name_authority]\nenabled = true\ndomain = "a.example"\nbase_url = "https://a.example"\n',
  )
  const ready = await (await get('/ready')).json()
  expect(ready.checks.map(({ name, status }: { name: string; status: string }) => `${name} ${status}`)).toEqual([
    'names ok',
    'database ok',
  ])
})

test('figures are served on a listener of their own and nowhere else', async () => {
  const port = await freePort()
  const relay = await started(`[metrics]\nbind = "127.0.0.1:${port}"\n`)
  const client = await clientOf(relay)
  const event = profile('{}')
  client.send(['EVENT', event])
  client.send(['EVENT', event])
  await client.next()
  await client.next()
  // The signature threads report how they check once they run.
  await relay.daemon.signatures.known
  const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  expect(page).toContain('grinpay_relay_connections 1\n')
  expect(page).toContain('grinpay_relay_messages_total{command="EVENT"} 2\n')
  expect(page).toContain('grinpay_relay_events_total{outcome="accepted",class="replaceable"} 1\n')
  expect(page).toMatch(/^grinpay_relay_signature_check_info\{method="(native|webassembly)",threads="[1-4]"\} 1$/m)
  expect(page).toContain('grinpay_relay_stored_events 1\n')
  expect(page).toContain('grinpay_ready{check="database"} 1\n')
  expect(page).toContain('process_resident_memory_bytes')
  expect((await relay.get('/metrics')).status).toBe(404)
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

test('what is older than the operator wants is removed at the start', async () => {
  const first = await started()
  const client = await clientOf(first)
  const old = signEvent(
    { kind: 0, created_at: Math.floor(systemClock.now() / 1000) - 3 * 86_400, tags: [], content: '{}' },
    alice.secret,
    systemRandom,
  )
  client.send(['EVENT', old])
  await client.next()
  await first.daemon.stop()
  const second = await started('[retention]\npersist_days = 2\n', { dataDir: first.dataDir })
  await vi.waitFor(() => expect(second.logText()).toContain('old events were removed'), 10_000)
  const later = await clientOf(second)
  later.send(['REQ', 'all', {}])
  expect(await later.until('EOSE')).toEqual([['EOSE', 'all']])
})

test('the operator’s own page and icon are read at the start', async () => {
  const { dataDir, close } = await relayDaemon()
  cleanups.push(close)
  const page = join(dataDir, 'page.html')
  writeFileSync(page, '<p>mine</p>')
  const { get } = await started(`[info]\nrelay_page = "${page}"\n`)
  expect(await (await get('/')).text()).toBe('<p>mine</p>')
  expect(await codeOf(() => relayDaemon('[info]\nfavicon = "/no/such/file"\n'))).toBe('CONFIGURATION')
})

test('a second relay on the same database is refused, and leaves nothing behind', async () => {
  const first = await started()
  expect(await codeOf(() => relayDaemon('', { dataDir: first.dataDir }))).toBe('DATABASE_IN_USE')
})

test('an address that is taken is reported, with everything stopped again', async () => {
  const first = await started()
  const { port } = new URL(first.daemon.address())
  const second = await relayDaemon(`[network]\nport = ${port}\n`)
  cleanups.push(second.close)
  expect(await codeOf(second.daemon.start)).toBe('ADDRESS_IN_USE')
})
