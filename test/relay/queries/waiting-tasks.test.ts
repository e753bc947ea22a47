// Queries that wait for a reader thread: who is served meanwhile, what it costs, and what becomes of late answers.
import { expect, test } from 'vitest'
import type { EventPage, StoredQuery, Waiting } from '../../../src/relay/ports.js'
import {
  createQueryScheduler,
  type QueryClient,
  readTask,
  type SlicedTask,
} from '../../../src/relay/queries/query-scheduler.js'

function aLoop() {
  const log: string[] = []
  const turns: (() => void)[] = []
  let now = 1000
  const queries = createQueryScheduler({
    clock: { monotonic: () => now },
    nextTurn: (run) => turns.push(run),
    maxUnsent: 100,
  })
  return {
    ...{ queries, log },
    pass: (ms: number) => {
      now += ms
    },
    waitingTurns: () => turns.length,
    nextTurn() {
      for (const run of turns.splice(0)) run()
      return log.splice(0)
    },
  }
}

const aReader = (unsent = 0): QueryClient & { unsent: number; read(): void } => {
  const waiting: (() => void)[] = []
  return {
    unsent,
    pending() {
      return this.unsent
    },
    whenWritten: (resume) => waiting.push(resume),
    read() {
      this.unsent = 0
      for (const resume of waiting.splice(0)) resume()
    },
  }
}

/** A task that waits once, if it may, and is done in the next slice. */
function waiter({ log, pass }: ReturnType<typeof aLoop>, name: string) {
  let resume: ((ms: number) => void) | undefined
  let isAsked = false
  const wait: Waiting = {
    whenReady(run) {
      resume = run
    },
  }
  const task: SlicedTask = {
    step(mayWait) {
      pass(0.1)
      if (!isAsked && mayWait) {
        isAsked = true
        log.push(`${name} waits`)
        return wait
      }
      log.push(`${name} done`)
      return true
    },
    failed: (error) => log.push(`${name} failed: ${String(error)}`),
    dropped: () => log.push(`${name} dropped`),
    heldBytes: () => 7,
  }
  return { task, answer: (ms = 1) => resume?.(ms) }
}

test('a query that waits is parked, and goes on when the answer comes', () => {
  const loop = aLoop()
  const reader = aReader()
  const a = waiter(loop, 'a')
  loop.queries.start(reader, 'a', a.task)
  expect(loop.nextTurn()).toEqual(['a waits'])
  expect([loop.waitingTurns(), loop.queries.waiting(reader), loop.queries.heldBytes(reader)]).toEqual([0, 1, 7])
  a.answer()
  expect(loop.nextTurn()).toEqual(['a done', 'a dropped'])
  expect([loop.queries.waiting(reader), loop.queries.heldBytes(reader)]).toEqual([0, 0])
})

test('other queries of the connection are answered meanwhile', () => {
  const loop = aLoop()
  const reader = aReader()
  const a = waiter(loop, 'a')
  loop.queries.start(reader, 'a', a.task)
  loop.queries.start(reader, 'b', { step: () => loop.log.push('b done') > 0, failed: () => {} })
  expect(loop.log.splice(0)).toEqual(['a waits', 'b done'])
  a.answer()
  expect(loop.nextTurn()).toEqual(['a done', 'a dropped'])
})

test('two queries of a connection may wait at the same time; a third one may not, those of others may', () => {
  const loop = aLoop()
  const [one, other] = [aReader(), aReader()]
  const tasks = ['a', 'b', 'c'].map((name) => waiter(loop, name))
  for (const [number, { task }] of tasks.entries()) loop.queries.start(one, String(number), task)
  loop.queries.start(other, 'd', waiter(loop, 'd').task)
  expect(loop.log.splice(0)).toEqual(['a waits', 'b waits', 'c done', 'c dropped', 'd waits'])
  tasks[0]?.answer()
  loop.nextTurn()
  loop.queries.start(one, 'e', waiter(loop, 'e').task)
  expect(loop.log).toEqual(['e waits'])
})

