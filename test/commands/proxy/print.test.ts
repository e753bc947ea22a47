// `proxy print`: which form is printed follows from the settings in force and the flags.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import ProxyInstall from '../../../src/commands/proxy/install.js'
import ProxyPrint from '../../../src/commands/proxy/print.js'
import { runCommandClass } from '../../support/run-command.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'grinpay-proxy-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** With settings of its own. */
function proxy(settings: Readonly<Record<string, string>>, ...argv: readonly string[]) {
  const file = join(folder, 'nameauth.env')
  const text = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(file, text.join(''))
  return runCommandClass(ProxyPrint, [...argv, '--settings', file])
}
const NAMES = { NAMEAUTH_DOMAIN: 'names.example', NAMEAUTH_NAMES_BIND: '127.0.0.1:9191' }
const APART = { ...NAMES, NAMEAUTH_AUTHORITY_COLOCATED: 'off' }

test('prints one host for names and relay, from the settings', async () => {
  const { stdout, stderr, exit } = await proxy(NAMES, 'nginx')
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
  expect(stdout).toContain('server 127.0.0.1:9191;')
  expect(stdout).toContain('proxy_pass http://127.0.0.1:7777;')
  expect(stdout.match(/server_name \S+/g)).toEqual(['server_name names.example;', 'server_name names.example;'])
})

test.each([
  ['the setting', APART, []],
  ['a flag', NAMES, ['--split']],
])('gives the authority a host of its own on the word of %s, and says what is left', async (_, settings, flags) => {
  const { stdout, stderr } = await proxy(settings, 'caddy', ...flags)
  expect(stdout).not.toContain('7777')
  expect(stderr).toBe('note: only the host of the authority is in it; --relay-host adds that of the relay\n')
})

test('a host of the relay means two hosts', async () => {
  const flags = ['--relay-host', 'relay.example', '--relay-upstream', '10.0.0.7:8008', '--json']
  const { stdout } = await proxy(NAMES, 'caddy', ...flags)
  const { program, placement, text } = JSON.parse(stdout)
  expect({ program, placement }).toEqual({ program: 'caddy', placement: 'split' })
  expect(text).toContain('relay.example {')
  expect(text).toContain('reverse_proxy 10.0.0.7:8008')
})

test('what is wrong elsewhere in the settings does not matter, what it follows from does', async () => {
  expect(await proxy({ ...NAMES, NAMEAUTH_PAY_MODE: 'name' }, 'nginx')).toMatchObject({ exit: 0 })
  const { stdout, stderr, exit } = await proxy({ ...NAMES, NAMEAUTH_BASE_URL: 'https://other.example' }, 'nginx')
  expect({ stdout, exit }).toEqual({ stdout: '', exit: 2 })
  expect(stderr).toContain('NAMEAUTH_BASE_URL must have the host of NAMEAUTH_DOMAIN')
})

test('an odd domain is refused and not quoted into a configuration', async () => {
  const { stdout, stderr, exit } = await proxy({ NAMEAUTH_DOMAIN: 'my_names.example' }, 'nginx')
  expect({ stdout, exit }).toEqual({ stdout: '', exit: 2 })
  expect(stderr).toContain('the domain is no host name: "my_names.example"')
})

test('without settings it says what to do', async () => {
  expect(await proxy({}, 'nginx')).toMatchObject({ exit: 3, stdout: '' })
})

/** Settings of a relay in a file. */
function relayFile(text: string): string {
  const file = join(folder, 'relay.toml')
  writeFileSync(file, text)
  return file
}
const RELAY = '[info]\nrelay_url = "wss://relay.example"\n[network]\nport = 8008\n'

test.each(['nginx', 'caddy'])('for a relay alone, %s follows from its settings', async (program) => {
  const { stdout, exit } = await proxy({}, program, '--daemon', 'relay', '--config', relayFile(RELAY), '--json')
  const { placement, text } = JSON.parse(stdout)
  expect({ exit, placement }).toEqual({ exit: 0, placement: 'relay' })
  expect(text).toContain('relay.example')
  expect(text.match(/(?:proxy_pass http:\/\/|reverse_proxy )127\.0\.0\.1:8008/g)).toHaveLength(1)
  expect(text).not.toMatch(/8191|undefined/)
})

test('an nginx before a relay lets a websocket be silent for an hour', async () => {
  const { stdout } = await proxy({}, 'nginx', '--daemon', 'relay', '--config', relayFile(RELAY))
  expect(stdout).toContain('proxy_read_timeout 1h;')
  expect(stdout).toContain('proxy_set_header X-Real-IP $remote_addr;')
})

test('beside an authority, the settings of the relay tell where it is and on which host', async () => {
  const { stdout } = await proxy(NAMES, 'caddy', '--config', relayFile(RELAY), '--json')
  const { placement, text } = JSON.parse(stdout)
  expect(placement).toBe('split')
  expect(text).toContain('relay.example {')
  expect(text).toContain('reverse_proxy 127.0.0.1:8008')
  const one = relayFile(RELAY.replace('relay.example', 'names.example'))
  expect(JSON.parse((await proxy(NAMES, 'caddy', '--config', one, '--json')).stdout).placement).toBe('colocated')
})

