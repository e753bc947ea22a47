// Secrets that can be guessed, and one token for two purposes: refused, with the command that mends it.
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  configurationProblems,
  DAEMONS,
  loadNameauthConfig,
  loadPayConfig,
  loadRelayConfig,
  openEnvironment,
} from '../../src/config/index.js'
import { LEAST_SECRET } from '../../src/lib/secret-lines.js'
import { UNSOUND_SECRETS } from '../support/unsound-secrets.js'

const GOOD = 'pay_live_0123456789abcdef'
const OTHER = 'pay_admin_0123456789abcdef'
const textsOf = (load: () => unknown): readonly string[] => {
  try {
    load()
    return []
  } catch (thrown) {
    const problems = configurationProblems(thrown)
    if (!problems) throw thrown
    return problems.map(({ text }) => text)
  }
}
const files: Record<string, string> = {}
const till = (variables: Record<string, string>) =>
  textsOf(() =>
    loadPayConfig(
      openEnvironment({
        variables: { PAY_BUNDLED_RELAY_BIND: 'off', ...variables },
        readFile: (path) => files[path] ?? '',
      }),
    ),
  )

describe('a till', () => {
  test.each([
    ['PAY_API_TOKEN', 'api'],
    ['PAY_ADMIN_TOKEN', 'admin'],
    ['PAY_WEBHOOK_SECRET', 'webhook'],
  ])('refuses a %s of 15 characters, and tells the remedy without a word of it', (name, kind) => {
    const [text = '', ...more] = till({ [name]: 'sesame-open-012', PAY_WEBHOOK_URL: 'https://shop.example/h' }).filter(
      (one) => one.startsWith(name),
    )
    expect(text).toBe(
      `${name} can be guessed: it must have at least 16 characters (grinpay secret rotate ${kind} makes a new one)`,
    )
    expect(more).toEqual([])
    expect(till({ [name]: 'sesame-open-0123' })).toEqual([])
  })

  test('looks into files too, at every line that counts for good', () => {
    files['/s/api'] = `${GOOD}\nshort\n`
    expect(till({ PAY_API_TOKEN_FILE: '/s/api' })).toEqual([expect.stringMatching(/^PAY_API_TOKEN can be guessed/)])
  })

  test('lets a weak one end by a rotation: what has an end is taken until then, and so is a hash', () => {
    files['/s/api'] = `${GOOD}\nshort until=2030-01-01T00:00:00Z\n`
    files['/s/hash'] = `sha256:${createHash('sha256').update('x').digest('hex')}\n`
    expect(till({ PAY_API_TOKEN_FILE: '/s/api', PAY_ADMIN_TOKEN_FILE: '/s/hash' })).toEqual([])
  })

  test.each<[string, string]>([
    ['as it is', GOOD],
    ['as its hash', `sha256:${createHash('sha256').update(GOOD).digest('hex')}`],
  ])('refuses one token for shops and operator (%s)', (_how, admin) => {
    expect(till({ PAY_API_TOKEN: GOOD, PAY_ADMIN_TOKEN: admin })).toEqual([
      'PAY_ADMIN_TOKEN is PAY_API_TOKEN: every shop could do what only the operator may (grinpay secret rotate admin --overlap 0s makes another)',
    ])
    expect(till({ PAY_API_TOKEN: GOOD, PAY_ADMIN_TOKEN: OTHER })).toEqual([])
  })

  test('needs a weak secret of webhooks said once, not that there is none', () => {
    expect(till({ PAY_WEBHOOK_URL: 'https://shop.example/h', PAY_WEBHOOK_SECRET: 'x' })).toHaveLength(1)
  })

  test.each(UNSOUND_SECRETS.filter(([, secret]) => secret.trim() === secret && secret.length >= LEAST_SECRET))(
    'refuses %s as secret of webhooks, with the command that makes another and without a part of it',
    (_, secret) => {
      const refusals = [
        ...till({ PAY_WEBHOOK_URL: 'https://shop.example/h', PAY_WEBHOOK_SECRET: secret }),
        ...till({ PAY_WEBHOOK_3_URL: 'https://shop.example/h', PAY_WEBHOOK_3_SECRET: secret }),
      ]
      expect(refusals).toEqual([
        expect.stringMatching(/^PAY_WEBHOOK_SECRET (is|has) .*: grinpay secret rotate webhook makes a new one$/),
        expect.stringMatching(/^PAY_WEBHOOK_3_SECRET .*: grinpay secret rotate webhook --receiver 3 makes a new one$/),
      ])
      expect(refusals.join()).not.toContain(secret.slice(6))
    },
  )

  test('refuses it also as an old one that ends by itself, and names its place', () => {
    files['/s/hook'] = `whsec_${'c3'.repeat(32)}\nwhsec_**************** until=2030-01-01T00:00:00Z\n`
    expect(till({ PAY_WEBHOOK_URL: 'https://shop.example/h', PAY_WEBHOOK_SECRET_FILE: '/s/hook' })).toEqual([
      expect.stringContaining('(secret 2 of 2)'),
    ])
  })

  test('refuses an empty PAY_BIND; left out it is this machine alone', () => {
    expect(till({ PAY_BIND: '' })).toEqual(['PAY_BIND must not be empty'])
    expect(till({ PAY_BIND: ' ' })).toEqual(['PAY_BIND must not be empty'])
    expect(till({})).toEqual([])
  })
})

describe('what only the start needs', () => {
  const missing = (variables: Record<string, string>, isHandedOver = false) =>
    DAEMONS.pay.missingAtStart(openEnvironment({ variables, readFile: () => 'correct horse' }), () => isHandedOver)

  test('is the wallet password: set, in a file, a credential, or handed over by a unit', () => {
    expect(missing({})).toEqual([
      { setting: 'PAY_WALLET_PASSWORD', text: expect.stringContaining('PAY_WALLET_PASSWORD is not set') },
    ])
    expect(missing({ PAY_WALLET_PASSWORD: 'x' })).toEqual([])
    expect(missing({ PAY_WALLET_PASSWORD_FILE: '/s/p' })).toEqual([])
    expect(missing({ CREDENTIALS_DIRECTORY: '/run/c' })).toEqual([])
    expect(missing({}, true)).toEqual([])
  })
})

test.each(['NAMEAUTH_PAY_TOKEN', 'NAMEAUTH_PAY_WEBHOOK_SECRET'])('a name authority refuses a weak %s', (name) => {
  const variables = {
    NAMEAUTH_DOMAIN: 'names.example',
    ...{ NAMEAUTH_PAY_MODE: 'name', NAMEAUTH_NAME_PRICE_GRIN: '1', NAMEAUTH_PAY_URL: 'https://pay.example' },
    ...{ NAMEAUTH_PAY_TOKEN: GOOD, NAMEAUTH_PAY_WEBHOOK_SECRET: GOOD },
  }
  const load = (more: object) =>
    textsOf(() => loadNameauthConfig(openEnvironment({ variables: { ...variables, ...more } })))
  expect(load({ [name]: 'sesame' })[0]).toMatch(
    new RegExp(`^${name} can be guessed: it must have at least 16 characters`),
  )
  expect(load({})).toEqual([])
})

test('a relay refuses a weak token of the till', () => {
  const text = '[pay]\napi_token = "sesame"\n'
  const load = () =>
    loadRelayConfig({ environment: openEnvironment({ variables: {} }), file: { path: 'relay.toml', text } })
  expect(textsOf(load).join()).toContain('can be guessed')
})
