// The Foreign API's manners: what is answered to which request, how often, how large, how late. The till behind it is a stub.
import { describe, expect, test } from 'vitest'
import { GrinpayError } from '../../../src/lib/errors.js'
import { createForeignApi, type ForeignAnswer, type Payment, type Wallet } from '../../../src/till/index.js'
import { createFakeClock, settled } from '../../support/fake-clock.js'
import { aPayment, MINUTE, SECOND } from '../../support/till-builders.js'
import { bytes, vectors } from '../../support/vectors.js'

const S2 = bytes(vectors('wallet/run_standard.json').runs[0].s2.bin)
const VERSION = { jsonrpc: '2.0', id: 1, method: 'check_version', params: [] }
const RECEIVE = { jsonrpc: '2.0', id: 1, method: 'receive_tx', params: [{}, null, null] }
const FINALIZE = { jsonrpc: '2.0', id: 1, method: 'finalize_tx', params: [{}] }

type Accept = () => Promise<{ payment: Payment; slatepack: string; repeated: boolean }>

function openStub(accept?: Accept, rateLimits = true) {
  const clock = createFakeClock()
  const marked: string[] = []
  const crashes: object[] = []
  const payment = aPayment({ s2: S2 })
  const answer = accept ?? (async () => ({ payment, slatepack: '', repeated: false }))
  const api = createForeignApi({
    wallet: { read: (() => ({})) as unknown as Wallet['read'] },
    till: { accept: answer, finalize: answer, markReplied: async (id) => void marked.push(id) },
    clock,
    rateLimits,
    log: { error: (fields) => void crashes.push(fields) },
  })
  const send = (method: string, path: string, text = '', cut = false): Promise<ForeignAnswer> =>
    api.answer({ method, path, body: async () => ({ bytes: new Uint8Array(Buffer.from(text)), cut }) })
  const post = (text: string) => send('POST', '/v2/foreign', text)
  const ask = async (request: unknown) => JSON.parse((await post(JSON.stringify(request))).body)
  return { clock, marked, crashes, payment, send, post, ask }
}

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'Content-Type, Authorization',
}

describe('HTTP', () => {
  test('a call is answered as a stock wallet answers: 200, JSON printed for people, open to browsers', async () => {
    const answer = await openStub().post(JSON.stringify(VERSION))
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/json', ...CORS } })
    expect(answer.body).toContain('\n  "result": {\n    "Ok": {\n')
  })

  test('OPTIONS is answered with an empty object', async () => {
    expect(await openStub().send('OPTIONS', '/v2/foreign')).toMatchObject({ status: 200, body: '{}', headers: CORS })
  })

  test.each([
    ['GET', '/v2/foreign'],
    ['HEAD', '/v2/foreign'],
    ['PUT', '/v2/foreign'],
    ['POST', '/v2/owner'],
    ['POST', '/v2/foreign/'],
    ['POST', '/'],
    ['OPTIONS', '/'],
  ])('%s %s is not found, without a word', async (method, path) => {
    expect(await openStub().send(method, path)).toEqual({ status: 404, headers: {}, body: '' })
  })

  test.each(['', 'hello', '{', '{"a":}', '\u0000', '[1,', 'null null'])('%j is no JSON', async (text) => {
    const { status, body, headers } = await openStub().post(text)
    expect(status).toBe(500)
    expect(headers['content-type']).toBeUndefined()
    expect(body).toMatch(/^Generic error: Invalid request body: /)
  })

  test('a body over the limit is refused with 413 and words', async () => {
    const { status, body } = await openStub().send('POST', '/v2/foreign', '{"jsonrpc"', true)
    expect(status).toBe(413)
    expect(JSON.parse(body)).toEqual({
      error: { code: -32600, message: 'Invalid request: longer than 1300000 bytes' },
      id: null,
    })
  })

  test('bytes that are no UTF-8, a megabyte of brackets, a long number: always an answer', async () => {
    const { send, post } = openStub(undefined, false)
    for (const text of ['['.repeat(1_000_000), `{"id":${'9'.repeat(100_000)},"method":"check_version"}`])
      expect([200, 500]).toContain((await post(text)).status)
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
    const nested = await post(`{"id":1,"method":"receive_tx","params":[${deep},null,null]}`)
    expect(nested.status).toBe(200)
    expect((await send('POST', '/v2/foreign', '\u00ff\u00fe')).status).toBe(500)
  })
})

describe('batches', () => {
  test('of 16 calls are answered, of 17 refused', async () => {
    const { ask } = openStub(undefined, false)
    expect(await ask(Array(16).fill(VERSION))).toHaveLength(16)
    const message = 'Invalid request: 17 calls in one batch, at most 16'
    expect(await ask(Array(17).fill(VERSION))).toEqual({ error: { code: -32600, message }, id: null })
  })
})

