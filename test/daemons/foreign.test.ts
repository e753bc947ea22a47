// The Foreign API as a program meets it: over a socket, from outside, with a real wallet behind it and a payer that is not ours to trust.
import { connect } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createForeignListener, type ForeignListener } from '../../src/daemons/parts/pay/foreign.js'
import { openKeychain, outputIdentifier } from '../../src/grin/keychain/index.js'
import { payI1, planSpend } from '../../src/grin/payer/index.js'
import { formatSlateJson } from '../../src/grin/slate/index.js'
import { readSlatepack } from '../../src/grin/slatepack/index.js'
import { openForeign } from '../support/foreign.js'
import { countingRandom, prove } from '../support/grin.js'
import { invoiceOn } from '../support/grin1.js'
import { MINUTE } from '../support/till-builders.js'
import { codeOf } from '../support/till-parts.js'

const quiet = { info: () => {}, error: () => {} }
const started: ForeignListener[] = []
afterEach(async () => {
  for (const part of started.splice(0)) await part.stop()
})

async function listen(port = 0) {
  const opened = openForeign()
  const part = createForeignListener({ api: opened.api, port, log: quiet })
  started.push(part)
  await part.start(new AbortController().signal)
  const url = `http://127.0.0.1:${part.port()}/v2/foreign`
  const post = (body: string, headers: Record<string, string> = {}) => fetch(url, { method: 'POST', body, headers })
  // biome-ignore lint/suspicious/noExplicitAny: an answer as a client reads it
  const call = async (method: string, params: unknown): Promise<any> =>
    (await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))).json()
  return { ...opened, part, url, post, call }
}

/** Raw bytes in, everything that comes back until the server closes. */
const exchange = (port: number, bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', reject).on('close', () => resolve(text))
  })

test('an invoice slate goes its whole way: I1 from the page, I2 posted, I3 back, the transaction at the node', async () => {
  const { call, till, chain, ...opened } = await listen()
  const invoice = await invoiceOn({ till })
  const { slate: i1 } = await readSlatepack(invoice.slatepack!, { prefix: 'grin' })
  const payer = openKeychain(new Uint8Array(32).fill(2))
  const coin = { identifier: outputIdentifier(0, 1), value: 5_000_000_000n }
  const spend = planSpend([coin], i1.amount, outputIdentifier(0, 2))
  const { slate: i2 } = await payI1({ keychain: payer, slate: i1, spend, prove, random: countingRandom(9) })

  expect((await call('check_version', [])).result.Ok).toEqual({
    foreign_api_version: 2,
    supported_slate_versions: ['V4'],
  })
  const answer = await call('finalize_tx', [JSON.parse(formatSlateJson(i2))])
  expect(answer.result.Ok).toMatchObject({ id: invoice.slateId, sta: 'I3' })
  expect(await till.findInvoice(invoice.id)).toMatchObject({ status: 'paid' })
  expect(chain.pushed).toHaveLength(1)
  expect(await call('finalize_tx', [JSON.parse(formatSlateJson(i2))])).toEqual(answer)
  const other = { ...JSON.parse(formatSlateJson(i2)), ttl: '3000100' }
  expect((await call('finalize_tx', [other])).error.message).toContain('already completed with another slatepack')
  const payment = (await opened.store.paymentById(invoice.slateId!))!
  chain.mine(payment, chain.height - 9)
  await till.passes.confirm()
  expect((await till.findInvoice(invoice.id))?.status).toBe('confirmed')
})

describe('over the socket', () => {
  test('headers are those of a stock wallet', async () => {
    const { post, url } = await listen()
    const answer = await post('{"jsonrpc":"2.0","id":1,"method":"check_version","params":[]}')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-headers')).toBe('Content-Type, Authorization')
    expect(await (await fetch(url, { method: 'OPTIONS' })).text()).toBe('{}')
    const missing = await fetch(url)
    expect([missing.status, await missing.text()]).toEqual([404, ''])
  })

  test('1 MB is read, 1.4 MB is answered with 413, announced or in chunks', async () => {
    const { post, part } = await listen()
    const slate = `{"id":1,"method":"receive_tx","params":[{"ver":"4:3","pad":"${'x'.repeat(1_000_000)}"},null,null]}`
    expect((await (await post(slate)).json()).error.code).toBe(-32602)
    expect((await post('x'.repeat(1_400_000))).status).toBe(413)
    const chunk = `${(100_000).toString(16)}\r\n${'x'.repeat(100_000)}\r\n`
    const chunked = `POST /v2/foreign HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${chunk.repeat(14)}0\r\n\r\n`
    expect(await exchange(part.port(), chunked)).toMatch(
      /^HTTP\/1\.1 413 [\s\S]*"Invalid request: longer than 1300000 bytes"/,
    )
    expect((await post('{"id":1,"method":"check_version"}')).status).toBe(200)
  })

  test('what is not HTTP, and what ends early, harms no other request', async () => {
    const { post, part } = await listen()
    expect(await exchange(part.port(), 'hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
    const socket = connect(part.port(), '127.0.0.1')
    socket.on('error', () => {})
    await new Promise((resolve) =>
      socket.write('POST /v2/foreign HTTP/1.1\r\nhost: x\r\ncontent-length: 99\r\n\r\n{', resolve),
    )
    socket.destroy()
    expect((await post('{"id":1,"method":"check_version"}')).status).toBe(200)
  })

  test('the thirty-first call of a minute is refused with the time to wait', async () => {
    const { post, clock } = await listen()
    for (let n = 0; n < 30; n += 1) await (await post('[]')).text()
    const refused = await post('[]')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    expect((await refused.json()).error.message).toContain('too many requests')
    await clock.advance(MINUTE)
    expect((await post('[]')).status).toBe(200)
  })
})

describe('the part', () => {
  test('listens on loopback only, says so, and stops', async () => {
    const { part, url } = await listen()
    expect(await part.check?.()).toEqual({ ok: true, detail: `listening on 127.0.0.1:${part.port()}` })
    await part.stop()
    await part.stop()
    expect(await part.check?.()).toEqual({ ok: false, detail: 'not listening' })
    await expect(fetch(url)).rejects.toThrow()
  })

  test('names the port that is taken', async () => {
    const { part } = await listen()
    expect(await codeOf(listen(part.port()))).toBe('ADDRESS_IN_USE')
  })
})
