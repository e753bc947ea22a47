import { describe, expect, test } from 'vitest'
import { completeAnswers, parseAnswers, presentAnswers, settingsAfter } from '../../src/wizard/answers.js'
import { PAY_QUESTIONS, type PayAnswers } from '../../src/wizard/pay/questions.js'

const URL = 'https://pay.shop.example'
const complete = (given: PayAnswers, present: PayAnswers = {}) =>
  completeAnswers(PAY_QUESTIONS, { given, present, around: {} })
const parse = (text: string) => parseAnswers(PAY_QUESTIONS, text)

test('the default path asks at most nine things', () => {
  const asked = Object.values(PAY_QUESTIONS).filter((row) => !('asked' in row))
  expect(asked.length).toBeLessThanOrEqual(9)
})

describe('an answers file', () => {
  test('is a JSON object of texts', () => {
    expect(parse('{"public_url":"https://x.example"}')).toEqual({ public_url: 'https://x.example' })
  })

  test('may begin with a byte order mark, and have blank lines', () => {
    const text = '\ufeff\r\n\r\n{\r\n\r\n"public_url":"https://x.example"\r\n}\r\n\r\n'
    expect(parse(text)).toEqual({ public_url: 'https://x.example' })
  })

  test.each([
    ['[]', 'the answers must be a JSON object'],
    ['no json', 'the answers must be a JSON object'],
    ['{"publicUrl":"x","password":"y"}', 'unknown key "publicUrl"; unknown key "password"'],
    ['{"bind":8080}', '"bind" must be a text'],
  ])('%s is refused', (text, why) => expect(() => parse(text)).toThrow(why))
})

describe('completing', () => {
  test('only the public address has to be said', () => {
    expect(complete({ public_url: URL })).toEqual({
      public_url: URL,
      shop: 'none',
      bind: '127.0.0.1:8080',
      chain: 'mainnet',
      node_url: 'https://main.gri.mw,https://api.grin.money,https://grincoin.org',
      relays: 'wss://relay.floonet.dev,wss://offchain.pub',
      currencies: 'usd',
      restart: 'unattended',
      grin1: 'no',
    })
  })

  test('everything missing and wrong is said at once', () => {
    expect(() => complete({ shop: 'medusa', bind: 'here', chain: 'testnet', restart: 'never' })).toThrow(
      '"public_url" is missing; "shop_url" is missing; "bind" must be host:port (got "here"); "node_url" is missing; "restart" must be unattended or manual (got "never")',
    )
  })

  test('an answer that does not go with the others is an error, not ignored', () => {
    expect(() => complete({ public_url: URL, shop_url: URL })).toThrow('"shop_url" does not go with the other answers')
  })

  test('what is in force stands unless something else is said', () => {
    const inForce = new Map([
      ['PAY_PUBLIC_URL', URL],
      ['PAY_WEBHOOK_URL', 'https://shop.example/hook'],
      ['PAY_BIND', '127.0.0.1:9'],
    ])
    expect(
      complete({ bind: '127.0.0.1:10' }, presentAnswers(PAY_QUESTIONS, inForce, { keeping: 'manual' })),
    ).toMatchObject({
      public_url: URL,
      shop: 'custom',
      webhook_url: 'https://shop.example/hook',
      bind: '127.0.0.1:10',
      restart: 'manual',
    })
  })
})

test.each([
  [{ shop: 'woocommerce', shop_url: 'https://s.example/' }, 'https://s.example/wp-json/goblinpay/v1/webhook'],
  [{ shop: 'medusa', shop_url: 'https://s.example' }, 'https://s.example/hooks/payment/goblinpay_goblinpay'],
  [{ shop: 'custom', webhook_url: 'https://s.example/h' }, 'https://s.example/h'],
  [{ shop: 'none' }, undefined],
])('%j sends webhooks to %s', (answers, url) =>
  expect(settingsAfter(PAY_QUESTIONS, answers, new Map()).get('PAY_WEBHOOK_URL')).toBe(url),
)
