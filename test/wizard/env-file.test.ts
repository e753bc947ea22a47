// What a setup writes, every reader reads alike, and ours says nothing about it.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseEnvText } from '../../src/config/env-lines.js'
import { openEnvironment, readNameauthValues, readPayValues, settingGroups } from '../../src/config/index.js'
import { envLine, renderEnvFile } from '../../src/wizard/env-file.js'
import { ENV_READERS } from '../support/env-readers.js'

const READERS = [(text: string) => Object.fromEntries(parseEnvText(text).values), ...Object.values(ENV_READERS)]

test.each([
  ['PAY_BIND', '127.0.0.1:8080', 'PAY_BIND=127.0.0.1:8080'],
  ['PAY_RELAYS', 'wss://a.example,wss://b.example', 'PAY_RELAYS=wss://a.example,wss://b.example'],
  ['PAY_DATA_DIR', '/srv/my till', 'PAY_DATA_DIR="/srv/my till"'],
  ['PAY_PUBLIC_URL', 'https://x.example/#till', 'PAY_PUBLIC_URL="https://x.example/#till"'],
])('%s=%s is written as %s', (name, value, line) => expect(envLine(name, value)).toBe(line))

test.each(['a"b', "a'b", 'a\\b', 'a$b', 'a`b', 'a\nb', 'a\tb', ' a', 'a '])('%j is refused', (value) => {
  expect(() => envLine('PAY_X', value)).toThrow('PAY_X must not contain')
})

test('whatever is written, all read the same, and nothing is said about it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (value) => {
      let line: string
      try {
        line = envLine('PAY_X', value)
      } catch {
        return true
      }
      expect(parseEnvText(line).remarks).toEqual([])
      return READERS.every((read) => read(line)?.PAY_X === value)
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
  for (const read of READERS) expect(read(text)).toEqual(Object.fromEntries(values))
  for (const { settings } of settingGroups()) for (const { name } of settings) expect(text).toContain(`${name}`)
})

test('the defaults shown in comments are the defaults in force', () => {
  const shown = renderEnvFile(new Map(), 'pay').replace(/^#(PAY_[A-Z0-9_]+=)/gm, '$1')
  const read = (text: string) =>
    readPayValues(openEnvironment({ envFile: 'f', variables: {}, readFile: () => text })).values
  expect(JSON.stringify(read(shown))).toBe(JSON.stringify(read('')))
})

test('the file of the name authority holds every setting, and is read alike', () => {
  const values = new Map([
    ['NAMEAUTH_DOMAIN', 'names.example'],
    ['NAMEAUTH_NAMES_DB', '/srv/my names/names.db'],
    ['NAMEAUTH_PAY_TOKEN_FILE', '/etc/grinpay/nameauth/secrets/pay_token'],
    ['MY_OWN', 'kept'],
  ])
  const text = renderEnvFile(values, 'nameauth')
  for (const read of READERS) expect(read(text)).toEqual(Object.fromEntries(values))
  for (const { settings } of settingGroups('nameauth')) for (const { name } of settings) expect(text).toContain(name)
})

test('the defaults that the name authority shows in comments are those in force', () => {
  const read = (text: string) =>
    readNameauthValues(openEnvironment({ envFile: 'f', variables: {}, readFile: () => text })).values
  const shown = renderEnvFile(new Map(), 'nameauth').replace(/^#(NAMEAUTH_[A-Z0-9_]+=)/gm, '$1')
  expect(JSON.stringify(read(shown))).toBe(JSON.stringify(read('')))
})
