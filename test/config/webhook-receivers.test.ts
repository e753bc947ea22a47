// Receivers 2 to 8: address and secret of each, gaps allowed.
import { describe, expect, test } from 'vitest'
import { loadPayConfig, openEnvironment } from '../../src/config/index.js'
import { FURTHER_RECEIVERS } from '../../src/config/webhook-receivers.js'
import { RECEIVERS, receiverSetting } from '../../src/lib/webhooks.js'

const SECRET = `whsec_${'doNotPrint0'.repeat(4)}`
const FIRST = { PAY_WEBHOOK_URL: 'https://shop.example/hook', PAY_WEBHOOK_SECRET: SECRET }

const load = (variables: Record<string, string>, files: Record<string, string> = {}) =>
  loadPayConfig(
    openEnvironment({
      variables,
      readFile: (path) => {
        const text = files[path]
        if (text === undefined) throw new Error('no such file')
        return text
      },
    }),
  )

test('each has its address and its secret; numbers may be left out', () => {
  const config = load({
    ...FIRST,
    PAY_WEBHOOK_4_URL: 'https://names.example/hook',
    PAY_WEBHOOK_4_SECRET: `${SECRET}four`,
    PAY_WEBHOOK_COMPAT: 'off',
  })
  expect(config.webhooks).toEqual([
    { receiver: 1, url: 'https://shop.example/hook', compat: false },
    { receiver: 4, url: 'https://names.example/hook', compat: false },
  ])
  const lines = config.rotating.receiverSecrets.get(4) ?? []
  expect(lines.map(({ secret }) => secret.reveal())).toEqual([`${SECRET}four`])
})

test('every number that a receiver can have has its two settings', () => {
  const further = RECEIVERS.filter((receiver) => receiver !== 1)
  expect(FURTHER_RECEIVERS.map(({ receiver }) => receiver)).toEqual(further)
  const all = further.flatMap((receiver) => [
    [receiverSetting(receiver, 'URL'), `https://shop${receiver}.example/hook`] as const,
    [receiverSetting(receiver, 'SECRET'), SECRET] as const,
  ])
  expect(load(Object.fromEntries(all)).webhooks.map(({ receiver }) => receiver)).toEqual(further)
})

test('a further receiver needs no first one', () => {
  const { webhooks } = load({ PAY_WEBHOOK_2_URL: 'https://names.example/hook', PAY_WEBHOOK_2_SECRET: SECRET })
  expect(webhooks.map(({ receiver }) => receiver)).toEqual([2])
})

test('a secret comes from a file, with older lines during a rotation, and the file is watched', () => {
  const { rotating } = load(
    { PAY_WEBHOOK_2_URL: 'https://names.example/hook', PAY_WEBHOOK_2_SECRET_FILE: '/s/two' },
    { '/s/two': `the-new-one-000001\nthe-old-one-000001 until=2099-01-01T00:00:00Z\n` },
  )
  expect(rotating.receiverSecrets.get(2)?.map(({ secret }) => secret.reveal())).toEqual([
    'the-new-one-000001',
    'the-old-one-000001',
  ])
  expect(rotating.files).toContain('/s/two')
})

describe('refused is', () => {
  test.each([
    ['an address alone', { PAY_WEBHOOK_3_URL: 'https://a.example/' }, 'PAY_WEBHOOK_3_URL needs PAY_WEBHOOK_3_SECRET'],
    ['a secret alone', { PAY_WEBHOOK_8_SECRET: SECRET }, 'PAY_WEBHOOK_8_SECRET needs PAY_WEBHOOK_8_URL'],
    [
      'a secret that can be guessed',
      { PAY_WEBHOOK_2_URL: 'https://a.example/', PAY_WEBHOOK_2_SECRET: 'sesame' },
      'PAY_WEBHOOK_2_SECRET can be guessed: it must have at least 16 characters',
    ],
    [
      'a hash',
      { PAY_WEBHOOK_2_URL: 'https://a.example/', PAY_WEBHOOK_2_SECRET: `sha256:${'a'.repeat(64)}` },
      'PAY_WEBHOOK_2_SECRET must not be a hash',
    ],
    [
      'plain http to a public host',
      { PAY_WEBHOOK_2_URL: 'http://a.example/', PAY_WEBHOOK_2_SECRET: SECRET },
      'PAY_WEBHOOK_2_URL must be https for a public host',
    ],
    [
      'a user name in the address',
      { PAY_WEBHOOK_2_URL: 'https://u:p@a.example/', PAY_WEBHOOK_2_SECRET: SECRET },
      'PAY_WEBHOOK_2_URL',
    ],
  ])('%s', (_what, variables, text) => {
    expect(() => load(variables)).toThrow(text)
  })

  test('no text of a secret is in the refusal', () => {
    expect(() => load({ PAY_WEBHOOK_8_SECRET: SECRET })).not.toThrow(SECRET)
  })
})

test('a ninth receiver is an unknown setting', () => {
  expect(load({ PAY_WEBHOOK_9_URL: 'https://a.example/' }).notices.map(({ setting }) => setting)).toContain(
    'PAY_WEBHOOK_9_URL',
  )
})
