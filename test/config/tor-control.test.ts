import { expect, test } from 'vitest'
import { loadPayConfig, openEnvironment } from '../../src/config/index.js'

const load = (variables: Record<string, string>) =>
  loadPayConfig(openEnvironment({ variables, readFile: () => 'from a file\n' }))

test.each([
  ['127.0.0.1:9051', { host: '127.0.0.1', port: 9051 }],
  ['[::1]:9051', { host: '::1', port: 9051 }],
  ['localhost:1', { host: 'localhost', port: 1 }],
  ['unix:/run/tor/control', { path: '/run/tor/control' }],
  ['off', undefined],
])('PAY_TOR_CONTROL=%s', (text, endpoint) => {
  expect(load({ PAY_TOR_CONTROL: text }).torControl).toEqual(endpoint)
})

test('unset is the usual control port', () => {
  expect(load({}).torControl).toEqual({ path: '/run/tor/control' })
})

test.each([
  ['9051', 'must be host:port, unix:/path or "off"'],
  ['on', 'must be host:port, unix:/path or "off"'],
  ['127.0.0.1:0', 'must be host:port, unix:/path or "off"'],
  ['127.0.0.1:65536', 'must be host:port, unix:/path or "off"'],
  ['unix:run/tor/control', 'must be host:port, unix:/path or "off"'],
  [`unix:/${'x'.repeat(120)}`, 'has too long a path'],
  ['tor.example:9051', 'must name a port of this machine'],
  ['192.168.1.2:9051', 'must name a port of this machine'],
  ['127.0.0.1.example.com:9051', 'must name a port of this machine'],
])('PAY_TOR_CONTROL=%.30s is refused', (text, why) => {
  expect(() => load({ PAY_TOR_CONTROL: text })).toThrow(`PAY_TOR_CONTROL ${why}`)
})

test('the password is a secret and may come from a file', () => {
  const { torPassword } = load({ PAY_TOR_PASSWORD_FILE: '/etc/tor-password' })
  expect([torPassword?.reveal(), String(torPassword)]).toEqual(['from a file', '[secret]'])
})
