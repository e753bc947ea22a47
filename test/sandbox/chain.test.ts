import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createBlockSeal } from '../../src/sandbox/block.js'
import { createSimulatedChain, type SimulatedChain } from '../../src/sandbox/chain.js'
import { coin, coinbase, kernelOf, output, transaction } from './transactions.js'

const T0 = Date.parse('2026-01-01T00:00:00Z')

function emptyChain(): SimulatedChain {
  let salt = 0
  return createSimulatedChain({ seal: createBlockSeal(() => Uint8Array.of(salt++)), genesisAt: T0 })
}

/** coin(1) to coin(3) are ripe coinbases. */
function fundedChain(): SimulatedChain {
  const chain = emptyChain()
  for (const number of [1, 2, 3]) chain.mine(T0, { coinbase: coinbase(number) })
  for (let block = 0; block < 3; block++) chain.mine(T0)
  return chain
}

const heightOf = (chain: SimulatedChain, id: number) => chain.ledger.kernel(kernelOf(id))?.height
const height = (chain: SimulatedChain) => chain.ledger.tip().height

describe('the pool', () => {
  test('takes a transaction once', () => {
    const chain = fundedChain()
    const pay = transaction(1, [coin(1)], [coin(11)])
    expect(chain.admit(pay, T0)).toBeUndefined()
    expect(chain.admit(pay, T0)).toBe('Duplicate tx')
  })

  test('refuses a coin that another pooled transaction spends', () => {
    const chain = fundedChain()
    chain.admit(transaction(1, [coin(1)], [coin(11)]), T0)
    expect(chain.admit(transaction(2, [coin(1)], [coin(12)]), T0)).toMatch(/General pool error/)
  })

  test('refuses a coin that does not exist, and one spent in a block', () => {
    const chain = fundedChain()
    expect(chain.admit(transaction(1, [coin(99)], [coin(11)]), T0)).toMatch(/General pool error/)
    chain.admit(transaction(2, [coin(1)], [coin(11)]), T0)
    chain.mine(T0)
    expect(chain.admit(transaction(2, [coin(1)], [coin(11)]), T0)).toMatch(/General pool error/)
  })

  test('refuses an output that exists already', () => {
    const chain = fundedChain()
    expect(chain.admit(transaction(1, [coin(1)], [coin(2)]), T0)).toBe('Duplicate commitment')
  })

  test('refuses a coinbase before its third block, as a private Grin network does', () => {
    const chain = emptyChain()
    chain.mine(T0, { coinbase: coinbase(1) })
    chain.mine(T0)
    expect(chain.admit(transaction(1, [coin(1)], [coin(11)]), T0)).toBe('Immature coinbase')
    chain.mine(T0)
    expect(chain.admit(transaction(1, [coin(1)], [coin(11)]), T0)).toBeUndefined()
  })

  test('names the fee it refuses', () => {
    expect(fundedChain().admit(transaction(1, [coin(1)], [coin(11)], 1_000_000), T0)).toBe(
      'Low fee transaction 1000000',
    )
  })

  test('asks for exactly 500000 nanogrin per unit of weight', () => {
    const least = (1 + 21 + 3) * 500_000
    expect(fundedChain().admit(transaction(1, [coin(1)], [coin(11)], least - 1), T0)).toMatch(/^Low fee/)
    expect(fundedChain().admit(transaction(1, [coin(1)], [coin(11)], least), T0)).toBeUndefined()
  })

  test('refuses outputs in another order', () => {
    const { body, offset } = transaction(1, [coin(1)], [coin(11), coin(12)])
    const turned = { offset, body: { ...body, outputs: [...body.outputs].reverse() } }
    expect(fundedChain().admit(turned, T0)).toBe('Invalid Tx some kind of keychain error')
  })

  test('refuses coins made from nothing', () => {
    const { body, offset } = transaction(1, [coin(1)], [])
    const minting = { offset, body: { ...body, outputs: [output(coin(11), 'Coinbase')] } }
    expect(fundedChain().admit(minting, T0)).toBe('Invalid Tx some kind of keychain error')
  })

  test('takes a transaction that spends another pooled one, and a block joins both', () => {
    const chain = fundedChain()
    chain.admit(transaction(1, [coin(1)], [coin(11)]), T0)
    expect(chain.admit(transaction(2, [coin(11)], [coin(12)]), T0)).toBeUndefined()
    const block = chain.mine(T0)
    expect(block.inputs).toEqual([coin(1)])
    expect(block.outputs.map((made) => made.commit)).toEqual([coin(12)])
    expect([heightOf(chain, 1), heightOf(chain, 2)]).toEqual([7, 7])
  })
})