test('a closed or replaced query is dropped, and its late answer changes nothing', () => {
  const loop = aLoop()
  const reader = aReader()
  const [a, b, other] = [waiter(loop, 'a'), waiter(loop, 'b'), waiter(loop, 'new b')]
  loop.queries.start(reader, 'a', a.task)
  loop.queries.start(reader, 'b', b.task)
  loop.queries.stop(reader, 'a')
  loop.queries.start(reader, 'b', other.task)
  expect(loop.log.splice(0)).toEqual(['a waits', 'b waits', 'a dropped', 'b dropped', 'new b waits'])
  a.answer()
  b.answer()
  expect(loop.nextTurn()).toEqual([])
  expect(loop.queries.waiting(reader)).toBe(1)
  other.answer()
  expect(loop.nextTurn()).toEqual(['new b done', 'new b dropped'])
})

test('a connection that is gone drops all its queries', () => {
  const loop = aLoop()
  const reader = aReader()
  const a = waiter(loop, 'a')
  loop.queries.start(reader, 'a', a.task)
  loop.queries.leave(reader)
  a.answer()
  expect(loop.nextTurn()).toEqual(['a waits', 'a dropped'])
  expect([loop.queries.waiting(reader), loop.waitingTurns()]).toEqual([0, 0])
})

test('an answer for a client that does not read waits until it has read', () => {
  const loop = aLoop()
  const reader = aReader()
  const a = waiter(loop, 'a')
  loop.queries.start(reader, 'a', a.task)
  reader.unsent = 101
  a.answer()
  expect(loop.nextTurn()).toEqual(['a waits'])
  reader.read()
  expect(loop.nextTurn()).toEqual(['a done', 'a dropped'])
})

test('a failure after the wait is reported, and the query is dropped', () => {
  const loop = aLoop()
  const { task, answer } = waiter(loop, 'a')
  let slices = 0
  const step = (mayWait: boolean) => {
    if (++slices > 1) throw new Error('disk')
    return task.step(mayWait)
  }
  loop.queries.start(aReader(), 'a', { ...task, step })
  answer()
  expect(loop.nextTurn()).toEqual(['a waits', 'a failed: Error: disk', 'a dropped'])
})

test('a connection is charged for the work of readers: one that used them comes after one that did not', () => {
  const loop = aLoop()
  const [dear, cheap] = [aReader(), aReader()]
  const a = waiter(loop, 'dear')
  loop.queries.start(dear, 'a', a.task)
  // A long task of its own takes the rest of this turn.
  const step = () => {
    loop.pass(5)
    return true
  }
  loop.queries.start(aReader(), 'long', { step, failed: () => {} })
  a.answer(8)
  loop.queries.start(cheap, 'b', { step: () => loop.log.push('cheap done') > 0, failed: () => {}, expectedMs: 0.5 })
  expect(loop.nextTurn()).toEqual(['dear waits', 'cheap done', 'dear done', 'dear dropped'])
})

test('the task of a REQ asks readers only if it may wait, and releases what they hold', () => {
  const pages: EventPage[] = [1, 2].map((end) => ({ bytes: Buffer.alloc(end), ends: [end] }))
  const wait: Waiting = { whenReady: () => {} }
  const seen: unknown[] = []
  const answers: (EventPage | Waiting | undefined)[] = [wait, pages[0], undefined]
  const query: StoredQuery = {
    next: () => pages[1],
    waiting: { next: () => answers.shift(), heldBytes: () => 3, drop: () => seen.push('dropped') },
  }
  const sink = { page: (page: EventPage) => seen.push(page), done: () => seen.push('EOSE'), failed: () => {} }
  const task = readTask(query, sink)
  expect([task.step(true), task.step(true), task.step(false), task.step(true)]).toEqual([wait, false, false, true])
  task.dropped?.()
  expect([seen, task.heldBytes?.()]).toEqual([[pages[0], pages[1], 'EOSE', 'dropped'], 3])
})
