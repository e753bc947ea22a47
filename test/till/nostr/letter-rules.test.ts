import { expect, test } from 'vitest'
import { LETTER_DELAYS, letterRetryDelay } from '../../../src/till/nostr/letter-rules.js'

test('a letter is tried again after 15 s, 30 s, 60 s and so on, at most every quarter of an hour', () => {
  expect(LETTER_DELAYS.slice(0, 9)).toEqual([15, 30, 60, 120, 240, 480, 900, 900, 900])
  expect(new Set(LETTER_DELAYS.slice(6))).toEqual(new Set([900]))
})

test('the tries fill 24 hours and not more', () => {
  const total = LETTER_DELAYS.reduce((sum, delay) => sum + delay, 0)
  expect(total).toBeLessThanOrEqual(86_400)
  expect(total + 900).toBeGreaterThan(86_400)
})

test('after the last of them the letter is given up', () => {
  expect(letterRetryDelay(1)).toBe(15)
  expect(letterRetryDelay(LETTER_DELAYS.length)).toBe(900)
  expect(letterRetryDelay(LETTER_DELAYS.length + 1)).toBeUndefined()
})
