// `compose print` and `compose install`: what stands in the files, read by an independent YAML parser. No image is built here.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import '../../../src/cli/partial-settings.js' // loaded here: what a command loads when it runs counts against the test
import '../../../src/wizard/index.js'
import ComposeInstall from '../../../src/commands/compose/install.js'
import ComposePrint from '../../../src/commands/compose/print.js'
import { settingGroups } from '../../../src/config/index.js'
import { composeFiles } from '../../../src/wizard/services/compose-files.js'
import { serviceMemory } from '../../../src/wizard/services/memory.js'
import { runCommandClass } from '../../support/run-command.js'

const TO_JSON = 'import sys, json, yaml; print(json.dumps(yaml.safe_load(sys.stdin)))'
const hasYaml = spawnSync('python3', ['-c', 'import yaml']).status === 0

/** What the image and Node read; all else are settings. */
const OF_THE_IMAGE: ReadonlySet<string> = new Set(['GRINPAY_READY', 'NODE_OPTIONS'])

interface Service {
  readonly command: readonly string[]
  readonly user: string
  readonly read_only: boolean
  readonly cap_drop: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly volumes: readonly string[]
  readonly secrets?: readonly string[]
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
}

function parsed(text: string): Compose {
  const { stdout, stderr } = spawnSync('python3', ['-c', TO_JSON], { input: text, encoding: 'utf8' })
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

let folder: string
const at = (...parts: readonly string[]) => join(folder, ...parts)
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'grinpay-compose-'))
  mkdirSync(at('secrets'))
  writeFileSync(at('secrets', 'wallet_password'), 'secret-password')
  writeFileSync(at('secrets', 'api'), 'secret-token')
  const till = { PAY_DATA_DIR: at('data'), PAY_DB_PATH: at('data/pay.db'), PAY_API_TOKEN_FILE: at('secrets', 'api') }
  writeFileSync(
    at('pay.env'),
    Object.entries(till)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  )
  writeFileSync(at('nameauth.env'), `NAMEAUTH_DOMAIN=names.example\nNAMEAUTH_DATA_DIR=${at('names')}\n`)
  writeFileSync(at('relay.toml'), `[database]\ndata_directory = "${at('events')}"\n[network]\nport = 8008\n`)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const settings = () => [
  ...['--settings', at('pay.env'), '--nameauth-env-file', at('nameauth.env'), '--config', at('relay.toml')],
]
const ALL = ['--daemon', 'pay', '--daemon', 'nameauth', '--daemon', 'relay']
const print = (...argv: readonly string[]) => runCommandClass(ComposePrint, [...settings(), ...argv])

test.runIf(hasYaml)(
  'three containers, none of them root, none able to write but its data, each asked for /ready',
  async () => {
    const { stdout, stderr, exit } = await print(...ALL, '--file', 'compose.yaml')
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    const { services, secrets } = parsed(stdout)
    expect(Object.keys(services)).toEqual(['pay', 'nameauth', 'relay'])
    for (const service of Object.values(services))
      expect(service).toMatchObject({ user: '10001:10001', read_only: true, cap_drop: ['ALL'], network_mode: 'host' })
    expect(services.pay).toMatchObject({
      command: ['serve', 'pay', '--settings', at('pay.env')],
      environment: {
        GRINPAY_READY: 'http://127.0.0.1:8080/ready',
        PAY_API_TOKEN_FILE: '/run/secrets/pay_api_token',
        PAY_WALLET_PASSWORD_FILE: '/run/secrets/pay_wallet_password',
      },
      volumes: [`${at('data')}:${at('data')}`, `${at('pay.env')}:${at('pay.env')}:ro`],
      secrets: ['pay_api_token', 'pay_wallet_password'],
    })
    expect(services.nameauth?.volumes).toEqual([
      `${at('names')}:${at('names')}`,
      `${at('nameauth.env')}:${at('nameauth.env')}:ro`,
    ])
    expect(services.relay).toMatchObject({
      command: ['serve', 'relay', '--settings', at('relay.toml'), '--db', at('events')],
      environment: { GRINPAY_READY: 'http://127.0.0.1:8008/ready' },
      volumes: [`${at('events')}:${at('events')}`, `${at('relay.toml')}:${at('relay.toml')}:ro`],
    })
    expect(stdout).not.toContain('env_file')
    expect(secrets).toEqual({
      pay_api_token: { file: at('secrets', 'api') },
      pay_wallet_password: { file: at('secrets', 'wallet_password') },
    })
  },
)

