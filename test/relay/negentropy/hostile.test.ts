// Messages of clients that do not speak the protocol, or attack with it.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createDifferences, firstMessage, openRound } from '../../../src/relay/negentropy/round.js'
import { createSetBuilder } from '../../../src/relay/negentropy/sync-set.js'
import { BadMessage } from '../../../src/relay/negentropy/wire.js'
import { inOrder, itemOf, setOf } from './sets.js'

const items = inOrder(Array.from({ length: 100 }, (_, i) => itemOf(1000 + Math.floor(i / 4), i)))
const set = setOf(items)
const FRAME = 4096

/** The answer to a message, in hex. */
function answerTo(message: string | Uint8Array, frameBytes = FRAME): string {
  const bytes = typeof message === 'string' ? Buffer.from(message, 'hex') : message
  const round = openRound({ set, frameBytes }, bytes)
  while (!round.advance(1));
  return round.answer().toString('hex')
}

const ID = 'ab'.repeat(32)
const PRINT = 'cd'.repeat(16)

describe('what is no message', () => {
  test.each([
    ['nothing at all', ''],
    ['a version of another protocol', '51'],
    ['a bound without its prefix', '6101'],
    ['a mode that ends early', '61000081'],
    ['a fingerprint that ends early', `61000001${PRINT.slice(2)}`],
    ['a list that ends early', `6100000202${ID}`],
    ['a list longer than any message', '61000002ffffffff7f'],
    ['a number of eight digits', '61ffffffffffffff7f'],
    ['a prefix longer than an id', `610121${ID}ab00`],
    ['a mode that is none', '61000003'],
    ['a time far past all times', '61ffffffffffff7f00000200000200'],
    ['ranges of one second in the wrong order', '61e9070180000101700000'],
    ['a range that begins after the end of everything', '610000000180ff00'],
  ])('is %s', (_, message) => {
    expect(() => answerTo(message)).toThrow(BadMessage)
  })

  test('is never more than a BadMessage, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, ours) => {
        const message = ours ? Uint8Array.from([0x61, ...bytes]) : bytes
        try {
          expect(answerTo(message).length).toBeLessThanOrEqual(2 * FRAME)
        } catch (error) {
          expect(error).toBeInstanceOf(BadMessage)
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('is a genuine one with any byte changed or the end cut off, or it is answered', () => {
    const genuine = firstMessage(set)
    fc.assert(
      fc.property(fc.nat(genuine.length - 1), fc.nat(255), fc.boolean(), (at, byte, isCut) => {
        const message = isCut ? genuine.subarray(0, at) : genuine.map((old, i) => (i === at ? byte : old))
        try {
          answerTo(message)
        } catch (error) {
          expect(error).toBeInstanceOf(BadMessage)
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('a version of the protocol that we do not speak', () => {
  test('is answered with the one that we do', () => expect(answerTo('62000001')).toBe('61'))

  test('ends the conversation of the side that asks', () => {
    const differences = createDifferences(10)
    expect(() => openRound({ set, frameBytes: FRAME, differences }, Buffer.from('62', 'hex'))).toThrow(BadMessage)
  })
})

test('thousands of ranges that differ are answered within the longest message', () => {
  const range = `0000${'01'}${PRINT}`
  const seconds = Array.from({ length: 3000 }, () => `0200${'01'}${PRINT}`).join('')
  expect(answerTo(`61${seconds}${range}`).length).toBeLessThanOrEqual(2 * FRAME)
})

test('a side that names new events for ever is not listened to', () => {
  const list = Array.from({ length: 11 }, (_, i) => itemOf(0, `new ${i}`).id).join('')
  const differences = createDifferences(10)
  const round = openRound({ set, frameBytes: FRAME, differences }, Buffer.from(`610000020b${list}`, 'hex'))
  expect(() => round.advance(1)).toThrow(BadMessage)
})

describe('a set', () => {
  test('is made of ids in order', () => {
    const [first, second] = [itemOf(1, 'a'), itemOf(2, 'b')]
    const add = (...all: { time: number; id: string }[]) => {
      const builder = createSetBuilder(all.length)
      for (const { time, id } of all) builder.add(time, id)
    }
    expect(() => add(first, second)).not.toThrow()
    expect(() => add(second, first)).toThrow(RangeError)
    expect(() => add(first, first)).toThrow(RangeError)
    expect(() => add({ time: 1, id: 'abc' })).toThrow(RangeError)
  })

  test('has the same fingerprint of a range however it is added up', () => {
    const print = (from: number, to: number) => Buffer.from(set.fingerprint(from, to)).toString('hex')
    fc.assert(
      fc.property(fc.nat(100), fc.nat(100), (a, b) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)]
        const alone = setOf(items.slice(from, to))
        expect(print(from, to)).toBe(Buffer.from(alone.fingerprint(0, to - from)).toString('hex'))
      }),
    )
  })
})
