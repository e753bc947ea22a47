// The payer against the simulated node with its real arithmetic, over HTTP on both sides.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ProveRange, proveRange, type VerifyRange, verifyRange } from '../../src/grin/crypto/index.js'
import { createSandboxPayer, type SandboxNode, type SandboxPayer, startSandboxNode } from '../../src/sandbox/index.js'
import { systemRandom } from '../../src/system/index.js'
import { codeOf } from '../support/vectors.js'
import { startTinyTill, type TinyTill } from './tiny-till.js'

const prove: ProveRange = async (input) => proveRange(input)
const verify: VerifyRange = async (commitment, proof) => verifyRange(commitment, proof)
const clock = {
  now: () => Date.parse('2026-01-01T00:00:00Z'),
  monotonic: () => Date.parse('2026-01-01T00:00:00Z'),
  sleep: async () => undefined,
}
const PRICE = 1_500_000_000

let node: SandboxNode
let payer: SandboxPayer
const tills: TinyTill[] = []

async function tillFor(amount: number, credit?: number): Promise<TinyTill> {
  const till = await startTinyTill(amount, credit)
  tills.push(till)
  return till
}

beforeAll(async () => {
  node = await startSandboxNode({ verify, clock, random: systemRandom })
  payer = createSandboxPayer({ nodeUrl: node.url, prove, verify, random: systemRandom })
  await payer.fund(2)
})

afterAll(async () => {
  await Promise.all([node.close(), ...tills.map((till) => till.close())])
})

test('funding makes coins that can be spent at once', () => {
  expect(payer.balance()).toBe(200_000_000_000_000n)
  expect(node.chain.ledger.unspent()).toHaveLength(2)
})

describe('a payment', () => {
  test('reaches the chain with the output the till made', async () => {
    const till = await tillFor(PRICE)
    const { excess } = await payer.pay(till.payUrl)
    node.mine(1)
    expect(node.chain.ledger.kernel(excess)?.height).toBe(node.height())
    expect(node.chain.ledger.output(till.received[0] ?? '')).toBeDefined()
  })

  test('can be followed by others before a block comes', async () => {
    const till = await tillFor(PRICE)
    const before = payer.balance()
    for (let count = 0; count < 3; count++) await payer.pay(till.payUrl)
    expect(node.chain.pool()).toHaveLength(3)
    node.mine(1)
    expect(till.received.every((commit) => node.chain.ledger.output(commit))).toBe(true)
    expect(before - payer.balance()).toBe(3n * (BigInt(PRICE) + 23_000_000n))
  })

  test('held after S1 it leaves the chain alone, and given up it costs nothing', async () => {
    const before = payer.balance()
    const held = payer.begin(BigInt(PRICE))
    expect(held.s1).toMatch(/^BEGINSLATEPACK\./)
    expect(payer.balance()).toBeLessThan(before)
    payer.abandon(held)
    expect([payer.balance(), node.chain.pool().length]).toEqual([before, 0])
  })

  test('held before the push it can be pushed later, and twice does no harm', async () => {
    const till = await tillFor(PRICE)
    const held = payer.begin(BigInt(PRICE))
    const finished = await payer.finish(held, await payer.paste(till.payUrl, held))
    expect(node.chain.pool()).toHaveLength(0)
    await payer.push(finished)
    const after = payer.balance()
    await payer.push(finished)
    expect([payer.balance(), node.chain.pool().length]).toEqual([after, 1])
    node.mine(1)
    expect(node.chain.ledger.kernel(finished.excess)).toBeDefined()
  })

  test('with an output of another amount does not balance: nothing is pushed', async () => {
    const till = await tillFor(PRICE, PRICE + 1)
    const before = payer.balance()
    expect(await codeOf(() => payer.pay(till.payUrl))).toBe('PAYER_REPLY')
    expect([payer.balance(), node.chain.pool().length]).toEqual([before, 0])
  })

  test('beyond the coins is refused by name', async () => {
    const till = await tillFor(300_000_000_000_000)
    expect(await codeOf(() => payer.pay(till.payUrl))).toBe('SANDBOX_NO_COINS')
  })

  test('with the S2 of another payment is refused', async () => {
    const till = await tillFor(PRICE)
    const [one, other] = [payer.begin(BigInt(PRICE)), payer.begin(BigInt(PRICE))]
    const s2 = await payer.paste(till.payUrl, one)
    expect(await codeOf(() => payer.finish(other, s2))).toBe('PAYER_REPLY')
    payer.abandon(one)
    payer.abandon(other)
  })

  test('at a page that does not answer is refused', async () => {
    expect(await codeOf(() => payer.pay('http://127.0.0.1:9/pay/x'))).toBe('SANDBOX_CHECKOUT_REFUSED')
  })
})

describe('after a reorganisation', () => {
  test('the payment returns with the next block', async () => {
    const till = await tillFor(PRICE)
    const { excess } = await payer.pay(till.payUrl)
    node.mine(1)
    node.reorg(1)
    expect(node.chain.ledger.kernel(excess)).toBeUndefined()
    node.mine(1)
    expect(node.chain.ledger.kernel(excess)?.height).toBe(node.height())
  })
})

test('coins that a reorganisation took are replaced by new ones', async () => {
  const till = await tillFor(PRICE)
  node.reorg(node.height(), { forget: true })
  const { excess } = await payer.pay(till.payUrl)
  node.mine(1)
  expect(node.chain.ledger.kernel(excess)?.height).toBe(node.height())
})

test('a coinbase that claims more than it commits to is not mined', async () => {
  const { makeCoinbase } = await import('../../src/sandbox/payer.js')
  const { openKeychain, outputIdentifier } = await import('../../src/grin/keychain/index.js')
  const keychain = openKeychain(systemRandom.bytes(32))
  const { json } = await makeCoinbase(outputIdentifier(0, 0), 60_000_000_000n, {
    keychain,
    prove,
    random: systemRandom,
  })
  const post = (value: string) =>
    fetch(`${node.url}/sandbox/coinbase`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...json, value }),
    })
  expect((await post('60000000001')).status).toBe(400)
  expect((await post('60000000000')).status).toBe(200)
})
