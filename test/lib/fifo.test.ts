import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Fifo } from '../../src/lib/fifo.js'
import { collectGarbage } from '../../src/lib/heap.js'

test('what came first leaves first, however many come and go', () => {
  const steps = fc.array(fc.integer({ min: -200, max: 200 }), { maxLength: 30 })
  fc.assert(
    fc.property(steps, (counts) => {
      const [queue, expected] = [new Fifo<number>(), [] as number[]]
      let next = 0
      for (const count of counts)
        for (let left = Math.abs(count); left > 0; left--) {
          if (count > 0) {
            queue.push(next)
            expected.push(next++)
          } else expect(queue.shift()).toBe(expected.shift())
          expect([queue.first, queue.length]).toEqual([expected[0], expected.length])
        }
    }),
    { numRuns: 30 },
  )
})

test('a removed entry is forgotten at once, while later ones wait', async () => {
  const queue = new Fifo<object>()
  const addOne = () => {
    const task = { of: 'an event' }
    queue.push(task)
    return new WeakRef(task)
  }
  const [removed, waiting] = [addOne(), addOne()]
  queue.shift()
  await turn()
  collectGarbage()
  expect(removed.deref()).toBeUndefined()
  expect(queue.first).toBe(waiting.deref())
})
