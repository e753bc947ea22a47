// How often properties are tried, and how a failure is repeated.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAssert } from '../support/properties.js'

const few = createAssert({ isFull: false, seed: undefined })
const full = createAssert({ isFull: true, seed: undefined })

function counted(assert: typeof full, parameters?: fc.Parameters<[number]>): readonly number[] {
  const tried: number[] = []
  assert(
    fc.property(fc.integer(), (one) => void tried.push(one)),
    parameters,
  )
  return tried
}

describe('a property is tried', () => {
  test('a fifth of the times that it names, and as often as it names in a full run', () => {
    expect(counted(few, { numRuns: 502 })).toHaveLength(101)
    expect(counted(full, { numRuns: 502 })).toHaveLength(502)
    expect([counted(few).length, counted(full).length]).toEqual([20, 100])
  })

  test('with all of its examples, and with something else', () => {
    const examples = Array.from({ length: 30 }, (_, n): [number] => [n])
    const tried = counted(few, { numRuns: 50, examples })
    expect(tried.slice(0, 30)).toEqual(examples.flat())
    expect(tried).toHaveLength(31)
  })

  test('from its seed: the same values again', () => {
    const [one, other] = [
      counted(createAssert({ isFull: true, seed: 7 })),
      counted(createAssert({ isFull: true, seed: 7 })),
    ]
    expect(one).toEqual(other)
    expect(counted(full)).not.toEqual(one)
  })

  test('by every test that imports fast-check', () => {
    expect(fc.assert).not.toBe(full)
    let tries = 0
    fc.assert(fc.property(fc.integer(), () => void tries++))
    expect(tries).toBe(process.env.GRINPAY_PROPERTIES === 'full' ? 100 : 20)
  })
})

describe('a property that fails', () => {
  const isSmall = (one: number) => expect(Math.abs(one)).toBeLessThan(1000)

  test('says how it is repeated, and that finds the same', async () => {
    const texts: string[] = []
    const told = (error: Error) => void texts.push(error.message)
    try {
      few(fc.property(fc.integer(), isSmall), { numRuns: 500 })
    } catch (error) {
      told(error as Error)
    }
    const asynchronous = fc.asyncProperty(fc.integer(), async (one) => isSmall(one))
    await (full(asynchronous, { numRuns: 500 }) as unknown as Promise<void>).catch(told)
    expect(texts).toEqual([
      expect.stringMatching(
        /To repeat: GRINPAY_PROPERTY_SEED=-?\d+ npx vitest run \S+\.test\.ts -t "a property that fails /,
      ),
      expect.stringMatching(/To repeat: GRINPAY_PROPERTY_SEED=-?\d+ GRINPAY_PROPERTIES=full npx vitest run /),
    ])
    const counterexample = (text = '') => /Counterexample: (\S+)/.exec(text)?.[1]
    const [, seed] = /PROPERTY_SEED=(-?\d+)/.exec(texts[0] ?? '') ?? []
    const again = createAssert({ isFull: false, seed: Number(seed) })
    let text = ''
    try {
      again(fc.property(fc.integer(), isSmall), { numRuns: 500 })
    } catch (error) {
      text = (error as Error).message
    }
    expect(counterexample(text)).toBe(counterexample(texts[0]))
    expect(counterexample(text)).toBeDefined()
  })
})