test.runIf(hasYaml)('what it names exists: files on this machine, settings of grinpay', async () => {
  const { services, secrets } = parsed((await print(...ALL, '--file', 'compose.yaml')).stdout)
  for (const { file } of Object.values(secrets)) expect(existsSync(file)).toBe(true)
  const known = new Set(
    (['pay', 'nameauth', 'relay'] as const).flatMap((daemon) =>
      settingGroups(daemon).flatMap((group) => group.settings.map(({ name }) => `${name}_FILE`)),
    ),
  )
  for (const { environment, volumes } of Object.values(services)) {
    for (const name of Object.keys(environment).filter((each) => !OF_THE_IMAGE.has(each))) expect(known).toContain(name)
    for (const path of [...volumes.filter((each) => each.endsWith(':ro')).map((each) => each.split(':')[0] ?? '')])
      expect(existsSync(path)).toBe(true)
  }
})

test.runIf(hasYaml)('each container has the memory limit and the heap of the units of this machine', async () => {
  const { heap, most } = serviceMemory()
  const { services } = parsed((await print(...ALL, '--file', 'compose.yaml')).stdout)
  for (const service of Object.values(services)) {
    expect(service).toMatchObject({ mem_limit: `${most}m`, memswap_limit: `${most}m` })
    expect(service.environment.NODE_OPTIONS).toBe(`--max-old-space-size=${heap}`)
  }
})

test.each([
  [1, 460, 870],
  [2, 921, 1740],
  [4, 1843, 3481],
])('on a machine with %d GB the heap is %d MB and the limit %d MB', (gigabytes, heap, most) => {
  const service = {
    daemon: 'relay' as const,
    settingsFile: at('relay.toml'),
    folders: [at('events')],
    bind: { host: '127.0.0.1', port: 8008 },
    secretFile: () => undefined,
    inline: [],
  }
  const memory = serviceMemory(gigabytes * 2 ** 30)
  const { files } = composeFiles({ services: [service], version: '0.1.0', dir: folder, memory })
  const lines = (files.find(({ path }) => path.endsWith('compose.yaml'))?.text ?? '')
    .split('\n')
    .map((line) => line.trim())
  expect(lines).toContain(`mem_limit: ${most}m`)
  expect(lines).toContain(`NODE_OPTIONS: --max-old-space-size=${heap}`)
})

test('no secret is in the image or in the compose file', async () => {
  const { stdout } = await print(...ALL)
  expect(stdout).not.toContain('secret-token')
  expect(stdout).not.toContain('secret-password')
})

test('the image is slim, not root, and healthy while /ready says so', async () => {
  const { stdout } = await print('--daemon', 'pay', '--file', 'Containerfile')
  expect(stdout).toMatch(/^FROM node:22-bookworm-slim$/m)
  expect(stdout.indexOf('\nUSER 10001:10001\n')).toBeGreaterThan(stdout.lastIndexOf('\nRUN '))
  expect(stdout).toMatch(/^HEALTHCHECK [\s\S]*GRINPAY_READY/m)
  expect(stdout.match(/^COPY .*$/gm)).toHaveLength(1)
})

test('what does not work in containers is reported: sealed secrets, no password', async () => {
  rmSync(at('secrets', 'wallet_password'))
  writeFileSync(
    at('pay.env'),
    `PAY_API_TOKEN_FILE=${at('a.cred')}\nPAY_ADMIN_TOKEN=pay_admin_x\nPAY_DATA_DIR=/d/x\nPAY_DB_PATH=/d/x/p\n`,
  )
  const { stdout, stderr } = await print('--daemon', 'pay')
  expect(stderr).toContain('a.cred is sealed for systemd')
  expect(stderr).toContain('no wallet password')
  expect(stdout).not.toContain('pay_admin_x')
})

test('installed, both files are there, a second time nothing changes, and one changed by hand stays', async () => {
  const install = () => runCommandClass(ComposeInstall, [...settings(), ...ALL, '--dir', at('compose')])
  const { exit, stderr } = await install()
  expect(exit).toBe(0)
  expect(stderr).toContain('docker compose up --detach --build')
  expect(stderr).toContain(` ${at('pay.env')} ${at('nameauth.env')} ${at('secrets', 'api')}`)
  expect((await install()).stdout).toContain(`unchanged   ${at('compose', 'compose.yaml')}`)
  writeFileSync(
    at('compose', 'compose.yaml'),
    readFileSync(at('compose', 'compose.yaml'), 'utf8').replace('30s', '60s'),
  )
  expect((await install()).exit).toBe(6)
})

test('relative folders are refused: a container has no place of its own', async () => {
  writeFileSync(at('pay.env'), 'PAY_BIND=127.0.0.1:8080\n')
  const { exit, stderr } = await print('--daemon', 'pay')
  expect(exit).toBe(2)
  expect(stderr).toContain('a container needs absolute paths')
})
