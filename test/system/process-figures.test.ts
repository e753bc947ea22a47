import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openProcessFigures } from '../../src/system/index.js'

const MINUTE = 60_000
const BLOCKED_MS = 120

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

/** Holds the event loop, and lets it take its sample. */
async function block(): Promise<void> {
  const end = performance.now() + BLOCKED_MS
  while (performance.now() < end);
  await pause(60)
}

test('a reading of the event loop takes nothing from the next reader', async () => {
  const figures = openProcessFigures()
  await pause(60)
  await block()
  const [one, other] = [figures.read().lag, figures.read().lag]
  expect(one.maxSeconds).toBeGreaterThan(0.05)
  expect(other.maxSeconds).toBe(one.maxSeconds)
  figures.close()
})

test('a delay is shown for the minute after the one in which it happened', async () => {
  const figures = openProcessFigures()
  await pause(60)
  await block()
  vi.advanceTimersByTime(MINUTE)
  await pause(60)
  const { maxSeconds } = figures.read().lag
  expect(maxSeconds).toBeGreaterThan(0.05)
  expect(figures.read().lag.maxSeconds).toBe(maxSeconds)
  vi.advanceTimersByTime(MINUTE)
  expect(figures.read().lag.maxSeconds).not.toBe(maxSeconds)
  figures.close()
})
