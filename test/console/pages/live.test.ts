import { expect, test } from 'vitest'
import { createWatch } from '../../../src/console/pages/live.js'

/** Pauses end when the test says so. */
function manualPause() {
  const waiting = new Set<() => void>()
  const pause = ((_ms: number, _value: undefined, { signal }: { signal?: AbortSignal } = {}) =>
    new Promise<void>((resolve, reject) => {
      waiting.add(resolve)
      signal?.addEventListener('abort', () => reject(new Error('aborted')))
    })) as unknown as Parameters<typeof createWatch>[1]
  return {
    pause,
    async tick() {
      for (let turn = 0; turn < 3; turn++) {
        for (const resolve of waiting) resolve()
        waiting.clear()
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}

test('each page hears of a change once, and many pages cost one look', async () => {
  const { pause, tick } = manualPause()
  let [mark, looks] = [0, 0]
  const watch = createWatch(async () => {
    looks += 1
    return String(mark)
  }, pause)
  const readers = Array.from({ length: 20 }, () => new AbortController())
  const pages = readers.map(({ signal }) => watch(signal))
  const heard = pages.map((page) => page.next())
  await tick()
  const before = looks
  mark = 1
  for (let turn = 0; turn < 5; turn++) await tick()
  expect(new Set((await Promise.all(heard)).map(({ value }) => value))).toEqual(new Set(['1']))
  expect(looks - before).toBeLessThan(20)
  for (const reader of readers) reader.abort()
})

test('it ends with its page', async () => {
  const { pause, tick } = manualPause()
  const over = new AbortController()
  const page = createWatch(async () => '0', pause)(over.signal)
  const next = page.next()
  await tick()
  over.abort()
  await tick()
  expect(await next).toEqual({ value: undefined, done: true })
})

test('a look that fails ends the stream, and the next one looks again', async () => {
  const { pause, tick } = manualPause()
  let broken = true
  const watch = createWatch(async () => {
    if (broken) throw new Error('closed')
    return '0'
  }, pause)
  const over = new AbortController()
  await expect(watch(over.signal).next()).rejects.toThrow('closed')
  broken = false
  await tick()
  const next = watch(over.signal).next()
  await tick()
  over.abort()
  await tick()
  expect((await next).done).toBe(true)
})
