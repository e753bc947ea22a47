// Settings both ways: what is read is documented, what is documented is read; and no page names a variable that there is not.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Environment, loadRelayConfig, readNameauthValues, readPayValues } from '../../src/config/index.js'
import { NAMEAUTH_SETTINGS } from '../../src/config/nameauth-settings.js'
import { PAY_SETTINGS } from '../../src/config/pay-settings.js'
import { RELAY_SETTINGS } from '../../src/config/relay-settings.js'
import { GENERATED_PAGES } from '../support/generated-pages.js'

const [, pay = '', nameauth = '', relay = ''] = GENERATED_PAGES['settings.md'].split(/^## /m)

/** Of the rows of a part: the setting, and the other names that its text tells. */
const rowsOf = (part: string): readonly { readonly name: string; readonly others: readonly string[] }[] =>
  [...part.matchAll(/^\| `([^`]+)` \| [^|]*\| (.*) \|$/gm)].map(([, name = '', text = '']) => ({
    name,
    others: [...(/[Aa]lso (?:read as )?(.*)\.$/.exec(text)?.[1] ?? '').matchAll(/`?([a-z_.]+|[A-Z_]+)`?(?:, |$)/g)].map(
      ([, other = '']) => other,
    ),
  }))

/** Keys of a relay stand below their section. */
const relayRows = relay
  .split(/^### \[/m)
  .slice(1)
  .flatMap((part) => {
    const section = part.slice(0, part.indexOf(']'))
    return rowsOf(part).map(({ name, others }) => ({ key: `${section}.${name}`, others }))
  })
const variableOf = (key: string): string => `RELAY_${key.replace('.', '_').toUpperCase()}`

/** An environment in which nothing is set, and the names that were asked for. */
function listening(): { readonly environment: Environment; readonly asked: Set<string> } {
  const asked = new Set<string>()
  const environment: Environment = {
    find(name) {
      asked.add(name)
      return undefined
    },
    names: () => [],
    readFile: () => '',
    credentialsDirectory: undefined,
    envFile: undefined,
  }
  return { environment, asked }
}

const withoutFiles = (names: Iterable<string>): readonly string[] => [...names].filter((name) => !/_FILE$/.test(name))

describe('what is read is documented, and the other way round', () => {
  test('of the till', () => {
    const { environment, asked } = listening()
    readPayValues(environment)
    const documented = rowsOf(pay).map(({ name }) => name)
    // "The names of GoblinPay (GP_…) are read where ours are absent."
    const read = [...asked].filter((name) => !name.startsWith('GP_'))
    expect(documented.length).toBeGreaterThan(45)
    expect(new Set(withoutFiles(read))).toEqual(new Set(withoutFiles(documented)))
  })

  test('of the name authority', () => {
    const { environment, asked } = listening()
    readNameauthValues(environment)
    const documented = rowsOf(nameauth).flatMap(({ name, others }) => [name, ...others])
    const originals = /^FLOONET_|^GOBLINPAY_(URL|TOKEN|WEBHOOK_SECRET)$/
    const read = withoutFiles(asked).filter((name) => !originals.test(name))
    expect(documented.length).toBeGreaterThan(20)
    expect(new Set(read)).toEqual(new Set(withoutFiles(documented)))
  })

  test('of the relay', () => {
    const { environment, asked } = listening()
    loadRelayConfig({ environment, file: undefined }, { dataDir: '/var/lib/grinpay' })
    const documented = relayRows.flatMap(({ key, others }) => [
      variableOf(key),
      ...others.filter((other) => /^[A-Z]/.test(other)),
    ])
    expect(relayRows.length).toBeGreaterThan(50)
    expect(withoutFiles(documented).filter((name) => !asked.has(name))).toEqual([])
    expect(withoutFiles(asked).filter((name) => !documented.includes(name))).toEqual([])
  })

  test('docs/relay.example.toml has every key of the relay', () => {
    let section = ''
    const keys = readFileSync('docs/relay.example.toml', 'utf8')
      .split('\n')
      .flatMap((line) => {
        section = /^#? ?\[([a-z_]+)\]/.exec(line)?.[1] ?? section
        const key = /^#?([a-z_0-9]+) =/.exec(line)?.[1]
        return key === undefined ? [] : [`${section}.${key}`]
      })
    expect(keys.filter((key) => !relayRows.some((row) => row.key === key || `${row.key}_file` === key))).toEqual([])
    expect(
      relayRows.map(({ key }) => key).filter((key) => !keys.includes(key) && !keys.includes(`${key}_file`)),
    ).toEqual([])
  })
})

describe('what is read is used', () => {
  const sources = filesBelow('src', /\.ts$/).filter((path) => !/-settings\.ts$/.test(path))
  const text = sources.map((path) => readFileSync(path, 'utf8')).join('\n')
  const words = new Set(text.match(/\b[a-z]\w+\b/g))

  test.each([
    ['the till', PAY_SETTINGS],
    ['the name authority', NAMEAUTH_SETTINGS],
    ['the relay', RELAY_SETTINGS],
  ])('of %s', (_, table) => {
    const idle = Object.entries<{ readonly about: string }>(table).filter(([member]) => !words.has(member))
    expect(idle.map(([member]) => member)).toEqual([])
  })
})

describe('every variable that a page or a template names', () => {
  const PREFIX = /\b(?:GRINPAY|PAY|NAMEAUTH|RELAY|FLOONET|GOBLINPAY|GP)_[A-Z0-9_]*[A-Z0-9]\b/g
  /** Where settings are looked for at all, and what is only for tests and builds; docs/cli.md and CONTRIBUTING.md tell them. */
  const AROUND = [
    ...['GRINPAY_URL', 'GRINPAY_TOKEN_FILE', 'GRINPAY_ENV_FILE', 'NAMEAUTH_ENV_FILE', 'FLOONET_ENV_FILE'],
    ...[
      'RELAY_ENV_FILE',
      'RELAY_CONFIG_FILE',
      'RELAY_SYNC_KEY',
      'GRINPAY_READY',
      'GRINPAY_BENCH_SET',
      'GRINPAY_BENCH_ROUNDS',
    ],
    // Of a shop's own code.
    ...['PAY_URL', 'PAY_WEBHOOK_SECRETS'],
    // Planted, for the doctor to find.
    ...['PAY_WEBHOK_URL', 'NAMEAUTH_NAME_MAXX'],
  ]
  const codes = [...GENERATED_PAGES['errors.md'].matchAll(/`([A-Z0-9_]+)`/g)].map(([, code]) => code)
  const read = new Set<string>()
  for (const load of [readPayValues, readNameauthValues]) {
    const { environment, asked } = listening()
    load(environment)
    for (const name of asked) read.add(name)
  }
  const { environment, asked } = listening()
  loadRelayConfig({ environment, file: undefined }, { dataDir: '/var/lib/grinpay' })
  for (const name of [...asked, ...AROUND]) read.add(name)

  const generated = new Map<string, string>(
    Object.entries(GENERATED_PAGES).map(([name, text]) => [join('docs', name), text]),
  )
  const files = [
    ...filesBelow('docs', /\.(md|toml)$/),
    ...filesBelow('templates', /./),
    ...['README.md', 'SECURITY.md', 'ARCHITECTURE.md'],
  ]
  test.each([...new Set([...files, ...generated.keys()])])('is there: %s', (path) => {
    const named = (generated.get(path) ?? readFileSync(path, 'utf8')).match(PREFIX) ?? []
    const unknown = named.filter(
      (name) => !read.has(name) && !read.has(name.replace(/_FILE$/, '')) && !codes.includes(name),
    )
    expect([...new Set(unknown)]).toEqual([])
  })
})

function filesBelow(folder: string, name: RegExp): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
}
