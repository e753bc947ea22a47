import { expect, test } from 'vitest'
import { MESSAGE_DELAYS, messageRetryDelay } from '../../../src/till/nostr/message-sender.js'

test('a letter is tried again after 15 s, 30 s, 60 s and so on, at most every quarter of an hour', () => {
  expect(MESSAGE_DELAYS.slice(0, 9)).toEqual([15, 30, 60, 120, 240, 480, 900, 900, 900])
  expect(new Set(MESSAGE_DELAYS.slice(6))).toEqual(new Set([900]))
})

test('the tries fill 24 hours and not more', () => {
  const total = MESSAGE_DELAYS.reduce((sum, delay) => sum + delay, 0)
  expect(total).toBeLessThanOrEqual(86_400)
  expect(total + 900).toBeGreaterThan(86_400)
})

test('after the last of them the letter is given up', () => {
  expect(messageRetryDelay(1)).toBe(15)
  expect(messageRetryDelay(MESSAGE_DELAYS.length)).toBe(900)
  expect(messageRetryDelay(MESSAGE_DELAYS.length + 1)).toBeUndefined()
})
