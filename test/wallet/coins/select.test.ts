// Coin selection: laws for all coins and amounts, and grin-wallet's own examples.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_WEIGHT, minimumFee, transactionWeight } from '../../../src/grin/tx/index.js'
import { type Selection, type SelectionRequest, selectCoins } from '../../../src/wallet/index.js'
import { codeOf, vectors } from '../../support/vectors.js'

type Coin = { readonly value: bigint }
const GRIN = 1_000_000_000n
const coins = (...values: readonly bigint[]): Coin[] => values.map((value) => ({ value }))
const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n)
const sumOf = (list: readonly Coin[]): bigint => sum(list.map(({ value }) => value))
const feeOf = (inputs: number, change: number): bigint => minimumFee({ inputs, outputs: 1 + change, kernels: 1 })

/** Undefined when it refuses. */
function tried(list: readonly Coin[], request: SelectionRequest): Selection<Coin> | undefined {
  try {
    return selectCoins(list, request)
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && String(thrown.code).startsWith('WALLET_')) return undefined
    throw thrown
  }
}

const dust = fc.bigInt({ min: 1n, max: 2_000_000n })
const usual = fc.bigInt({ min: 1n, max: 100n * GRIN })
const anyCoins = fc.array(
  fc.oneof(dust, usual).map((value) => ({ value })),
  { maxLength: 30 },
)
const request = fc.record(
  {
    amount: fc.oneof(fc.bigInt({ min: 1n, max: 300n * GRIN }), fc.bigInt({ min: 1n, max: 30_000_000n })),
    feeIncluded: fc.boolean(),
    strategy: fc.constantFrom('smallest' as const, 'all' as const),
    maxInputs: fc.integer({ min: 1, max: 40 }),
    changeOutputs: fc.integer({ min: 1, max: 5 }),
  },
  { requiredKeys: ['amount'] },
)

describe('every selection', () => {
  const holds = (law: (chosen: Selection<Coin>, list: readonly Coin[], asked: SelectionRequest) => void) =>
    fc.assert(
      fc.property(anyCoins, request, (list, asked) => {
        const chosen = tried(list, asked)
        if (chosen) law(chosen, list, asked)
      }),
      { numRuns: 500 },
    )

  test('balances to the nanogrin', () =>
    holds((chosen) => expect(sumOf(chosen.coins)).toBe(chosen.amount + chosen.fee + sum(chosen.change))))

  test('pays exactly the least fee of its shape', () =>
    holds((chosen) => expect(chosen.fee).toBe(feeOf(chosen.coins.length, chosen.change.length))))

  test('gives the receiver the amount, or the amount without the fee', () =>
    holds((chosen, _, { amount, feeIncluded }) => expect(chosen.amount + (feeIncluded ? chosen.fee : 0n)).toBe(amount)))

  test('takes no coin twice, and no more than allowed', () =>
    holds((chosen, list, { maxInputs = 500 }) => {
      expect(new Set(chosen.coins).size).toBe(chosen.coins.length)
      expect(chosen.coins.every((coin) => list.includes(coin))).toBe(true)
      expect(chosen.coins.length).toBeLessThanOrEqual(maxInputs)
    }))

  test('makes no empty change, no more of it than asked for, in equal parts', () =>
    holds(({ change }, _, { changeOutputs = 1 }) => {
      expect(change.every((value) => value > 0n)).toBe(true)
      expect([0, 1, changeOutputs]).toContain(change.length)
      const [first = 0n] = change
      expect(change.slice(0, -1).every((value) => value === first)).toBe(true)
      expect((change.at(-1) ?? 0n) - first).toBeLessThan(BigInt(changeOutputs))
    }))

  test('fits into a block', () =>
    holds((chosen) => {
      const shape = { inputs: chosen.coins.length, outputs: 1 + chosen.change.length, kernels: 1 }
      expect(transactionWeight(shape)).toBeLessThanOrEqual(MAX_WEIGHT)
    }))

  test('does not depend on the order of the coins', () =>
    fc.assert(
      fc.property(anyCoins, request, fc.infiniteStream(fc.nat()), (list, asked, ranks) => {
        const shuffled = list
          .map((coin) => ({ coin, rank: ranks.next().value ?? 0 }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ coin }) => coin)
        const values = (chosen: Selection<Coin> | undefined) => chosen?.coins.map(({ value }) => value)
        expect(values(tried(shuffled, asked))).toEqual(values(tried(list, asked)))
      }),
    ))
})

describe('a selection is found', () => {
  /** All subsets of a few coins, as slow as it is sure. */
  const subsets = (list: readonly Coin[]): Coin[][] =>
    Array.from({ length: 2 ** list.length }, (_, mask) => list.filter((_, at) => (mask >> at) % 2 === 1))

  test('whenever some coins suffice with change', () => {
    const few = fc.array(
      fc.oneof(dust, usual).map((value) => ({ value })),
      { maxLength: 7 },
    )
    fc.assert(
      fc.property(few, request, (list, asked) => {
        const { amount, feeIncluded = false, maxInputs = 500, strategy } = asked
        if (strategy === 'all') return
        const suffices = subsets(list).some((some) => {
          if (some.length === 0 || some.length > maxInputs) return false
          const fee = feeOf(some.length, 1)
          return feeIncluded ? amount > fee && sumOf(some) > amount : sumOf(some) > amount + fee
        })
        if (suffices) expect(tried(list, asked)).toBeDefined()
      }),
      { numRuns: 400 },
    )
  })

  test('and every smaller amount can then be sent too', () =>
    fc.assert(
      fc.property(anyCoins, request, fc.bigInt({ min: 1n, max: GRIN }), (list, asked, less) => {
        const chosen = tried(list, { ...asked, feeIncluded: false })
        if (!chosen || chosen.change.length === 0 || asked.amount <= less) return
        expect(tried(list, { ...asked, feeIncluded: false, amount: asked.amount - less })).toBeDefined()
      }),
    ))
})

