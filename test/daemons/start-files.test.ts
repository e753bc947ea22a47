// Files that a start reads because settings name them: what the start would refuse, `config check` and `serve --check` refuse.
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import ConfigCheck from '../../src/commands/config/check.js'
import ServePay from '../../src/commands/serve/pay.js'
import { type DaemonName, openEnvironment } from '../../src/config/index.js'
import { startFileProblems } from '../../src/daemons/start-files.js'
import { runCommandClass } from '../support/run-command.js'

let folder: string
const at = (name: string) => join(folder, name)
const fixture = (name: string) => join(import.meta.dirname, 'certificates', name)
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'grinpay-start-files-'))
  for (const name of ['first.pem', 'first.key', 'second.key']) copyFileSync(fixture(name), at(name))
  writeFileSync(at('logo.svg'), '<!DOCTYPE svg SYSTEM "x.dtd"><svg></svg>')
  writeFileSync(at('bad.svg'), '<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>')
  writeFileSync(at('password'), 'correct horse battery', { mode: 0o600 })
})
afterEach(() => rmSync(folder, { recursive: true }))

const TLS = { PAY_TLS: 'on', PAY_TLS_CERT: 'first.pem', PAY_TLS_KEY: 'first.key' }
const DATABASE = 'postgresql://grinpay@db.example/grinpay?sslmode=verify-full&sslrootcert='
/** Settings beside those that are needed; a name of a file stands for its place. */
type Case = readonly [what: string, variables: Readonly<Record<string, string>>, problem: string | undefined]
const TILL: readonly Case[] = [
  ['a certificate with its key', TLS, undefined],
  ['a logo', { PAY_SHOP_LOGO: 'logo.svg' }, undefined],
  ['no certificate', { ...TLS, PAY_TLS_CERT: 'none.crt' }, 'PAY_TLS_CERT cannot be read (ENOENT'],
  ['no key', { ...TLS, PAY_TLS_KEY: 'none.key' }, 'PAY_TLS_KEY cannot be read (ENOENT'],
  ['no PEM', { ...TLS, PAY_TLS_CERT: 'logo.svg' }, 'PAY_TLS_CERT holds no certificate in PEM form'],
  ['the key of another', { ...TLS, PAY_TLS_KEY: 'second.key' }, 'PAY_TLS_KEY is not the key of the certificate'],
  ['files of a listener without TLS', { ...TLS, PAY_TLS: 'off', PAY_TLS_KEY: 'none.key' }, undefined],
  ['no logo', { PAY_SHOP_LOGO: 'none.png' }, 'PAY_SHOP_LOGO cannot be read (ENOENT'],
  ['a folder as logo', { PAY_SHOP_LOGO: '.' }, 'PAY_SHOP_LOGO cannot be read (EISDIR'],
  ['a logo that is none', { PAY_SHOP_LOGO: 'first.pem' }, 'PAY_SHOP_LOGO is no PNG, JPEG, WebP or SVG'],
  ['a logo with entities', { PAY_SHOP_LOGO: 'bad.svg' }, 'PAY_SHOP_LOGO is an SVG with a DOCTYPE that declares'],
  [
    'no root of the database',
    { PAY_DATABASE_URL: `${DATABASE}/none.crt` },
    'PAY_DATABASE_URL names sslrootcert=/none.crt',
  ],
]

const placed = (text: string): string => (/^(?:\.|[\w-]+\.\w{3})$/.test(text) ? at(text) : text)
const placedIn = (variables: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).map(([name, text]) => [name, placed(text)]))

test.each(TILL)(
  '%s: config check and serve --check say what the start would say',
  async (_what, variables, problem) => {
    const all = { PAY_WALLET_PASSWORD_FILE: at('password'), PAY_DATA_DIR: at('data'), ...placedIn(variables) }
    writeFileSync(
      at('pay.env'),
      Object.entries(all)
        .map((pair) => `${pair.join('=')}\n`)
        .join(''),
    )
    for (const { stderr, exit } of [
      await runCommandClass(ConfigCheck, [at('pay.env')]),
      await runCommandClass(ServePay, ['--check', '--settings', at('pay.env')]),
    ]) {
      expect({ exit, stderr }).toMatchObject({ exit: problem === undefined ? 0 : 2 })
      expect(stderr.replaceAll(/\s+/g, ' ')).toContain(problem ?? '')
    }
  },
)

test.each<[DaemonName, Record<string, string>, string]>([
  [
    'nameauth',
    { NAMEAUTH_DOMAIN: 'names.example', NAMEAUTH_DATABASE_URL: `${DATABASE}/none.crt` },
    'NAMEAUTH_DATABASE_URL',
  ],
  ['relay', { RELAY_LOG_URL: `${DATABASE}/none.crt` }, 'log.url'],
])('the root certificate of the database of %s is looked at, too', (daemon, variables, setting) => {
  const problems = startFileProblems(daemon, { environment: openEnvironment({ variables }) })
  expect(problems).toMatchObject([
    { setting, text: expect.stringContaining('names sslrootcert=/none.crt, which cannot be read') },
  ])
})