describe('parameters of the wrong type', () => {
  const text = (slate: unknown, account: unknown = null, dest: unknown = null) => ({
    ...RECEIVE,
    params: [slate, account, dest],
  })
  test.each<[object, string]>([
    [text('{}'), 'InvalidArgStructure "slate" at position 0.'],
    [text(7), 'InvalidArgStructure "slate" at position 0.'],
    [text(true), 'InvalidArgStructure "slate" at position 0.'],
    [text({}, 7), 'InvalidArgStructure "dest_acct_name" at position 1.'],
    [text({}, {}), 'InvalidArgStructure "dest_acct_name" at position 1.'],
    [text({}, null, false), 'InvalidArgStructure "dest" at position 2.'],
    [{ ...FINALIZE, params: ['{}'] }, 'InvalidArgStructure "slate" at position 0.'],
    [{ ...FINALIZE, params: [] }, 'WrongNumberOfArgs. Expected 1. Actual 0'],
    [{ ...VERSION, params: [1] }, 'WrongNumberOfArgs. Expected 0. Actual 1'],
  ])('%j', async (request, message) => {
    expect((await openStub().ask(request)).error).toEqual({ code: -32602, message })
  })

  test('an account and an address to deliver to are taken and not used', async () => {
    expect((await openStub().ask(text({}, 'savings', 'grin1…'))).result.Ok.sta).toBe('S2')
  })
})

describe('what the till answers', () => {
  test('is handed out as a slate, and marked once', async () => {
    const { ask, marked, payment } = openStub()
    expect((await ask(RECEIVE)).result.Ok).toEqual(vectors('wallet/run_standard.json').runs[0].s2.json)
    expect(marked).toEqual([payment.id])
    const replied = { ...payment, settlement: 'replied' as const }
    const again = openStub(async () => ({ payment: replied, slatepack: '', repeated: true }))
    expect((await again.ask(RECEIVE)).result.Ok.sta).toBe('S2')
    expect(again.marked).toEqual([])
  })

  test.each<[number, string | undefined, number, string]>([
    [422, 'make a new one', -32000, 'no; make a new one'],
    [410, undefined, -32000, 'no'],
    [503, 'later', -32603, 'no; later'],
  ])('a refusal of status %i is an error with its words', async (status, hint, code, message) => {
    const { ask, crashes } = openStub(() => Promise.reject(new GrinpayError('X', 'no', status, hint)))
    for (const request of [RECEIVE, FINALIZE]) expect((await ask(request)).error).toEqual({ code, message })
    expect(crashes).toEqual([])
  })

  test('a bug is answered without its text and reported', async () => {
    const { ask, crashes, marked } = openStub(() => Promise.reject(new TypeError('secret is undefined')))
    expect((await ask(RECEIVE)).error).toEqual({ code: -32603, message: 'internal error: try again in a minute' })
    expect(crashes).toEqual([{ cause: 'secret is undefined' }])
    expect(marked).toEqual([])
  })

  test('that comes too late is not handed out nor marked, and all calls of a batch share the time', async () => {
    const { post, clock, marked } = openStub(() => new Promise(() => undefined))
    const answer = post(JSON.stringify([RECEIVE, FINALIZE, VERSION]))
    await settled()
    await clock.advance(12 * SECOND)
    const [first, second, third] = JSON.parse((await answer).body)
    for (const { error } of [first, second])
      expect(error).toEqual({ code: -32603, message: expect.stringContaining('send the same again') })
    expect(third.result.Ok.foreign_api_version).toBe(2)
    expect(marked).toEqual([])
  })

  test('in time leaves nothing asleep', async () => {
    const { ask, clock } = openStub()
    await ask(RECEIVE)
    expect(clock.sleepers()).toBe(0)
  })
})

describe('at most 30 calls a minute from all senders', () => {
  const LIMITED = {
    error: { code: -32000, message: 'too many requests: at most 30 a minute are taken; try again in 45 s' },
    id: null,
  }

  test('the next one reads when to come again, in every form', async () => {
    const { post, clock } = openStub()
    await clock.advance(15 * SECOND)
    for (let n = 0; n < 30; n += 1) expect((await post(JSON.stringify(VERSION))).status).toBe(200)
    const refused = await post(JSON.stringify(VERSION))
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '45', 'content-type': 'application/json' } })
    expect(JSON.parse(refused.body)).toEqual(LIMITED)
    await clock.advance(45 * SECOND)
    expect((await post(JSON.stringify(VERSION))).status).toBe(200)
  })

  test('every call of a batch counts, and what is no call too', async () => {
    const { post } = openStub()
    const batch = JSON.stringify(Array(10).fill(VERSION))
    for (let n = 0; n < 2; n += 1) expect((await post(batch)).status).toBe(200)
    for (let n = 0; n < 5; n += 1) await post('junk')
    expect((await post(batch)).status).toBe(429)
    expect((await post(JSON.stringify([VERSION, VERSION, VERSION]))).status).toBe(200)
  })

  test('nothing is read of a request that is refused', async () => {
    const { send, post, clock } = openStub()
    for (let n = 0; n < 30; n += 1) await post('[]')
    expect((await send('POST', '/v2/foreign', '', true)).status).toBe(429)
    expect((await send('OPTIONS', '/v2/foreign')).status).toBe(200)
    await clock.advance(MINUTE)
    expect((await send('POST', '/v2/foreign', '', true)).status).toBe(413)
  })

  test('can be switched off', async () => {
    const { post } = openStub(undefined, false)
    for (let n = 0; n < 100; n += 1) expect((await post(JSON.stringify(VERSION))).status).toBe(200)
  })
})
