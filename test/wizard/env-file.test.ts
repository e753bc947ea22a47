// One file, four readers: what systemd, dotenv and a shell make of it must be the same.
import { parse } from 'dotenv'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parsePlain } from '../../src/config/env.js'
import { openEnvironment, readNameauthValues, readPayValues, settingGroups } from '../../src/config/index.js'
import { envLine, isPortable, renderEnvFile } from '../../src/wizard/env-file.js'

/** EnvironmentFile= as systemd.exec(5) describes it, for one line. */
function systemdLine(line: string): readonly [string, string] | undefined {
  const trimmed = line.trim()
  if (trimmed === '' || /^[#;]/.test(trimmed)) return undefined
  const at = trimmed.indexOf('=')
  const value = trimmed.slice(at + 1).trim()
  const quoted = /^"((?:[^"\\]|\\.)*)"$/.exec(value)
  return [trimmed.slice(0, at).trim(), quoted ? (quoted[1] ?? '').replace(/\\(["\\`$])/g, '$1') : value]
}

const systemdParse = (text: string): Record<string, string> =>
  Object.fromEntries(text.split('\n').flatMap((line) => [systemdLine(line) ?? []].filter((pair) => pair.length === 2)))

test.each([
  ['PAY_BIND', '127.0.0.1:8080', 'PAY_BIND=127.0.0.1:8080'],
  ['PAY_RELAYS', 'wss://a.example,wss://b.example', 'PAY_RELAYS=wss://a.example,wss://b.example'],
  ['PAY_DATA_DIR', '/srv/my till', 'PAY_DATA_DIR="/srv/my till"'],
  ['PAY_PUBLIC_URL', 'https://x.example/#till', 'PAY_PUBLIC_URL="https://x.example/#till"'],
])('%s=%s is written as %s', (name, value, line) => expect(envLine(name, value)).toBe(line))

test.each(['a"b', "a'b", 'a\\b', 'a$b', 'a`b', 'a\nb', 'a\tb', ' a', 'a '])('%j is refused', (value) => {
  expect(() => envLine('PAY_X', value)).toThrow('PAY_X must not contain')
})

test('whatever is written, systemd and dotenv read the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (value) => {
      let line: string
      try {
        line = envLine('PAY_X', value)
      } catch {
        return true
      }
      return parse(line).PAY_X === value && systemdParse(line).PAY_X === value
    }),
    { numRuns: 2000 },
  )
})

test('the whole file is read alike, and every setting is in it', () => {
  const values = new Map([
    ['PAY_BIND', '[::1]:9000'],
    ['PAY_DATA_DIR', '/srv/my till # one'],
    ['PAY_API_TOKEN_FILE', '/etc/grinpay/api'],
    ['MY_OWN', 'kept'],
  ])
  const text = renderEnvFile(values, 'pay')
  expect(parse(text)).toEqual(Object.fromEntries(values))
  expect(systemdParse(text)).toEqual(Object.fromEntries(values))
  for (const { settings } of settingGroups()) for (const { name } of settings) expect(text).toContain(`${name}`)
})

test('the defaults shown in comments are the defaults in force', () => {
  const shown = renderEnvFile(new Map(), 'pay').replace(/^#(PAY_[A-Z0-9_]+=)/gm, '$1')
  const read = (text: string) =>
    readPayValues(openEnvironment({ envFile: 'f', variables: {}, readFile: () => text })).values
  expect(JSON.stringify(read(shown))).toBe(JSON.stringify(read('')))
})

test('whatever is written, the plain form of the name authority reads the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (value) => {
      fc.pre(isPortable(value))
      return parsePlain(envLine('NAMEAUTH_X', value)).NAMEAUTH_X === value
    }),
    { numRuns: 2000 },
  )
})

test('the file of the name authority holds every setting, and is read alike', () => {
  const values = new Map([
    ['NAMEAUTH_DOMAIN', 'names.example'],
    ['NAMEAUTH_NAMES_DB', '/srv/my names/names.db'],
    ['NAMEAUTH_PAY_TOKEN_FILE', '/etc/grinpay/nameauth/secrets/pay_token'],
    ['MY_OWN', 'kept'],
  ])
  const text = renderEnvFile(values, 'nameauth')
  for (const read of [parse, systemdParse, parsePlain]) expect(read(text)).toEqual(Object.fromEntries(values))
  for (const { settings } of settingGroups('nameauth')) for (const { name } of settings) expect(text).toContain(name)
})

test('the defaults that the name authority shows in comments are those in force', () => {
  const read = (text: string) =>
    readNameauthValues(openEnvironment({ envFile: 'f', form: 'plain', variables: {}, readFile: () => text })).values
  const shown = renderEnvFile(new Map(), 'nameauth').replace(/^#(NAMEAUTH_[A-Z0-9_]+=)/gm, '$1')
  expect(JSON.stringify(read(shown))).toBe(JSON.stringify(read('')))
})
