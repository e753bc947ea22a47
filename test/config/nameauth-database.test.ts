import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readNameSettings } from '../../src/cli/partial-settings.js'
import { loadNameauthConfig, openEnvironment } from '../../src/config/index.js'

const URL = 'postgresql://names:hush-hush@a:5432,b:5432/grinpay?sslmode=verify-full'
const load = (variables: Readonly<Record<string, string>>) =>
  loadNameauthConfig(openEnvironment({ variables: { NAMEAUTH_DOMAIN: 'names.example', ...variables } }))
const refusal = (variables: Readonly<Record<string, string>>): string => {
  try {
    load(variables)
    return 'accepted'
  } catch (error) {
    return `${error} ${JSON.stringify(error)}`
  }
}

test('without an address names are in a file', () => {
  const { database, dbPath } = load({ NAMEAUTH_DATA_DIR: '/data' })
  expect([database, dbPath]).toEqual([undefined, '/data/names.db'])
})

test('an address puts them into PostgreSQL, in the schema of that name', () => {
  const { database } = load({ NAMEAUTH_DATABASE_URL: URL })
  expect(database?.address.hosts).toEqual([
    { host: 'a', port: 5432 },
    { host: 'b', port: 5432 },
  ])
  expect([database?.schema, database?.unsafe]).toEqual(['names', undefined])
  expect(load({ NAMEAUTH_DATABASE_URL: URL, NAMEAUTH_DATABASE_SCHEMA: 'shop_2' }).database?.schema).toBe('shop_2')
})

test('an address and a file are an error', () => {
  expect(refusal({ NAMEAUTH_DATABASE_URL: URL, NAMEAUTH_NAMES_DB: '/data/names.db' })).toContain(
    'NAMEAUTH_DATABASE_URL and NAMEAUTH_NAMES_DB are both set',
  )
})

test.each([
  { NAMEAUTH_DATABASE_URL: 'postgresql://names:hush-hush@a:5432' },
  { NAMEAUTH_DATABASE_URL: `${URL}&password=hush-hush` },
  { NAMEAUTH_DATABASE_URL: URL, NAMEAUTH_DATABASE_SCHEMA: 'no"quotes' },
  { NAMEAUTH_DATABASE_URL: URL, NAMEAUTH_NAMES_DB: '/data/names.db' },
])('no refusal shows the password', (variables) => {
  const text = refusal(variables)
  expect(text).toContain('configuration error: NAMEAUTH_DATABASE')
  expect(text).not.toContain('hush-hush')
})

test('a server without standbys is accepted with a word only', () => {
  const { notices } = load({ NAMEAUTH_DATABASE_URL: URL, NAMEAUTH_DATABASE_UNSAFE: 'single' })
  expect(notices.map(({ text }) => text)).toContainEqual(expect.stringContaining('may be lost'))
})

test('a command whose address is broken works on no file instead', () => {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-broken-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const settings = join(folder, 'nameauth.env')
  const lines = (url: string) =>
    `NAMEAUTH_DOMAIN=names.example\nNAMEAUTH_DATA_DIR=${folder}\nNAMEAUTH_DATABASE_URL=${url}\n`
  writeFileSync(settings, lines('postgresql://a/d'))
  expect(() => readNameSettings({ settings })).toThrow('NAMEAUTH_DATABASE_URL must name the user')
  writeFileSync(settings, lines('postgresql://u@a/d'))
  expect(readNameSettings({ settings }).database?.address.user).toBe('u')
  expect(readNameSettings({ settings, db: join(folder, 'other.db') }).database).toBeUndefined()
})
