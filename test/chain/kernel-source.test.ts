// The nodes that a sale of a name asks: what real ones answer, and what broken ones do (real sockets on this machine).

import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { createChain, createKernelSource, tipRulesOf } from '../../src/chain/index.js'
import { codeOf, vectors } from '../support/vectors.js'
import { type Call, type Reply, startNode } from './fake-node.js'

const EXCESS = '08'.padEnd(66, 'ab')
const PATH = '/v2/foreign'
const closing: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A node with scripted answers to both questions. */
async function node(answers: { readonly kernel?: Reply; readonly tip?: Reply }) {
  const kernel: Reply = answers.kernel ?? found(900)
  const tip: Reply = answers.tip ?? { ok: { height: 1000 } }
  const started = await startNode(({ method }) => (method === 'get_kernel' ? kernel : tip))
  closing.push(started.close)
  return { ...started, address: started.url + PATH }
}

const found = (height: unknown, excess: unknown = EXCESS): Reply => ({
  ok: { height, mmr_index: 33, tx_kernel: { excess, excess_sig: 'c5', features: { Plain: { fee: 23_000_000 } } } },
})

const NOON = Date.parse('2026-11-21T12:10:00Z')
const time = { now: NOON }
const clock = { now: () => time.now, monotonic: () => time.now }

function sourceOf(urls: readonly string[], timeoutMs?: number) {
  const source = createKernelSource({ urls, clock, ...(timeoutMs === undefined ? {} : { timeoutMs }) })
  closing.push(() => source.close())
  return source
}

describe('one node', () => {
  test('is asked in the words of its API, at the very address that was given', async () => {
    const { calls, host } = await node({})
    const source = sourceOf([`http://user:pass%20word@${host}/some/path?key=1`])
    expect(await source.kernel(EXCESS)).toEqual({ height: 900, tip: 1000 })
    const authorization = `Basic ${Buffer.from('user:pass word').toString('base64')}`
    const path = '/some/path?key=1'
    expect(calls).toEqual<Call[]>([
      { method: 'get_tip', params: [], authorization, path },
      { method: 'get_header', params: [null, '', null], authorization, path },
      { method: 'get_kernel', params: [EXCESS, null, null], authorization, path },
    ])
  })

  test('answers with an object or, when it is old, with a list', async () => {
    const list = await node({ kernel: { ok: [{ excess: EXCESS }, 901, 33] } })
    expect(await sourceOf([list.address]).kernel(EXCESS)).toEqual({ height: 901, tip: 1000 })
    const bare = await node({ kernel: { ok: { height: 902 } } })
    expect(await sourceOf([bare.address]).kernel(EXCESS)).toEqual({ height: 902, tip: 1000 })
    const upper = await node({ kernel: found(903, EXCESS.toUpperCase()) })
    expect(await sourceOf([upper.address]).kernel(EXCESS)).toEqual({ height: 903, tip: 1000 })
  })

  test('what grin 5.5.2 really answered is understood', async () => {
    const { get_kernel, get_tip, get_kernel_not_found } = vectors('real/rpc/node-foreign.json')
    const real = await startNode(({ method, params }) => {
      if (method === 'get_header') return { err: 'NotFound' }
      const recorded = method === 'get_tip' ? get_tip : [get_kernel, get_kernel_not_found].find(asked(params))
      return { status: recorded.status, body: JSON.stringify(recorded.response) }
    })
    closing.push(real.close)
    const source = sourceOf([real.url + PATH])
    const { height } = get_kernel.response.result.Ok
    expect(await source.kernel(get_kernel.request.params[0])).toEqual({ height, tip: 22 })
    expect(await source.kernel(get_kernel_not_found.request.params[0])).toBeUndefined()
    expect(await source.tip()).toBe(22)
  })

  // biome-ignore lint/suspicious/noExplicitAny: recordings are read as they are
  const asked = (params: readonly unknown[]) => (recorded: any) => recorded.request.params[0] === params[0]

  test('says that it knows no such kernel', async () => {
    const { address, calls } = await node({ kernel: { err: 'NotFound' } })
    expect(await sourceOf([address]).kernel(EXCESS)).toBeUndefined()
    expect(calls.map(({ method }) => method)).toEqual(['get_tip', 'get_header', 'get_kernel'])
  })

  test('that was restarted meanwhile is asked again', async () => {
    const { address, dropConnections } = await node({})
    const source = sourceOf([address])
    await source.tip()
    dropConnections()
    expect(await source.tip()).toBe(1000)
  })
})

