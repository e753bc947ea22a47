// Reader threads behind real sockets, on the relay as built: many questions at once, closed and replaced ones, and events just published.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finalizeEvent, generateSecretKey, getPublicKey } from 'nostr-tools/pure'
import { expect, onTestFinished, test } from 'vitest'
import { openEventStore } from '../../src/storage/events/event-store.js'
import { systemClock } from '../../src/system/index.js'
import { aText, keyOf } from '../support/event-builders.js'
import { freePort, startDaemon } from '../support/till-process.js'
import { type WireClient, wireClient } from '../support/wire-client.js'

const AUTHORS = Array.from({ length: 200 }, (_, at) => keyOf(at + 1))
const secret = generateSecretKey()
const now = Math.floor(systemClock.now() / 1000)

/** The newest first. */
const STORED = Array.from({ length: 6000 }, (_, at) =>
  aText({ pubkey: AUTHORS[at % 200] ?? '', created_at: now - 100 - at, kind: at % 3 === 0 ? 7 : 1, content: `${at}` }),
)
const NOTES = STORED.filter(({ event }) => event.kind === 1).map(({ event }) => event.id)

async function aRelay() {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-readers-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const store = await openEventStore({ path: join(folder, 'relay.db'), clock: systemClock })
  store.append(STORED)
  await store.close()
  const [port, metricsPort] = [await freePort(), await freePort()]
  const bind = `127.0.0.1:${port}`
  const metrics = `127.0.0.1:${metricsPort}`
  const settings = {
    'network.port': port,
    'database.data_directory': folder,
    'database.reader_threads': 2,
    'metrics.bind': metrics,
    'authorization.public_note_authors': [getPublicKey(secret)],
  }
  const config = join(folder, 'relay.toml')
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`)
  writeFileSync(config, lines.join(''))
  const relay = await startDaemon({
    command: ['serve', 'relay', '--config', config],
    settings: { HOME: folder },
    bind,
    cwd: folder,
  })
  onTestFinished(() => relay.kill())
  return {
    async client(): Promise<WireClient> {
      const client = await wireClient(`ws://${bind}`)
      onTestFinished(() => client.close())
      return client
    },
    async metric(name: string): Promise<number> {
      const page = await (await fetch(`http://${metrics}/metrics`)).text()
      return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(page)?.[1])
    },
  }
}

const FEED = { kinds: [1], authors: AUTHORS, limit: 100 }
const NEWEST = { kinds: [1], limit: 500 }

/** Ids of each subscription until all have ended; an event after EOSE, or an EOSE too many, is a failure. */
async function answersOf(
  client: WireClient,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const answers = new Map<string, string[]>(names.map((name) => [name, []]))
  const open = new Set(names)
  while (open.size > 0) {
    const [verb, name, event] = await client.next()
    expect(open, `${verb} ${name}`).toContain(name)
    if (verb === 'EOSE') open.delete(String(name))
    else answers.get(String(name))?.push((event as { id: string }).id)
  }
  return answers
}

test('every question is answered once, in order and up to its limit, whoever reads for it', async () => {
  const relay = await aRelay()
  const clients = [await relay.client(), await relay.client(), await relay.client()]
  // The first dear question starts the threads.
  while ((await relay.metric('grinpay_relay_reader_answers_total')) === 0) await clients[0]?.ids(FEED)
  const names = Array.from({ length: 12 }, (_, at) => `q${at}`)
  for (const client of clients)
    for (const [at, name] of names.entries()) client.send(['REQ', name, at % 2 === 0 ? FEED : NEWEST])
  for (const client of clients) {
    const answers = await answersOf(client, names)
    for (const [at, name] of names.entries())
      expect(answers.get(name), name).toEqual(NOTES.slice(0, at % 2 === 0 ? 100 : 500))
  }
  expect(await relay.metric('grinpay_relay_reader_answers_total')).toBeGreaterThan(5)
  expect(await relay.metric('grinpay_relay_reader_waiting')).toBe(0)
  expect(await relay.metric('grinpay_relay_readers_replaced_total')).toBe(0)
})

test('closed questions are not answered, replaced ones once, those of gone clients hold up no others', async () => {
  const relay = await aRelay()
  const client = await relay.client()
  while ((await relay.metric('grinpay_relay_reader_answers_total')) === 0) await client.ids(FEED)
  for (let round = 0; round < 30; round++) {
    const gone = await relay.client()
    for (const name of ['a', 'b']) gone.send(['REQ', name, NEWEST])
    gone.socket.terminate()
    client.send(['REQ', 'closed', FEED])
    client.send(['CLOSE', 'closed'])
    client.send(['REQ', 'kept', { ...FEED, limit: 60 }])
    client.send(['REQ', 'kept', FEED])
    // The first question may be answered before the second one replaces it.
    const seen = (await client.until('EOSE')).filter(([, name]) => name === 'kept')
    if (seen.length === 61) seen.splice(0, 61, ...(await client.until('EOSE')))
    expect(seen.slice(0, -1).map(([, , event]) => (event as { id: string }).id)).toEqual(NOTES.slice(0, 100))
    client.send(['CLOSE', 'kept'])
    await client.isQuiet()
  }
  expect(await relay.metric('grinpay_relay_reader_waiting')).toBe(0)
})

test('a question sees every event that was accepted before it', async () => {
  const relay = await aRelay()
  const [reader, writer] = [await relay.client(), await relay.client()]
  while ((await relay.metric('grinpay_relay_reader_answers_total')) === 0) await reader.ids(FEED)
  const mine = getPublicKey(secret)
  const published: string[] = []
  for (let round = 0; round < 60; round++) {
    const event = finalizeEvent({ kind: 1, tags: [], content: `${round}`, created_at: now + round }, secret)
    const [, ids] = [
      await writer.store(event),
      await reader.ids({ kinds: [1], authors: [...AUTHORS.slice(0, 100), mine], limit: 100 }),
    ]
    published.unshift(event.id)
    expect(ids.slice(0, published.length)).toEqual(published.slice(0, 100))
  }
  expect(await relay.metric('grinpay_relay_reader_answers_total')).toBeGreaterThan(50)
})