describe('smallest first', () => {
  test('takes the smallest coins that suffice', () => {
    const list = coins(50n * GRIN, 1n * GRIN, 10n * GRIN, 2n * GRIN)
    expect(selectCoins(list, { amount: 2n * GRIN }).coins).toEqual(coins(1n * GRIN, 2n * GRIN))
  })

  test('leaves the smallest out when too many would be needed', () => {
    const list = coins(1n * GRIN, 1n * GRIN, 1n * GRIN, 10n * GRIN, 20n * GRIN)
    expect(selectCoins(list, { amount: 9n * GRIN, maxInputs: 2 }).coins).toEqual(coins(1n * GRIN, 10n * GRIN))
    expect(selectCoins(list, { amount: 25n * GRIN, maxInputs: 2 }).coins).toEqual(coins(10n * GRIN, 20n * GRIN))
  })

  test('dust that costs more than it brings does not stand in the way', () => {
    const list = coins(...Array.from({ length: 100 }, () => 1n), GRIN)
    const { coins: chosen } = selectCoins(list, { amount: GRIN - 23_000_000n - 1n })
    expect(sumOf(chosen)).toBeGreaterThanOrEqual(GRIN)
  })
})

test('all coins', () => {
  const list = coins(1n * GRIN, 2n * GRIN, 3n * GRIN)
  expect(selectCoins(list, { amount: GRIN, strategy: 'all' }).coins).toHaveLength(3)
  expect(selectCoins(list, { amount: GRIN, strategy: 'all', maxInputs: 2 }).coins).toEqual(coins(2n * GRIN, 3n * GRIN))
})

test('the whole balance: fee included, nothing left', () => {
  const list = coins(1n * GRIN, 2n * GRIN)
  const fee = feeOf(2, 0)
  expect(selectCoins(list, { amount: 3n * GRIN, feeIncluded: true })).toEqual({
    coins: list,
    amount: 3n * GRIN - fee,
    fee,
    change: [],
  })
})

describe('a fixed fee', () => {
  const fixed = (list: readonly Coin[], amount: bigint, fixedFee: bigint) => tried(list, { amount, fixedFee })

  test('is paid as it is, and bounds the inputs', () => {
    expect(fixed(coins(5n * GRIN), GRIN, feeOf(1, 1))).toMatchObject({ fee: feeOf(1, 1) })
    expect(fixed(coins(5n * GRIN), GRIN, feeOf(9, 1))).toMatchObject({
      fee: feeOf(9, 1),
      change: [4n * GRIN - feeOf(9, 1)],
    })
    expect(fixed(coins(GRIN, GRIN, GRIN), 2n * GRIN, feeOf(1, 1))).toBeUndefined()
    expect(fixed(coins(GRIN, GRIN, 3n * GRIN), 2n * GRIN, feeOf(1, 1))?.coins).toEqual(coins(3n * GRIN))
  })

  test('makes no change when the sum is exact', () =>
    expect(fixed(coins(GRIN + feeOf(1, 1)), GRIN, feeOf(1, 1))).toMatchObject({ change: [], fee: feeOf(1, 1) }))
})

test.each<[string, SelectionRequest, string]>([
  ['more than there is', { amount: 100n * GRIN }, 'WALLET_NOT_ENOUGH'],
  ['all of it with the fee on top', { amount: 6n * GRIN }, 'WALLET_NOT_ENOUGH'],
  ['too many inputs', { amount: 5n * GRIN, maxInputs: 1 }, 'WALLET_TOO_MANY_INPUTS'],
  ['nothing', { amount: 0n }, 'WALLET_AMOUNT'],
  ['less than nothing', { amount: -1n }, 'WALLET_AMOUNT'],
  ['less than the fee, fee included', { amount: 1000n, feeIncluded: true }, 'WALLET_AMOUNT'],
  ['more than a slate can say', { amount: 2n ** 64n }, 'WALLET_AMOUNT'],
])('%s is refused', async (_, asked, code) => {
  expect(await codeOf(() => selectCoins(coins(GRIN, 2n * GRIN, 3n * GRIN), asked))).toBe(code)
})

test('ten thousand coins that do not suffice are refused', async () => {
  const list = coins(...Array.from({ length: 10_000 }, (_, at) => BigInt(at + 1) * 1_000_000n))
  expect(await codeOf(() => selectCoins(list, { amount: 100_000n * GRIN }))).toBe('WALLET_NOT_ENOUGH')
  expect(await codeOf(() => selectCoins(list, { amount: 4990n * GRIN }))).toBe('WALLET_TOO_MANY_INPUTS')
})

test('a transaction never outgrows a block, whatever is allowed', () => {
  const list = coins(...Array.from({ length: 41_000 }, () => GRIN))
  const { coins: chosen } = selectCoins(list, { amount: GRIN, strategy: 'all', maxInputs: 50_000, changeOutputs: 2 })
  expect(transactionWeight({ inputs: chosen.length, outputs: 3, kernels: 1 })).toBeLessThanOrEqual(MAX_WEIGHT)
})

test('the fees of real payments (test/vectors/real)', () => {
  for (const folder of ['standard-plain', 'standard-encrypted-ttl', 'standard-many-inputs']) {
    const { coms, fee } = vectors(`real/${folder}/S3.json`)
    const inputs = coms.filter(({ p }: { p?: string }) => p === undefined).length
    expect([folder, feeOf(inputs, coms.length - inputs - 1)]).toEqual([folder, BigInt(fee)])
  }
})
