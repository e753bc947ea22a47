// What the doctor says of relays, on real sockets: good ones, strict ones, and each kind of trouble.
import { afterEach, describe, expect, test } from 'vitest'
import type { NostrEvent } from '../../src/nostr/event/index.js'
import { signEvent } from '../../src/nostr/event/index.js'
import { systemClock, systemRandom } from '../../src/system/index.js'
import { diagnose, lines } from '../support/doctor.js'
import { type HostileConnection, startHostileRelay } from '../support/hostile-relay.js'
import { type PlainRelayOptions, startPlainRelay } from '../support/plain-relay.js'
import { newKey } from '../support/relay-pool.js'

const main = newKey()
const NSEC = Buffer.from(main.secret.reveal()).toString('hex')
const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const relay of open.splice(0)) await relay.close()
})

const variables = (urls: readonly string[], nsec = NSEC) => ({
  PAY_RELAY_MODE: 'external',
  PAY_RELAYS: urls.join(),
  ...(nsec === '' ? {} : { PAY_NSEC: nsec }),
})
const look = (urls: readonly string[], nsec?: string) => diagnose({ variables: variables(urls, nsec), only: ['relay'] })

async function plain(options?: PlainRelayOptions) {
  const relay = await startPlainRelay(options)
  open.push(relay)
  return relay
}

const listOf = (urls: readonly string[]) => {
  const tags = urls.map((url) => ['relay', url])
  const created_at = Math.floor(systemClock.now() / 1000)
  return signEvent({ kind: 10050, created_at, tags, content: '' }, main.secret, systemRandom)
}

/** A relay that keeps nothing and passes events on; `judge` says what it does with one: a refusal, nothing, or another event. */
async function strange(judge: (event: NostrEvent, bytes: number) => string | NostrEvent | undefined) {
  const subscribers: (readonly [HostileConnection, string])[] = []
  const relay = await startHostileRelay({
    heard(connection, verb, [first]) {
      if (verb === 'REQ') {
        subscribers.push([connection, String(first)])
        connection.say(['EOSE', first])
      }
      if (verb !== 'EVENT') return
      const event = first as NostrEvent
      const judged = judge(event, JSON.stringify(event).length)
      connection.say(['OK', event.id, typeof judged !== 'string', typeof judged === 'string' ? judged : ''])
      if (typeof judged !== 'object') return
      for (const [to, sub] of subscribers) to.say(['EVENT', sub, judged])
    },
  })
  open.push(relay)
  return relay
}

describe('a good relay', () => {
  test('passes with the time of each round trip, and the till writes to itself as itself', async () => {
    const relay = await plain()
    relay.store(listOf([relay.url]))
    const findings = await look([relay.url])
    expect(lines(findings)).toEqual([
      expect.stringMatching(/^pass delivers to one-time keys in \d+ ms, to the main key in \d+ ms, 40 KB in \d+ ms$/),
    ])
    expect(findings[0]).toMatchObject({ check: 'relay', about: relay.url })
  })

  test('is sent gift wraps of a small and of a large size, without a signature', async () => {
    const relay = await plain()
    await look([relay.url])
    const wraps = relay.events.filter(({ kind }) => kind === 1059)
    const sizes = wraps.map((wrap) => JSON.stringify(wrap).length).sort((a, b) => a - b)
    expect(sizes).toHaveLength(3)
    expect(sizes[2]).toBeGreaterThan(36_000)
    expect(sizes[2]).toBeLessThan(48_000)
    expect(wraps.map(({ pubkey }) => pubkey)).not.toContain(main.pubkey)
  })

  test('that asks who reads gets an answer', async () => {
    const relay = await plain({ auth: 'connect' })
    expect(lines(await look([relay.url]))[0]).toMatch(/^pass .*asks who reads \(NIP-42\) and was answered$/)
    expect(relay.authenticated).toContain(main.pubkey)
  })

  test('passes with a stand-in when the key of the till does not open', async () => {
    const relay = await plain()
    expect(lines(await look([relay.url], ''))).toEqual([expect.stringMatching(/^pass .*a stand-in for the main key/)])
  })

  test("without the till's relay list is worth a word", async () => {
    const relay = await plain()
    const [, list] = await look([relay.url])
    expect(list).toMatchObject({ level: 'warn', about: relay.url })
    expect(list?.detail).toContain('kind 10050')
    expect(list?.remedy).toContain('start the till')
  })
})

