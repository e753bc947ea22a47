import { expect, test } from 'vitest'
import { createHeldFrames } from '../../../src/till/pages/frame.js'

/** Waits for the end of the frame; answers whether it was. */
const untilOver = ({ signal }: AbortController) =>
  new Promise<boolean>((resolve) => signal.addEventListener('abort', () => resolve(signal.aborted), { once: true }))

test('the end of the daemon ends every frame, and no frame is kept waiting after it', async () => {
  const frames = createHeldFrames()
  const held = ['a', 'a', 'b'].map((client) => frames.hold(client, untilOver))
  frames.end()
  expect(await Promise.all(held)).toEqual([true, true, true])
  expect(await frames.hold('c', untilOver)).toBeUndefined()
})

test('frames share no signal: one that lived as long as the daemon would remember every frame there ever was', async () => {
  const frames = createHeldFrames()
  const signals = new Set<AbortSignal>()
  for (let asked = 0; asked < 100; asked++) await frames.hold('a', async ({ signal }) => signals.add(signal))
  expect(signals.size).toBe(100)
})

test('one customer has room for forty, and each that ends makes room for another', async () => {
  const frames = createHeldFrames()
  const overs: AbortController[] = []
  const hold = () =>
    frames.hold('a', (over) => {
      overs.push(over)
      return untilOver(over)
    })
  const held = Array.from({ length: 40 }, hold)
  expect(await hold()).toBeUndefined()
  overs[0]?.abort()
  expect(await held[0]).toBe(true)
  held.push(hold())
  frames.end()
  expect(await Promise.all(held)).toEqual(Array(41).fill(true))
})
