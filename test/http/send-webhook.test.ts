import { afterEach, describe, expect, test } from 'vitest'
import { createSendWebhook, refusalForTarget } from '../../src/http/index.js'
import { type Behaviour, type Hit, startReceiver } from '../support/hostile-receiver.js'
import { CERTIFICATE } from '../support/test-certificate.js'

const BODY = '{"event_id":"e1","memo":"é"}'
const receivers: Awaited<ReturnType<typeof startReceiver>>[] = []
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close()
})

async function receiverOf(behave: (hit: Hit) => Behaviour, options = {}) {
  const receiver = await startReceiver(behave, options)
  receivers.push(receiver)
  return receiver
}

const send = createSendWebhook()
const requestTo = (url: string, timeoutMs = 20_000) => ({
  url,
  timeoutMs,
  body: BODY,
  headers: { 'content-type': 'application/json', 'x-pay-delivery': 'e1' },
})

test('the body arrives as these bytes, with the headers and nothing sent twice', async () => {
  const receiver = await receiverOf(() => ({ status: 200, body: 'thanks' }))
  expect(await send(requestTo(receiver.url))).toEqual({ httpStatus: 200, error: null, answerHead: 'thanks' })
  expect(receiver.hits).toHaveLength(1)
  expect(receiver.hits[0]).toMatchObject({
    method: 'POST',
    path: '/hook?secret=path',
    body: BODY,
    headers: {
      'content-type': 'application/json',
      'x-pay-delivery': 'e1',
      'content-length': String(Buffer.byteLength(BODY)),
    },
  })
})

test.each([200, 201, 204, 299])('%i is a success', async (status) => {
  const receiver = await receiverOf(() => ({ status }))
  expect(await send(requestTo(receiver.url))).toMatchObject({ httpStatus: status, error: null })
})

test.each([
  [400, 'HTTP 400'],
  [500, 'HTTP 500'],
  [410, 'HTTP 410'],
])('%i is a failure', async (status, error) => {
  const receiver = await receiverOf(() => ({ status, body: 'no' }))
  expect(await send(requestTo(receiver.url))).toEqual({ httpStatus: status, error, answerHead: 'no' })
})

test.each([301, 302, 303, 307, 308])('a %i is a failure and is not followed', async (status) => {
  const elsewhere = await receiverOf(() => ({ status: 200 }))
  const receiver = await receiverOf(() => ({ status, headers: { location: elsewhere.url } }))
  const answer = await send(requestTo(receiver.url))
  expect(answer).toMatchObject({
    httpStatus: status,
    error: `HTTP ${status}`,
  })
  expect(elsewhere.hits).toEqual([])
})

describe('no answer', () => {
  test.each<[Behaviour, string, number?]>([
    ['hang', 'no answer within 0.15 s', 150],
    ['reset', 'the connection was closed before an answer came'],
    ['garbage', 'the answer is not HTTP'],
  ])('when the receiver does this: %s', async (behaviour, error, timeoutMs) => {
    const receiver = await receiverOf(() => behaviour)
    expect(await send(requestTo(receiver.url, timeoutMs))).toEqual({ httpStatus: null, error, answerHead: '' })
  })

  test('when nothing listens there', async () => {
    const receiver = await startReceiver(() => 'hang')
    await receiver.close()
    const answer = await send(requestTo(receiver.url))
    expect(answer).toMatchObject({ httpStatus: null, error: 'nothing listens there (connection refused)' })
  })

  test('when the certificate is self-signed, unless it is trusted', async () => {
    const receiver = await receiverOf(() => ({ status: 200 }), { tls: true })
    expect(await send(requestTo(receiver.url))).toMatchObject({
      httpStatus: null,
      error: 'the certificate is self-signed',
    })
    expect(receiver.hits).toEqual([])
    const trusting = createSendWebhook({ ca: CERTIFICATE })
    expect(await trusting(requestTo(receiver.url))).toMatchObject({ httpStatus: 200 })
  })

  test('when the other side does not speak TLS', async () => {
    const receiver = await receiverOf(() => ({ status: 200 }))
    const answer = await send(requestTo(receiver.url.replace('http:', 'https:')))
    expect(answer.httpStatus).toBeNull()
    expect(answer.error).toMatch(/TLS/)
  })
})

describe('a 2xx whose body misbehaves is still a success', () => {
  test('ten megabytes are not read', async () => {
    const receiver = await receiverOf(() => 'flood')
    const answer = await send(requestTo(receiver.url))
    expect(answer).toEqual({ httpStatus: 200, error: null, answerHead: 'x'.repeat(512) })
    expect(receiver.sent.bytes).toBeLessThan(10_000_000)
  })

  test('an endless drip ends with the time that was given', async () => {
    const receiver = await receiverOf(() => 'drip')
    const answer = await send(requestTo(receiver.url, 150))
    expect(answer).toMatchObject({
      httpStatus: 200,
      error: null,
      answerHead: expect.stringMatching(/^\.+ \[broken off\]$/),
    })
  })

  test('a body that breaks off', async () => {
    const receiver = await receiverOf(() => 'break-off')
    expect(await send(requestTo(receiver.url))).toEqual({
      httpStatus: 200,
      error: null,
      answerHead: 'half [broken off]',
    })
  })
})

test('an answer cannot bring control characters into a terminal', async () => {
  const receiver = await receiverOf(() => ({ status: 500, body: '\u001b[2Jhidden\r\nline\u009b1m' }))
  expect((await send(requestTo(receiver.url))).answerHead).toBe(' [2Jhidden \nline 1m')
})

describe('addresses nothing is sent to', () => {
  test.each([
    ['not a url', 'the webhook address is no URL'],
    ['ftp://shop.example/', 'must begin with https'],
    ['https://user:pw@shop.example/', 'must not contain a user'],
    ['http://shop.example/hook', 'plain http is only for'],
    ['http://93.184.216.34/', 'plain http is only for'],
    ['http://[2001:db8::1]/', 'plain http is only for'],
    ['http://localhost.example.com/', 'plain http is only for'],
  ])('%s', async (url, why) => {
    expect(await send(requestTo(url))).toEqual({
      httpStatus: null,
      error: expect.stringContaining(why),
      answerHead: '',
    })
  })

  test.each([
    'https://shop.example/hook',
    'http://127.0.0.1:8080/',
    'http://10.1.2.3/',
    'http://192.168.0.9/',
    'http://172.31.255.1/',
    'http://[::1]:99/',
    'http://[fd00::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://localhost/',
    'http://shop/',
    'http://shop.internal/',
  ])('but %s is fine', (url) => expect(refusalForTarget(url)).toBeUndefined())

  test('plain http to anywhere needs the switch', () => {
    expect(refusalForTarget('http://shop.example/hook', true)).toBeUndefined()
    expect(refusalForTarget('http://user@shop.example/hook', true)).toBeDefined()
  })
})

test('no cause names the path of the address', async () => {
  const receiver = await receiverOf(() => 'reset')
  const answers = [await send(requestTo(receiver.url)), await send(requestTo('http://shop.example/hook?secret=path'))]
  expect(JSON.stringify(answers)).not.toContain('secret')
})
