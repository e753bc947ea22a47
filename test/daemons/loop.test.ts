import { expect, test } from 'vitest'
import { createLoop } from '../../src/daemons/parts/loop.js'

const silent = { info: () => {}, error: () => {} }

test('a failed pass is logged and the next one runs', async () => {
  const errors: object[] = []
  let passes = 0
  await new Promise<void>((done) => {
    const loop = createLoop({
      name: 'sweep',
      everyMs: 1000,
      log: { ...silent, error: (fields) => errors.push(fields) },
      sleep: async () => {},
      pass: async () => {
        passes += 1
        if (passes === 2) throw new Error('disk full')
        if (passes === 3) void loop.stop().then(done)
      },
    })
    void loop.start(new AbortController().signal)
  })
  expect(errors).toEqual([{ loop: 'sweep', cause: 'disk full' }])
})

test('stopping waits for the pass under way', async () => {
  const log: string[] = []
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const loop = createLoop({
    name: 'deliver',
    everyMs: 1000,
    log: silent,
    sleep: async () => {},
    pass: () => gate.then(() => void log.push('pass ended')),
  })
  await loop.start(new AbortController().signal)
  const stopped = loop.stop().then(() => log.push('stopped'))
  release()
  await stopped
  expect(log).toEqual(['pass ended', 'stopped'])
})
