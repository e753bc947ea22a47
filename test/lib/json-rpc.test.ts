import { describe, expect, test } from 'vitest'
import { answerRpc, badArgument, RpcFailure, type RpcServer, rpcCallsIn } from '../../src/lib/json-rpc.js'

const ran: (readonly unknown[])[] = []
const server: RpcServer = {
  mostCalls: 3,
  methods: {
    add: {
      names: ['a', 'b'],
      call: (values) => {
        ran.push(values)
        return Number(values[0]) + Number(values[1])
      },
    },
    refuse: {
      names: [],
      call: () => {
        throw new RpcFailure(-32_000, 'no')
      },
    },
    shape: {
      names: ['slate'],
      call: () => {
        throw badArgument('slate', 0, 'it is empty')
      },
    },
    crash: {
      names: [],
      call: async () => {
        throw new TypeError('bug')
      },
    },
  },
}
const ask = (request: unknown, over: Partial<RpcServer> = {}) => answerRpc(request, { ...server, ...over })
const call = (method: unknown, params?: unknown) => ask({ jsonrpc: '2.0', id: 1, method, params })
const INVALID = { error: { code: -32600, message: 'Invalid request' }, id: null }

describe('parameters', () => {
  test('come by place or by name, and more names do no harm', async () => {
    expect(await call('add', [1, 2])).toEqual({ jsonrpc: '2.0', id: 1, result: 3 })
    expect(await call('add', { b: 2, a: 3, more: 1 })).toMatchObject({ result: 5 })
  })

  test.each<[unknown, string]>([
    [[1], 'WrongNumberOfArgs. Expected 2. Actual 1'],
    [[1, 2, 3], 'WrongNumberOfArgs. Expected 2. Actual 3'],
    [undefined, 'WrongNumberOfArgs. Expected 2. Actual 0'],
    ['text', 'WrongNumberOfArgs. Expected 2. Actual 0'],
    [{ a: 1 }, 'MissingNamedParameter b'],
    [JSON.parse('{"__proto__": {"a": 1, "b": 2}}'), 'MissingNamedParameter a'],
  ])('%j: not what the method takes', async (params, message) => {
    expect(await call('add', params)).toMatchObject({ error: { code: -32602, message } })
  })

  test('of the wrong shape are named with the reason', async () => {
    const message = 'InvalidArgStructure "slate" at position 0. it is empty'
    expect(await call('shape', [1])).toMatchObject({ error: { code: -32602, message } })
  })
})

describe('envelopes', () => {
  test.each([null, 'a', 7, 1.5, ''])('the id %j is echoed', async (id) => {
    expect(await ask({ jsonrpc: '2.0', id, method: 'refuse' })).toEqual({
      jsonrpc: '2.0',
      id,
      error: { code: -32000, message: 'no' },
    })
  })

  test('a request without a version is answered without one', async () => {
    expect(await ask({ id: 1, method: 'add', params: [1, 1] })).toEqual({ id: 1, result: 2 })
  })

  test.each([
    { hello: 1 },
    null,
    7,
    'add',
    { id: 1, method: 7 },
    { id: [[]], method: 'add' },
    { id: {}, method: 'add' },
    { id: true, method: 'add' },
    { id: 1, method: 'add', jsonrpc: '1.0' },
    { id: 1, method: 'add', jsonrpc: 2 },
    [[]],
  ])('%j is no request', async (request) => {
    expect(await ask(request)).toEqual(Array.isArray(request) ? [INVALID] : INVALID)
  })

  test('an unknown method is named so, members of objects too', async () => {
    for (const method of ['nope', 'constructor', '__proto__', 'toString'])
      expect(await call(method, [])).toMatchObject({ error: { code: -32601, message: 'Method not found' } })
  })

  test('a notification is neither run nor answered', async () => {
    ran.length = 0
    expect(await ask({ jsonrpc: '2.0', method: 'add', params: [1, 2] })).toEqual([])
    expect(await ask([{ jsonrpc: '2.0', method: 'add', params: [1, 2] }])).toEqual([])
    expect(ran).toEqual([])
  })
})

describe('batches', () => {
  const one = { jsonrpc: '2.0', id: 1, method: 'add', params: [1, 1] }

  test('are answered in order, each call for itself', async () => {
    const answers = await ask([one, { ...one, id: 2, method: 'refuse', params: [] }, { nothing: 1 }])
    expect(answers).toEqual([
      { jsonrpc: '2.0', id: 1, result: 2 },
      { jsonrpc: '2.0', id: 2, error: { code: -32000, message: 'no' } },
      INVALID,
    ])
    expect(await ask([])).toEqual([])
  })

  test('that are too long are refused whole', async () => {
    ran.length = 0
    const message = 'Invalid request: 4 calls in one batch, at most 3'
    expect(await ask([one, one, one, one])).toEqual({ error: { code: -32600, message }, id: null })
    expect(ran).toEqual([])
  })

  test('are counted by their calls', () => {
    expect([rpcCallsIn([one, one]), rpcCallsIn(one), rpcCallsIn([]), rpcCallsIn(null)]).toEqual([2, 1, 0, 1])
  })
})

describe('a method that throws something else', () => {
  const crash = { jsonrpc: '2.0', id: 1, method: 'crash', params: [] }

  test('is answered as the server says', async () => {
    const failureOf = () => new RpcFailure(-32603, 'internal error')
    expect(await ask(crash, { failureOf })).toMatchObject({ error: { code: -32603, message: 'internal error' } })
  })

  test('is a bug where the server says nothing', async () => {
    await expect(ask(crash)).rejects.toThrow(TypeError)
    await expect(ask(crash, { failureOf: () => undefined })).rejects.toThrow(TypeError)
  })
})