describe('a block', () => {
  test('takes the pool, creates the outputs and forgets the inputs', () => {
    const chain = fundedChain()
    chain.admit(transaction(1, [coin(1)], [coin(11)]), T0)
    chain.mine(T0)
    expect(chain.pool()).toEqual([])
    expect(chain.ledger.output(coin(11))?.height).toBe(7)
    expect(chain.ledger.output(coin(1))).toBeUndefined()
  })

  test('may be empty while the pool waits', () => {
    const chain = fundedChain()
    chain.admit(transaction(1, [coin(1)], [coin(11)]), T0)
    chain.mine(T0, { empty: true })
    expect([chain.pool().length, heightOf(chain, 1)]).toEqual([1, undefined])
  })
})

describe('a reorganisation', () => {
  function paidChain() {
    const chain = fundedChain()
    chain.admit(transaction(1, [coin(1)], [coin(11)]), T0)
    chain.mine(T0)
    chain.mine(T0)
    return chain
  }

  test('takes a kernel and its outputs off the chain and brings the coin back', () => {
    const chain = paidChain()
    chain.reorg(2, T0)
    expect(heightOf(chain, 1)).toBeUndefined()
    expect(chain.ledger.output(coin(11))).toBeUndefined()
    expect(chain.ledger.output(coin(1))?.height).toBe(1)
  })

  test('ends one block higher with other hashes', () => {
    const chain = paidChain()
    const before = chain.ledger.blockAt(7)?.header.hash
    expect(chain.reorg(2, T0)).toHaveLength(3)
    expect(height(chain)).toBe(9)
    expect(chain.ledger.blockAt(7)?.header.hash).not.toBe(before)
    expect(chain.ledger.tip().previous).toBe(chain.ledger.blockAt(8)?.header.hash)
  })

  test('puts the transaction back into the pool, so the next block has it again', () => {
    const chain = paidChain()
    chain.reorg(2, T0)
    expect(chain.pool()).toHaveLength(1)
    chain.mine(T0)
    expect(heightOf(chain, 1)).toBe(10)
  })

  test('loses the transaction for good on request, and its coin can be spent otherwise', () => {
    const chain = paidChain()
    chain.reorg(2, T0, { forget: true })
    expect(chain.pool()).toEqual([])
    expect(chain.admit(transaction(2, [coin(1)], [coin(12)]), T0)).toBeUndefined()
    expect(chain.admit(transaction(1, [coin(1)], [coin(11)]), T0)).toMatch(/General pool error/)
  })

  test('drops a pooled transaction whose coin was in a lost block', () => {
    const chain = paidChain()
    chain.admit(transaction(2, [coin(11)], [coin(12)]), T0)
    chain.reorg(2, T0, { forget: true })
    expect(chain.pool()).toEqual([])
  })

  test('leaves deeper blocks alone', () => {
    const chain = paidChain()
    chain.reorg(1, T0)
    expect(heightOf(chain, 1)).toBe(7)
  })

  test('is refused beyond block 1', () => {
    expect(() => emptyChain().reorg(1, T0)).toThrow('cannot replace 1 blocks: the sandbox chain has 0')
  })
})

/** What everything below agrees on, whatever happened before. */
function expectConsistent(chain: SimulatedChain): void {
  const created = new Map<string, number>()
  for (let at = 0; at <= height(chain); at++) {
    const block = chain.ledger.blockAt(at)
    for (const commit of block?.inputs ?? []) expect(created.delete(commit)).toBe(true)
    for (const { commit } of block?.outputs ?? []) created.set(commit, at)
    expect(block?.header.height).toBe(at)
  }
  const unspent = chain.ledger.unspent()
  expect(new Map(unspent.map((one) => [one.commit, one.height]))).toEqual(created)
  expect(new Set(unspent.map((one) => one.position)).size).toBe(unspent.length)
}

test('whatever order of payments, blocks and reorganisations, coins are neither lost nor doubled', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('pay' as const), from: fc.nat(12), to: fc.nat(12) }),
    fc.record({ do: fc.constant('mine' as const), empty: fc.boolean() }),
    fc.record({ do: fc.constant('reorg' as const), depth: fc.integer({ min: 1, max: 4 }), forget: fc.boolean() }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const chain = fundedChain()
      steps.forEach((one, id) => {
        if (one.do === 'pay') chain.admit(transaction(id, [coin(one.from)], [coin(one.to)]), T0)
        else if (one.do === 'mine') chain.mine(T0, { empty: one.empty })
        else chain.reorg(Math.min(one.depth, height(chain)), T0, { forget: one.forget })
      })
      expectConsistent(chain)
    }),
    { numRuns: 60 },
  )
})