test.each([
  ['', 'info.relay_url names no wss:// address'],
  ['[info]\nrelay_url = "ws://127.0.0.1:7777"\n', 'info.relay_url names no wss:// address'],
  ['[info]\nrelay_url = "wss://relay.example/inbox"\n', 'the relay answers at / only: /inbox'],
  [`${RELAY}remote_ip_header = "x-forwarded-for"\n`, 'network.remote_ip_header is x-forwarded-for'],
])('a relay that no proxy can serve is refused: %j', async (text, reason) => {
  const { stdout, stderr, exit } = await proxy({}, 'nginx', '--daemon', 'relay', '--config', relayFile(text))
  expect({ stdout, exit }).toEqual({ stdout: '', exit: 2 })
  expect(stderr).toContain(reason)
})

const TILL = { PAY_PUBLIC_URL: 'https://pay.example', PAY_BIND: '127.0.0.1:8181', PAY_TRUSTED_PROXIES: '127.0.0.1' }

test.each(['nginx', 'caddy'])(
  'for a till, %s passes on everything but the admin API, and tells the address of the customer',
  async (kind) => {
    const { stdout, exit } = await proxy(TILL, '--kind', kind, '--daemon', 'pay', '--json')
    const { placement, text } = JSON.parse(stdout)
    expect({ exit, placement }).toEqual({ exit: 0, placement: 'pay' })
    expect(text).toContain('127.0.0.1:8181')
    expect(text).toMatch(/\/admin/)
    expect(text).toMatch(/X-Forwarded-For (?:\$remote_addr|\{remote_host\})/)
    expect(text).not.toContain('undefined')
  },
)

const CONSOLE = { PAY_CONSOLE: 'on', PAY_CONSOLE_URL: 'https://desk.example', PAY_CONSOLE_BIND: '127.0.0.1:3481' }

test.each(['nginx', 'caddy'])(
  'for a till with a console, %s has the host of it too, and passes it on',
  async (kind) => {
    const textOf = async (more: object) =>
      (await proxy({ ...TILL, ...more }, '--kind', kind, '--daemon', 'pay')).stdout.replace(/\s+/g, ' ')
    const text = await textOf(CONSOLE)
    expect(text).toMatch(/desk\.example[ ;{].*127\.0\.0\.1:3481/)
    if (kind === 'nginx') expect(text).toContain('proxy_set_header Host $http_host;')
    expect(text.match(/X-Forwarded-For (?:\$remote_addr|\{remote_host\})/g)).toHaveLength(2)
    expect(await textOf({ ...CONSOLE, PAY_CONSOLE: 'off' })).not.toContain('desk.example')
    expect(await textOf({ ...CONSOLE, PAY_CONSOLE_URL: 'http://localhost:3481' })).not.toContain('3481')
  },
)

test.each([
  [{ ...TILL, PAY_PUBLIC_URL: 'https://shop.example/till' }, 'PAY_PUBLIC_URL is not just https:// and a host'],
  [{ PAY_BIND: '127.0.0.1:8181' }, 'PAY_PUBLIC_URL is not just https:// and a host'],
  [{ ...TILL, PAY_TLS: 'on' }, 'PAY_TLS is on'],
])('a till that no proxy can serve is refused: %j', async (settings, reason) => {
  const { stdout, stderr, exit } = await proxy(settings, '--kind', 'nginx', '--daemon', 'pay')
  expect({ stdout, exit }).toEqual({ stdout: '', exit: 2 })
  expect(stderr).toContain(reason)
})

test('which proxy must be said', async () => {
  const { stderr, exit } = await proxy(NAMES)
  expect(exit).toBe(2)
  expect(stderr).toContain('--kind nginx')
})

describe('installed', () => {
  const file = () => join(folder, 'sites', 'pay.conf')
  /** Without one that is there no site is written. */
  function certificate(): readonly string[] {
    const [chain, key] = [join(folder, 'chain.pem'), join(folder, 'key.pem')]
    for (const path of [chain, key]) writeFileSync(path, 'x')
    return ['--certificate', chain, '--key', key]
  }
  function install(...argv: readonly string[]) {
    const settings = join(folder, 'pay.env')
    writeFileSync(
      settings,
      Object.entries(TILL)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    )
    return runCommandClass(ProxyInstall, [
      '--kind',
      'nginx',
      '--daemon',
      'pay',
      '--settings',
      settings,
      '--to',
      file(),
      ...certificate(),
      ...argv,
    ])
  }

  test('it is what is printed, in a file of its own, and the lines to type are printed', async () => {
    const { stdout, stderr, exit } = await install()
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: `created     ${file()}\n` })
    expect(stderr).toContain('  nginx -t && systemctl reload nginx')
    const printed = await proxy(TILL, '--kind', 'nginx', '--daemon', 'pay', ...certificate())
    expect(readFileSync(file(), 'utf8')).toBe(printed.stdout)
  })

  test('it stays when it was changed by hand, until --force', async () => {
    await install()
    writeFileSync(file(), readFileSync(file(), 'utf8').replace('64k', '1m'))
    const { stderr, exit } = await install()
    expect(exit).toBe(6)
    expect(stderr).toContain('-    client_max_body_size 1m;\n+    client_max_body_size 64k;')
    expect(await install('--force')).toMatchObject({ exit: 0, stdout: `overwritten ${file()}\n` })
  })
})
