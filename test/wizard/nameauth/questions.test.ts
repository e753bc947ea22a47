import { describe, expect, test } from 'vitest'
import { refusalForSetting } from '../../../src/config/index.js'
import { completeAnswers, parseAnswers } from '../../../src/wizard/answers.js'
import { NAMEAUTH_QUESTIONS, type NameauthAnswers } from '../../../src/wizard/nameauth/questions.js'
import { rowsOf } from '../../../src/wizard/question.js'

const KEYS = rowsOf(NAMEAUTH_QUESTIONS).map(([key]) => key)
const around = { dataDir: '/var/lib/grinpay-nameauth', tillAt: 'http://127.0.0.1:8192' }
const complete = (given: NameauthAnswers, present: NameauthAnswers = {}) =>
  completeAnswers(NAMEAUTH_QUESTIONS, { given, present, around })

test('only the domain has to be said', () => {
  expect(complete({ domain: 'names.example' })).toEqual({
    domain: 'names.example',
    relays: 'wss://names.example',
    bind: '127.0.0.1:8191',
    data_dir: '/var/lib/grinpay-nameauth',
    pay_mode: 'off',
    transfers: 'no',
  })
  expect(() => complete({})).toThrow('"domain" is missing')
})

test('a paid authority has a price and a till, and sales have nodes', () => {
  expect(complete({ domain: 'names.example', pay_mode: 'WRITE', transfers: 'Y' })).toMatchObject({
    pay_mode: 'write',
    price_grin: '1',
    pay_url: 'http://127.0.0.1:8192',
    transfers: 'yes',
    node_url: expect.stringMatching(/\/v2\/foreign/),
  })
})

test('everything wrong is said at once, and answers that do not go together are wrong', () => {
  const given = { domain: 'https://names.example', bind: '8191', price_grin: '1', transfers: 'maybe' }
  expect(() => complete(given)).toThrow(
    '"domain" must be a host name such as names.example (got "https://names.example"); "bind" must be host:port (got "8191"); "price_grin" does not go with the other answers; "transfers" must be yes or no (got "maybe")',
  )
})

describe('a domain', () => {
  const refused = [
    '',
    'a b',
    'https://a.example',
    'a.example/',
    'a.example:443',
    '-a.example',
    'a..example',
    'käse.example',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(127)}example`,
  ]
  test.each(refused)('%j is none', (domain) =>
    expect(() => complete({ domain })).toThrow('"domain" must be a host name'),
  )

  test.each(['names.example', 'localhost', 'a-b.c1.example', 'xn--kse-qla.example'])('%s is one', (domain) => {
    expect(complete({ domain }).domain).toBe(domain)
    expect(refusalForSetting('NAMEAUTH_DOMAIN', domain)).toBeUndefined()
  })

  test('is kept in lower case, because signed requests name it', () => {
    expect(complete({ domain: 'Names.EXAMPLE' }).domain).toBe('names.example')
  })
})

describe('no answer breaks the env file', () => {
  const good: NameauthAnswers = { domain: 'names.example', pay_mode: 'name', transfers: 'yes' }
  const keys = KEYS.filter((key) => !['domain', 'pay_mode', 'transfers', 'price_grin'].includes(key))

  test.each(KEYS.flatMap((key) => ['\n', '\r', '\0', '\u001b', '\u0085'].map((mark) => [key, mark] as const)))(
    'a control character in %s is refused: %j',
    (key, mark) => {
      expect(() => complete({ ...good, [key]: `${good[key] ?? '1'}${mark}` })).toThrow(
        `"${key}" must not contain control characters`,
      )
    },
  )

  test.each(keys.flatMap((key) => ['"', "'", '\\', '$', '`'].map((mark) => [key, mark] as const)))(
    'a mark in %s that readers take differently is refused: %s',
    (key, mark) => expect(() => complete({ ...good, [key]: `/x${mark}y` })).toThrow(`"${key}" must`),
  )
})

test.each([
  ['0', 'must be more than 0'],
  ['0.000000000', 'must be more than 0'],
  ['1.0000000001', 'at most 9 decimals'],
  ['-1', 'must be an amount'],
  ['1,5', 'must be an amount'],
])('the price %s is refused', (price, why) => {
  expect(() => complete({ domain: 'a.example', pay_mode: 'name', price_grin: price })).toThrow(why)
})

test.each([
  ['pay_url', 'ftp://till.example', 'must begin with http:// or https://'],
  ['node_url', 'https://a.example/v2/foreign,node', 'must begin with https:// or http://'],
  ['node_url', ' ', 'must be an address'],
  ['relays', 'https://relay.example', 'must begin with wss:// or ws://'],
  ['pay_mode', 'free', 'must be off, name or write'],
] as const)('%s %j is refused', (key, text, why) => {
  expect(() => complete({ domain: 'a.example', pay_mode: 'name', transfers: 'yes', [key]: text })).toThrow(why)
})

test('what is in force stands unless something else is said', () => {
  const present = { domain: 'a.example', bind: '127.0.0.1:9', pay_mode: 'name', price_grin: '7' }
  expect(complete({ price_grin: '8' }, present)).toMatchObject({
    domain: 'a.example',
    bind: '127.0.0.1:9',
    price_grin: '8',
  })
})

test.each([
  ['{"domain":"a.example","token":"x"}', 'unknown key "token"'],
  ['{"pay_token":"sesame"}', 'unknown key "pay_token"'],
  ['{"transfers":true}', '"transfers" must be a text'],
  ['[]', 'the answers must be a JSON object'],
])('the answers %s are refused', (text, why) => expect(() => parseAnswers(NAMEAUTH_QUESTIONS, text)).toThrow(why))