const BROKEN: readonly (readonly [string, Reply])[] = [
  ['an Err', { err: { Internal: 'no' } }],
  ['an error member', { error: { code: -32601, message: 'Method not found' } }],
  ['HTTP 500', { status: 500, body: 'Request error' }],
  ['HTTP 401', { status: 401, body: '' }],
  ['a redirect', { status: 302, body: '', headers: { location: 'http://127.0.0.1:1/' } }],
  ['no JSON', { status: 200, body: '<html>' }],
  ['nothing', { status: 200, body: '' }],
  ['a number', { status: 200, body: '7' }],
  ['null', { status: 200, body: 'null' }],
  ['no result', { status: 200, body: '{"jsonrpc":"2.0","id":1}' }],
  ['a result of null', { status: 200, body: '{"result":null}' }],
  ['an empty value', { ok: null }],
  ['no height', { ok: {} }],
  ['an empty list', { ok: [] }],
  ['a height of text', found('900')],
  ['a negative height', found(-1)],
  ['a broken height', found(1.5)],
  ['a height beyond reason', { status: 200, body: '{"result":{"Ok":{"height":99999999999999999999}}}' }],
  ['an answer without end', { status: 200, body: `{"result":{"Ok":{"height":900,"x":"${'x'.repeat(70_000)}"}}}` }],
  ['a closed connection', 'reset'],
]

describe('several nodes', () => {
  test.each(BROKEN)('the next one is asked after %s', async (_, reply) => {
    const broken = await node({ kernel: reply, tip: reply })
    const good = await node({})
    const source = sourceOf([broken.address, good.address])
    expect(await source.kernel(EXCESS)).toEqual({ height: 900, tip: 1000 })
    expect(await source.tip()).toBe(1000)
    expect(broken.calls.length).toBeGreaterThanOrEqual(1)
  })

  test.each(BROKEN)('%s from the only one is no answer', async (_, reply) => {
    const { address } = await node({ kernel: reply, tip: reply })
    const source = sourceOf([address])
    expect(await codeOf(() => source.kernel(EXCESS))).toBe('NO_NODE_ANSWERS')
    expect(await codeOf(() => source.tip())).toBe('NO_NODE_ANSWERS')
  })

  test('the first that knows the kernel is enough', async () => {
    const first = await node({})
    const second = await node({})
    await sourceOf([first.address, second.address]).kernel(EXCESS)
    expect(second.calls.map(({ method }) => method)).not.toContain('get_kernel')
  })

  test('one that knows the kernel and no tip gives way to the next', async () => {
    const first = await node({ tip: { err: { Internal: 'no' } } })
    const second = await node({ kernel: found(905) })
    expect(await sourceOf([first.address, second.address]).kernel(EXCESS)).toEqual({ height: 905, tip: 1000 })
  })

  test('another kernel than the one asked for is nonsense', async () => {
    const liar = await node({ kernel: found(900, '09'.padEnd(66, 'cd')) })
    const source = sourceOf([liar.address])
    await expect(source.kernel(EXCESS)).rejects.toThrow(/another kernel/)
  })

  test('one that lags behind and knows no such kernel gives way; when no node knows it, that is the answer', async () => {
    const lagging = await node({ kernel: { err: 'NotFound' } })
    const good = await node({})
    const broken = await node({ kernel: 'reset', tip: 'reset' })
    expect(await sourceOf([lagging.address, good.address]).kernel(EXCESS)).toEqual({ height: 900, tip: 1000 })
    expect(await sourceOf([broken.address, lagging.address]).kernel(EXCESS)).toBeUndefined()
    expect(await sourceOf([lagging.address, broken.address]).kernel(EXCESS)).toBeUndefined()
  })

  test('the reason of missing answers is logged without secrets', async () => {
    const gone = await node({})
    await gone.close()
    const refusing = await node({ tip: { status: 401, body: '' } })
    const source = sourceOf([gone.address, `http://user:hidden@${refusing.host}/hidden`])
    const failure = await source.tip().catch((thrown) => thrown)
    expect(failure.message).toBe(
      `no Grin node answers: node ${gone.host}: nothing listens there (connection refused); node ${refusing.host} refused the request: HTTP 401, the API secret is missing or wrong`,
    )
    expect(JSON.stringify(failure)).not.toContain('hidden')
  })
})

