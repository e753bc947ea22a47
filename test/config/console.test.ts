// Where a console may listen, and what its public address must be.
import { describe, expect, test } from 'vitest'
import { loadNameauthConfig, loadPayConfig, loadRelayConfig, openEnvironment } from '../../src/config/index.js'
import { withLines } from '../support/notice-lines.js'

const load = (variables: Record<string, string> = {}) =>
  withLines(loadPayConfig(openEnvironment({ variables: { PAY_CONSOLE: 'on', ...variables } })))

test('it is off unless it is switched on, and then of this machine only', () => {
  expect(loadPayConfig(openEnvironment({ variables: {} }))).toMatchObject({ console: false, consoleUrl: undefined })
  expect(load()).toMatchObject({ console: true, consoleBind: { host: '127.0.0.1', port: 3480 }, notices: [] })
})

const PUBLIC = { PAY_CONSOLE_URL: 'https://console.example', PAY_TRUSTED_PROXIES: '127.0.0.1' }

describe('allowed', () => {
  test.each([
    { PAY_CONSOLE_BIND: '[::1]:3480' },
    { PAY_CONSOLE_BIND: 'localhost:0', PAY_BIND: '127.0.0.1:0' },
    { PAY_CONSOLE_URL: 'http://localhost:3480' },
    { ...PUBLIC, PAY_CONSOLE_BIND: '0.0.0.0:3480' },
    { ...PUBLIC, PAY_PUBLIC_URL: 'https://pay.example', PAY_INGEST: 'off' },
  ])('%j', (variables) => expect(load(variables).notices).toEqual([]))
})

describe('refused', () => {
  test.each([
    [{ PAY_CONSOLE_BIND: '0.0.0.0:3480' }, 'PAY_CONSOLE_BIND is not of this machine only'],
    [{ PAY_CONSOLE_BIND: '192.168.1.5:3480', PAY_CONSOLE_URL: 'http://localhost' }, 'is not of this machine only'],
    [{ PAY_CONSOLE_URL: 'http://console.example' }, 'PAY_CONSOLE_URL must begin with https://'],
    [{ PAY_CONSOLE_URL: 'https://console.example/admin' }, 'PAY_CONSOLE_URL must be an address without a path'],
    [{ PAY_CONSOLE_URL: 'https://u:p@console.example' }, 'must not contain a user name'],
    [{ ...PUBLIC, PAY_PUBLIC_URL: 'https://console.example/pay' }, 'have the same host'],
    [{ PAY_CONSOLE_BIND: '127.0.0.1:8080' }, 'are the same port'],
    [{ PAY_CONSOLE_BIND: '127.0.0.1:9100', PAY_METRICS_BIND: '127.0.0.1:9100' }, 'are the same port'],
  ])('%j', (variables, why) => expect(() => load(variables)).toThrow(why))
})

test('what is odd is said at the start', () => {
  expect(load({ PAY_CONSOLE: 'off', PAY_CONSOLE_URL: 'https://console.example' }).notices).toEqual([
    expect.stringContaining('PAY_CONSOLE is off'),
  ])
  expect(load({ PAY_CONSOLE_URL: 'https://console.example' }).notices).toEqual([
    expect.stringContaining('PAY_TRUSTED_PROXIES is empty: behind the proxy of PAY_CONSOLE_URL'),
  ])
})

test('a relay beside a console that is off is odd too', () => {
  expect(load({ PAY_CONSOLE: 'off', PAY_CONSOLE_RELAY: '/etc/grinpay/relay.toml' }).notices).toEqual([
    expect.stringContaining('PAY_CONSOLE_RELAY is set but PAY_CONSOLE is off'),
  ])
})

test('a name beside a console that is off is odd too', () => {
  expect(load({ PAY_CONSOLE: 'off', PAY_CONSOLE_NAMEAUTH: '/etc/grinpay/nameauth.env' }).notices).toEqual([
    expect.stringContaining('PAY_CONSOLE_NAMEAUTH is set but PAY_CONSOLE is off'),
  ])
})

describe('of a name authority', () => {
  const names = (variables: Record<string, string> = {}) =>
    withLines(
      loadNameauthConfig(
        openEnvironment({ variables: { NAMEAUTH_DOMAIN: 'Acme.example', NAMEAUTH_CONSOLE: 'on', ...variables } }),
      ),
    )

  test('it has a port of its own', () => {
    expect(names()).toMatchObject({ console: true, consoleBind: { host: '127.0.0.1', port: 3481 }, notices: [] })
    expect(names({ NAMEAUTH_CONSOLE: 'off' })).toMatchObject({ console: false })
  })

  test.each([
    [{ NAMEAUTH_CONSOLE_BIND: '0.0.0.0:3481' }, 'NAMEAUTH_CONSOLE_BIND is not of this machine only'],
    [{ NAMEAUTH_CONSOLE_URL: 'http://console.example' }, 'NAMEAUTH_CONSOLE_URL must begin with https://'],
    [{ NAMEAUTH_CONSOLE_URL: 'https://acme.example' }, 'NAMEAUTH_CONSOLE_URL and NAMEAUTH_DOMAIN have the same host'],
    [{ NAMEAUTH_CONSOLE_BIND: '127.0.0.1:8191' }, 'are the same port'],
    [{ NAMEAUTH_CONSOLE_BIND: '127.0.0.1:9', NAMEAUTH_TOR_BIND: '127.0.0.1:9' }, 'are the same port'],
    [{ NAMEAUTH_CONSOLE: 'yes' }, 'NAMEAUTH_CONSOLE must be "on" or "off"'],
  ])('%j is refused', (variables, why) => expect(() => names(variables)).toThrow(why))

  test('behind a proxy that is not named, sign-ins count as from one address', () => {
    const url = { NAMEAUTH_CONSOLE_URL: 'https://console.example', NAMEAUTH_TRUSTED_PROXIES: 'none' }
    expect(names(url).notices).toContainEqual(expect.stringContaining('behind the proxy of NAMEAUTH_CONSOLE_URL'))
  })
})

describe('of a relay', () => {
  const relay = (text = '', before = '') =>
    withLines(
      loadRelayConfig({
        environment: openEnvironment({ variables: {} }),
        file: { path: 'relay.toml', text: `${before}\n[console]\nenabled = true\n${text}\n` },
      }),
    )

  test('it has a port of its own', () => {
    expect(relay()).toMatchObject({ console: true, consoleBind: { host: '127.0.0.1', port: 3482 }, notices: [] })
  })

  test.each([
    ['bind = "0.0.0.0:3482"', '', 'console.bind is not of this machine only'],
    ['url = "http://console.example"', '', 'console.url must begin with https://'],
    [
      'url = "https://relay.example"',
      '[info]\nrelay_url = ["wss://other.example", "wss://relay.example"]',
      'console.url and info.relay_url have the same host',
    ],
    ['bind = "127.0.0.1:7777"', '', 'are the same port'],
    ['bind = "127.0.0.1:9465"', '[metrics]\nbind = "127.0.0.1:9465"', 'are the same port'],
    ['bind = "3482"', '', 'console.bind'],
  ])('%s is refused', (text, before, why) => expect(() => relay(text, before)).toThrow(why))

  test('an address of a console that is off is odd', () => {
    expect(relay('url = "https://console.example"\nbind = "127.0.0.1:1"').notices).toEqual([])
    const off = loadRelayConfig({
      environment: openEnvironment({ variables: { RELAY_CONSOLE_URL: 'https://console.example' } }),
    })
    expect(withLines(off).notices).toEqual([expect.stringContaining('console.url is set but console.enabled is off')])
  })
})
