// The files of templates/cluster, as far as they can be judged without machines: their form, the promises in them, the settings that they name.
// test/faults/patroni.test.ts runs those of Patroni, etcd and Caddy; no test starts the containers.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { settingGroups } from '../../src/config/index.js'

const FOLDER = 'templates/cluster'
const file = (name: string): string => readFileSync(join(FOLDER, name), 'utf8')
const TO_JSON = 'import sys, json, yaml; print(json.dumps(yaml.safe_load(sys.stdin)))'
const hasYaml = spawnSync('python3', ['-c', 'import yaml']).status === 0
const hasCaddy = spawnSync('caddy', ['version']).status === 0

interface Service {
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly build?: { readonly dockerfile: string }
  readonly secrets?: readonly string[]
}

function parsed(text: string) {
  const { stdout, stderr } = spawnSync('python3', ['-c', TO_JSON], { input: text, encoding: 'utf8' })
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

test.runIf(hasYaml)(
  'the compose file has three of what votes, two of what serves, and names only settings that exist',
  () => {
    const { services, secrets } = parsed(file('compose.yaml')) as {
      services: Readonly<Record<string, Service>>
      secrets: Readonly<Record<string, unknown>>
    }
    const count = (begin: string) => Object.keys(services).filter((name) => name.startsWith(begin)).length
    expect(['etcd-', 'postgres-', 'names-', 'proxy'].map(count)).toEqual([3, 3, 2, 1])

    const known = new Set(settingGroups('nameauth').flatMap(({ settings }) => settings.map(({ name }) => name)))
    const named = Object.values(services).flatMap(({ environment }) =>
      Object.keys(environment ?? {}).filter((name) => name.startsWith('NAMEAUTH_')),
    )
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((name) => !known.has(name) && !known.has(name.replace(/_FILE$/, '')))).toEqual([])
    expect(Object.keys(secrets)).toEqual([...new Set(Object.values(services).flatMap(({ secrets = [] }) => secrets))])
  },
)

test.runIf(hasYaml)('no two database services share a volume or a name', () => {
  const { services } = parsed(file('compose.yaml')) as { services: Readonly<Record<string, Service>> }
  for (const kind of ['etcd', 'postgres']) {
    const volumes = ['a', 'b', 'c'].map((node) => services[`${kind}-${node}`]?.volumes?.[0]?.split(':')[0])
    expect(volumes).toEqual(['a', 'b', 'c'].map((node) => `${kind}-${node}`))
  }
  expect(['a', 'b', 'c'].map((node) => services[`etcd-${node}`]?.environment?.NODE)).toEqual(['a', 'b', 'c'])
})

test.runIf(hasYaml)(
  'Patroni acknowledges nothing that one machine alone has, and promotes none that lacks anything',
  () => {
    const { dcs } = parsed(file('patroni.yml')).bootstrap
    expect(dcs).toMatchObject({ synchronous_mode: true, synchronous_mode_strict: true, maximum_lag_on_failover: 0 })
    expect(dcs.postgresql.parameters.synchronous_commit).toBe('on')
    // Patroni raises a ttl below this by itself, and then nothing here is right.
    expect(dcs.ttl).toBeGreaterThanOrEqual(dcs.loop_wait + 2 * dcs.retry_timeout)
    expect(
      parsed(file('patroni.yml')).postgresql.pg_hba.filter((rule: string) => !/^(local|hostssl) /.test(rule)),
    ).toEqual([])
  },
)

test('every placeholder is explained at the top of its file', () => {
  for (const name of readdirSync(FOLDER)) {
    const [head = ''] = file(name).split(/^(?!#)/m)
    const used = new Set(
      [
        ...file(name)
          .slice(head.length)
          .matchAll(/@[A-Z_]+@/g),
      ].map(([word]) => word),
    )
    const unexplained = [...used].filter((word) => !head.includes(word) && !word.endsWith('_PASSWORD@'))
    expect([name, unexplained]).toEqual([name, []])
  }
})

test('every unit that a drop-in adds to, and every file that another one names, is there', () => {
  for (const name of ['etcd.service.conf', 'patroni.service.conf'])
    expect(file(name)).toMatch(new RegExp(`^# /etc/systemd/system/${name.replace('.conf', '')}\\.d/grinpay\\.conf `))
  const images = [...file('compose.yaml').matchAll(/dockerfile: (\S+)/g)].map(([, image = '']) => image)
  // Containerfile is written by `grinpay compose install`.
  expect(images.filter((image) => image !== 'Containerfile' && !existsSync(join(FOLDER, image)))).toEqual([])
})

describe.runIf(hasCaddy)('Caddy', () => {
  test.each([
    ['Caddyfile', 'NAMES'],
    ['pay.Caddyfile', 'TILL'],
    ['relay.Caddyfile', 'NOSTR'],
  ])('accepts %s, with two front ends behind it', (name, begin) => {
    const places = { SITE: 'http://127.0.0.1:1', 1: '127.0.0.1:2', 2: '127.0.0.1:3' }
    const own = Object.fromEntries(Object.entries(places).map(([end, place]) => [`${begin}_${end}`, place]))
    const order = ['adapt', '--config', join(FOLDER, name), '--adapter', 'caddyfile']
    const { stdout, stderr, status } = spawnSync('caddy', order, { env: { ...process.env, ...own }, encoding: 'utf8' })
    expect(status, stderr).toBe(0)
    expect([...stdout.matchAll(/"dial":"([^"]+)"/g)].map(([, dial]) => dial)).toEqual(['127.0.0.1:2', '127.0.0.1:3'])
  })
})
