import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPublicHost } from '../../../src/lib/private-host.js'
import { parseFrame } from '../../../src/nostr/relays/frames.js'
import { createStrikes } from '../../../src/nostr/relays/strikes.js'
import { normalRelayUrl, refusalForForeign } from '../../../src/nostr/relays/url.js'
import { createFakeClock } from '../../support/fake-clock.js'

const ID = 'a'.repeat(64)

test.each([
  [['EVENT', 's', { any: 1 }], { type: 'EVENT', sub: 's', event: { any: 1 } }],
  [['EOSE', 's'], { type: 'EOSE', sub: 's' }],
  [['CLOSED', 's', 'error: a\nb'], { type: 'CLOSED', sub: 's', text: 'error: a b' }],
  [['CLOSED', 's'], { type: 'CLOSED', sub: 's', text: '' }],
  [['OK', ID, true], { type: 'OK', id: ID, accepted: true, text: '' }],
  [['OK', '?', false, 'invalid: x'], { type: 'OK', id: '?', accepted: false, text: 'invalid: x' }],
  [['NOTICE', 'x'.repeat(1000)], { type: 'NOTICE', text: 'x'.repeat(256) }],
  [['AUTH', 'c'], { type: 'AUTH', challenge: 'c' }],
  [['COUNT', 's', { count: 1 }], { type: 'OTHER', message: ['COUNT', 's', { count: 1 }] }],
])('%j is read', (message, read) => expect(parseFrame(JSON.stringify(message))).toEqual(read))

test.each([
  '',
  '[',
  '{}',
  'null',
  '[]',
  '[1]',
  '["EOSE"]',
  '["EOSE",1]',
  `["EOSE","${'s'.repeat(65)}"]`,
  `["OK","${ID}"]`,
  `["OK","${ID}","true"]`,
  '["AUTH",""]',
  '["AUTH",{}]',
  `["AUTH","${'c'.repeat(1025)}"]`,
  '['.repeat(100_000),
  '["constructor"'.repeat(3),
])('%.40s is no relay message', (frame) => expect(parseFrame(frame)).toBeUndefined())

test('no frame makes the reader throw', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.array(fc.jsonValue()).map((a) => JSON.stringify(a)),
      ),
      (frame) => void parseFrame(frame),
    ),
  )
})

test.each([
  ['wss://Relay.Example', 'wss://relay.example'],
  ['wss://relay.example:443/', 'wss://relay.example'],
  ['ws://relay.example:80//', 'ws://relay.example'],
  ['ws://relay.example:443/', 'ws://relay.example:443'],
  ['wss://relay.example/Inbox/?a=B', 'wss://relay.example/Inbox?a=B'],
  ['WSS://RELAY.EXAMPLE#x', 'wss://relay.example'],
  ['https://relay.example', undefined],
  ['relay.example', undefined],
  ['wss://user@relay.example', undefined],
  ['wss://:secret@relay.example', undefined],
  [`wss://relay.example/${'x'.repeat(512)}`, undefined],
  ['', undefined],
])('%s reads as %s', (url, normal) => expect(normalRelayUrl(url)).toBe(normal))

test('one spelling stays as it is', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true }), (web) => {
      const normal = normalRelayUrl(web.replace(/^http/, 'ws'))
      fc.pre(normal !== undefined)
      expect(normalRelayUrl(normal)).toBe(normal)
    }),
  )
})

test.each([
  'wss://10.0.0.1',
  'wss://[::1]',
  'wss://[::ffff:192.168.0.1]',
  'wss://[64:ff9b::7f00:1]',
  'wss://0.0.0.0',
  'wss://0x7f000001',
  'wss://2130706433',
  'wss://localhost',
  'wss://localhost.',
  'wss://printer.local',
  'wss://intranet',
  'wss://169.254.169.254',
  'wss://[fe80::1]',
  'wss://[fd00::1]',
  'wss://224.0.0.1',
  'wss://255.255.255.255',
  'wss://[::ffff:0:7f00:1]',
  'wss://[100::1]',
  'wss://expyuzz4wqqyqhjn.onion',
  'wss://expyuzz4wqqyqhjn.onion.',
])('%s is never dialled for others', (url) =>
  expect(refusalForForeign(normalRelayUrl(url))).toBe('an address inside this network is never dialled for others'),
)

test.each(['8.8.8.8', 'relay.example', '[2606:4700::1111]', '[64:ff9b::808:808]', '100.128.0.1', '172.32.0.1'])(
  '%s is public',
  (host) => expect(isPublicHost(host)).toBe(true),
)

test('faults fade: ten points a minute are free', async () => {
  const clock = createFakeClock()
  const strikes = createStrikes(clock)
  for (let n = 0; n < 200; n++) {
    expect(strikes.add('forgery')).toBe(false)
    await clock.advance(60_000)
  }
  expect(strikes.total()).toBe(200)
})

test('too many faults: ten minutes, doubling to two hours, short again after a day without', async () => {
  const clock = createFakeClock()
  const strikes = createStrikes(clock)
  async function shunnedMinutes(restMs: number) {
    let count = 0
    while (!strikes.add('forgery')) if (++count > 100) return -1
    const minutes = (strikes.shunnedUntil() - clock.monotonic()) / 60_000
    await clock.advance(minutes * 60_000 + restMs)
    return minutes
  }
  const minutes: number[] = []
  for (let n = 0; n < 6; n++) minutes.push(await shunnedMinutes(1000))
  await clock.advance(86_400_000)
  minutes.push(await shunnedMinutes(0))
  expect(minutes).toEqual([10, 20, 40, 80, 120, 120, 10])
})