describe('a relay for its readers only', () => {
  test.each<[string, PlainRelayOptions]>([
    ['which says so', { auth: 'demand', gate: 'closed' }],
    ['which keeps silent about it', { auth: 'connect', gate: 'silent' }],
  ])('%s serves the main key, and another one belongs before it', async (_what, options) => {
    const relay = await plain(options)
    const [finding] = await look([relay.url])
    expect(finding).toMatchObject({ level: 'warn', remedy: expect.stringContaining('put another relay before it') })
    expect(finding?.detail).toContain('one-time keys are not served here')
  })

  test('which wants writers to authenticate locks wallets out that do not', async () => {
    const relay = await plain({ auth: 'demand', writersAuthenticate: true })
    expect(lines(await look([relay.url]))[0]).toMatch(/^warn wants writers to authenticate/)
  })
})

describe('a relay that is of no use', () => {
  test('because no server listens', async () => {
    const relay = await plain()
    await open.pop()?.close()
    expect(await look([relay.url])).toEqual([
      expect.objectContaining({ level: 'fail', detail: expect.stringMatching(/^cannot be reached: .*ECONNREFUSED/) }),
    ])
  })

  test.each([
    ['blocked: kind 1059 is not allowed here', 'allow kind 1059'],
    ['pow: 28 bits needed', 'no wallet does that work'],
    ['invalid: created_at too early', 'clock'],
    ['', 'put another relay in its place'],
  ])('because it refuses gift wraps: "%s"', async (refusal, remedy) => {
    const { url } = await strange(() => refusal)
    const [finding] = await look([url])
    expect(finding).toMatchObject({ level: 'fail', remedy: expect.stringContaining(remedy) })
    expect(finding?.detail).toBe(`refuses gift wraps (kind 1059): ${refusal || 'without a reason'}`)
  })

  test('because it takes them and never delivers them', async () => {
    const { url } = await strange(() => undefined)
    expect(lines(await look([url]))).toEqual(['fail takes gift wraps and never delivers them'])
  })

  test('because it refuses larger ones', async () => {
    const { url } = await strange((event, bytes) => (bytes > 32_768 ? 'invalid: event too large' : event))
    const [finding] = await look([url])
    expect(finding).toMatchObject({ level: 'fail', remedy: expect.stringContaining('128 KiB') })
    expect(finding?.detail).toBe('refuses a gift wrap of 40 KB: invalid: event too large')
  })

  test('because it loses larger ones', async () => {
    const { url } = await strange((event, bytes) => (bytes > 32_768 ? undefined : event))
    expect(lines(await look([url]))).toEqual(['fail takes a gift wrap of 40 KB and never delivers it'])
  })

  test('because it changes them', async () => {
    const { url } = await strange((event) => ({ ...event, content: `${event.content.slice(0, -4)}AAAA` }))
    expect(lines(await look([url]))).toEqual([
      'fail changes what it delivers: a gift wrap came back that does not open',
    ])
  })

  test('because it never answers anything', async () => {
    const mute = await startHostileRelay()
    open.push(mute)
    expect((await look([mute.url]))[0]).toMatchObject({ level: 'fail' })
  })
})

test('a relay that fails does not keep the others from being looked at, and the order is that of the set', async () => {
  const [good, bad] = [await plain(), await strange(() => 'blocked: no')]
  const findings = await look([bad.url, good.url], '')
  expect(findings.map(({ about, level }) => [about, level])).toEqual([
    [bad.url, 'fail'],
    [good.url, 'pass'],
  ])
})
