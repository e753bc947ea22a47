// RELAY_LOG_…: several front ends of one relay.
import { expect, test } from 'vitest'
import { loadRelayConfig, openEnvironment } from '../../src/config/index.js'

const URL = 'postgresql://relay:hush-hush@a:5432,b:5432/grinpay?sslmode=verify-full'
const load = (variables: Readonly<Record<string, string>>) =>
  loadRelayConfig({ environment: openEnvironment({ variables }) })

test('without an address the relay runs alone', () => {
  expect(load({}).log).toBeUndefined()
})

test('an address makes it one of several front ends', () => {
  const { log } = load({ RELAY_LOG_URL: URL })
  expect(log?.address.hosts).toEqual([
    { host: 'a', port: 5432 },
    { host: 'b', port: 5432 },
  ])
  expect(log).toMatchObject({ schema: 'relay', unsafe: undefined, days: 7, patienceMs: 10_000 })
  const others = { RELAY_LOG_SCHEMA: 'second', RELAY_LOG_DAYS: '3', RELAY_LOG_PATIENCE: '4' }
  expect(load({ RELAY_LOG_URL: URL, ...others }).log).toMatchObject({ schema: 'second', days: 3, patienceMs: 4000 })
})

test('a broken address is refused without its password', () => {
  expect(() => load({ RELAY_LOG_URL: `${URL}&password=hush-hush` })).toThrow(/^(?!.*hush).*RELAY_LOG_URL/)
})

test('a server without standbys is accepted with a word only', () => {
  const { notices } = load({ RELAY_LOG_URL: URL, RELAY_LOG_UNSAFE: 'single' })
  expect(notices.map(({ text }) => text)).toContainEqual(expect.stringContaining('may be lost'))
})