describe('nodes are judged as those of a till are', () => {
  const at = (minutesAgo: number) => new Date(time.now - minutesAgo * 60_000).toISOString()
  /** A node that tells its chain, and where the kernel is. */
  async function judged({
    height,
    minutesAgo = 0,
    kernel = found(900),
  }: {
    height: number
    minutesAgo?: number
    kernel?: Reply
  }) {
    const hash = height.toString(16).padStart(64, '0')
    const replies: Readonly<Record<string, Reply>> = {
      get_tip: { ok: { height, last_block_pushed: hash } },
      get_header: { ok: { height, hash, timestamp: at(minutesAgo) } },
      get_kernel: kernel,
    }
    const started = await startNode(({ method }) => replies[method] ?? { err: 'NotFound' })
    closing.push(started.close)
    return { ...started, address: started.url + PATH }
  }

  test('one that is eleven blocks behind is not believed, one that is ten behind is', async () => {
    const late = await judged({ height: 989, kernel: found(980) })
    const good = await judged({ height: 1000 })
    expect(await sourceOf([late.address, good.address]).kernel(EXCESS)).toEqual({ height: 900, tip: 1000 })
    expect(await sourceOf([late.address, good.address]).tip()).toBe(1000)
    const nearly = await judged({ height: 990, kernel: found(980) })
    expect(await sourceOf([nearly.address, good.address]).kernel(EXCESS)).toEqual({ height: 980, tip: 990 })
  })

  test('one whose newest block is more than an hour old is not believed, even alone', async () => {
    const old = await judged({ height: 1000, minutesAgo: 61 })
    const source = sourceOf([old.address])
    await expect(source.kernel(EXCESS)).rejects.toMatchObject({
      code: 'NO_NODE_ANSWERS',
      message: `no Grin node answers: ${old.host}: its newest block is 61 minutes old`,
    })
    await expect(source.tip()).rejects.toMatchObject({ code: 'NO_NODE_ANSWERS' })
  })

  test('on a private chain, where blocks come on demand, an old one is believed', async () => {
    const old = await judged({ height: 1000, minutesAgo: 600 })
    const source = createKernelSource({ urls: [old.address], clock, rules: tipRulesOf('sandbox') })
    closing.push(() => source.close())
    expect(await source.kernel(EXCESS)).toEqual({ height: 900, tip: 1000 })
  })

  test('the doctor comes to the same verdict', async () => {
    const [late, good] = [await judged({ height: 989 }), await judged({ height: 1000 })]
    const chain = createChain({ urls: [late.address, good.address], clock, isComplete: true })
    closing.push(() => chain.close())
    expect((await chain.tip()).height).toBe(await sourceOf([late.address, good.address]).tip())
    expect(chain.status().map(({ refusal }) => refusal)).toEqual(['it is 11 blocks behind', undefined])
  })
})

describe('one that hangs', () => {
  test('does not block others longer than its timeout', async () => {
    const hanging = await node({ kernel: 'hang', tip: 'hang' })
    const good = await node({})
    const source = sourceOf([hanging.address, good.address], 150)
    expect(await source.kernel(EXCESS)).toEqual({ height: 900, tip: 1000 })
    expect(await codeOf(() => sourceOf([hanging.address], 150).tip())).toBe('NO_NODE_ANSWERS')
  })

  test('may also send its answer byte by byte', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 60000\r\n\r\n')
      const drip = setInterval(() => socket.write(' '), 20)
      socket.on('close', () => clearInterval(drip))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closing.push(() => server.close())
    const { port } = server.address() as AddressInfo
    const source = sourceOf([`http://127.0.0.1:${port}${PATH}`], 200)
    await expect(source.tip()).rejects.toThrow(/no answer within 0.2 s/)
  })

  test('is let go when the source closes', async () => {
    const hanging = await node({ tip: 'hang' })
    const source = sourceOf([hanging.address])
    const asked = codeOf(() => source.tip())
    await until(() => hanging.calls.length === 1)
    source.close()
    expect(await asked).toBe('NO_NODE_ANSWERS')
  })
})

test('whatever JSON a node answers, it is a height or no answer', async () => {
  let body = ''
  const started = await startNode(() => ({ status: 200, body }))
  closing.push(started.close)
  const source = sourceOf([started.url + PATH])
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      time.now += 60_000 // a node that failed is asked again
      body = JSON.stringify({ result: { Ok: value } })
      expect(['ok', 'NO_NODE_ANSWERS']).toContain(await codeOf(() => source.kernel(EXCESS)))
      body = JSON.stringify(value)
      expect(await codeOf(() => source.tip())).toBe('NO_NODE_ANSWERS')
    }),
    { numRuns: 150 },
  )
})

test('an address that is none is refused at once', () => {
  expect(() => createKernelSource({ urls: ['node'], clock })).toThrow(TypeError)
})

async function until(reached: () => boolean): Promise<void> {
  while (!reached()) await new Promise((resolve) => setImmediate(resolve))
}
