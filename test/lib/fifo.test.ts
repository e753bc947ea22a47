import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { collectGarbage } from '../../src/lib/collect-garbage.js'
import { createTaskQueue } from '../../src/workers/task-queue.js'

test('tasks are done in their order, from those in progress and from those that wait', () => {
  const queue = createTaskQueue<string>()
  for (const task of ['a', 'b', 'c']) queue.add(task)
  queue.dispatch()
  expect([queue.oldest(), queue.next(), queue.waiting(), queue.isAtWork()]).toEqual(['a', 'b', 2, true])
  queue.finish()
  expect([queue.oldest(), queue.next(), queue.isAtWork()]).toEqual([undefined, 'b', false])
  queue.finish()
  queue.clear()
  expect([queue.next(), queue.waiting(), queue.isEmpty()]).toEqual(['c', 1, false])
  queue.finish()
  queue.clear()
  expect([queue.next(), queue.isEmpty()]).toEqual([undefined, true])
})

test('a finished task is forgotten at once, while later ones are in progress', async () => {
  const queue = createTaskQueue<object>()
  const addOne = () => {
    const task = { of: 'an event' }
    queue.add(task)
    return new WeakRef(task)
  }
  const [done, inProgress] = [addOne(), addOne()]
  queue.dispatch()
  queue.dispatch()
  queue.finish()
  queue.clear()
  await turn()
  collectGarbage()
  expect(done.deref()).toBeUndefined()
  expect(queue.oldest()).toBe(inProgress.deref())
})
