import { describe, expect, test } from 'vitest'
import type { EventPage } from '../../../src/relay/ports.js'
import {
  createQueryScheduler,
  type QueryClient,
  readTask,
  type SlicedTask,
  workTask,
} from '../../../src/relay/queries/query-scheduler.js'

/** Turns of an event loop that end when the test says so; a slice takes one millisecond of a turn's two. */
function aLoop() {
  const log: string[] = []
  const turns: (() => void)[] = []
  let now = 1000
  const queries = createQueryScheduler({
    clock: { monotonic: () => now },
    nextTurn: (run) => turns.push(run),
    maxUnsent: 100,
  })

  const task = (name: string, slices: number, expectedMs?: number): SlicedTask => {
    let left = slices
    return {
      ...(expectedMs !== undefined && { expectedMs }),
      step() {
        now += 1
        left -= 1
        log.push(left === 0 ? `${name} done` : name)
        return left === 0
      },
      failed: (error) => log.push(`${name} failed: ${String(error)}`),
    }
  }
  return {
    queries,
    task,
    waitingTurns: () => turns.length,
    pass: (ms: number) => {
      now += ms
    },
    /** What happened since the last look. */
    seen: () => log.splice(0),
    nextTurn() {
      for (const run of turns.splice(0)) run()
      return log.splice(0)
    },
  }
}

function aReader() {
  const waiting: (() => void)[] = []
  let unsent = 0
  const reader: QueryClient = { pending: () => unsent, whenWritten: (resume) => waiting.push(resume) }
  return {
    reader,
    waiting,
    leaveUnsent: (bytes: number) => {
      unsent = bytes
    },
    read: () => {
      unsent = 0
      for (const resume of waiting.splice(0)) resume()
    },
  }
}

test('a short query is answered at once', () => {
  const loop = aLoop()
  const { reader } = aReader()
  loop.queries.start(reader, 'a', loop.task('a', 2))
  expect(loop.seen()).toEqual(['a', 'a done'])
  expect([loop.queries.waiting(reader), loop.waitingTurns()]).toEqual([0, 0])
})

test('longer ones share the turns, connection by connection, the newest one first, and in each of them query by query', () => {
  const loop = aLoop()
  const [one, other] = [aReader(), aReader()]
  loop.queries.start(one.reader, 'a', loop.task('a', 4))
  loop.queries.start(one.reader, 'b', loop.task('b', 3))
  loop.queries.start(other.reader, 'c', loop.task('c', 3))
  expect(loop.seen()).toEqual(['a', 'a'])
  expect(loop.nextTurn()).toEqual(['c', 'a'])
  expect(loop.nextTurn()).toEqual(['c', 'b'])
  expect(loop.nextTurn()).toEqual(['c done', 'a done'])
  expect(loop.nextTurn()).toEqual(['b', 'b done'])
  expect(loop.nextTurn()).toEqual([])
  expect([loop.queries.waiting(one.reader), loop.waitingTurns()]).toEqual([0, 0])
})

test('a query that comes while the turn has no time left waits for the next one', () => {
  const loop = aLoop()
  loop.queries.start(aReader().reader, 'long', loop.task('long', 2))
  loop.queries.start(aReader().reader, 'late', loop.task('late', 1))
  expect(loop.seen()).toEqual(['long', 'long done'])
  expect(loop.nextTurn()).toEqual(['late done'])
})

test('a clock that is set back gives no query more time', () => {
  const loop = aLoop()
  const { reader } = aReader()
  const { step, failed } = loop.task('a', 5)
  loop.queries.start(reader, 'a', {
    step: () => {
      loop.pass(-3_600_000)
      return step(true)
    },
    failed,
  })
  expect(loop.seen()).toHaveLength(5)
  loop.queries.start(reader, 'b', loop.task('b', 3))
  expect(loop.seen()).toEqual(['b', 'b'])
})

test('a query that is closed, replaced or whose connection is gone goes no further', () => {
  const loop = aLoop()
  const [one, other] = [aReader(), aReader()]
  for (const key of ['a', 'b', 'c']) loop.queries.start(one.reader, key, loop.task(key, 5))
  loop.queries.start(other.reader, 'd', loop.task('d', 5))
  loop.seen()
  loop.queries.stop(one.reader, 'a')
  loop.queries.stop(one.reader, 'unknown')
  loop.queries.start(one.reader, 'b', loop.task('new b', 1))
  loop.queries.leave(other.reader)
  expect(loop.queries.waiting(one.reader)).toBe(2)
  expect(loop.nextTurn()).toEqual(['c', 'new b done'])
  loop.queries.leave(one.reader)
  expect(loop.nextTurn()).toEqual([])
  expect([loop.queries.waiting(one.reader), loop.waitingTurns()]).toEqual([0, 0])
})

test('a query whose own answer ends the connection is forgotten', () => {
  const loop = aLoop()
  const { reader } = aReader()
  const step = () => {
    loop.queries.leave(reader)
    return false
  }
  loop.queries.start(reader, 'a', { step, failed: () => undefined })
  expect([loop.queries.waiting(reader), loop.waitingTurns()]).toEqual([0, 0])
})

test('a slow reader waits, delays no other, and goes on when it has read', () => {
  const loop = aLoop()
  const [slow, quick] = [aReader(), aReader()]
  slow.leaveUnsent(101)
  loop.queries.start(slow.reader, 'slow', loop.task('slow', 1))
  loop.queries.start(quick.reader, 'quick', loop.task('quick', 1))
  expect(loop.seen()).toEqual(['quick done'])
  expect(loop.waitingTurns()).toBe(0)
  slow.read()
  expect(loop.nextTurn()).toEqual(['slow done'])
  expect(loop.queries.waiting(slow.reader)).toBe(0)
})

test('who opens and closes queries without reading is called back once only', () => {
  const loop = aLoop()
  const slow = aReader()
  slow.leaveUnsent(101)
  for (let round = 0; round < 100; round += 1) {
    loop.queries.start(slow.reader, 'a', loop.task('a', 1))
    loop.queries.stop(slow.reader, 'a')
  }
  expect(slow.waiting).toHaveLength(1)
  slow.read()
  expect(loop.nextTurn()).toEqual([])
})

test('a failing query is reported and ends; others go on', () => {
  const loop = aLoop()
  const [one, other] = [aReader(), aReader()]
  const { failed } = loop.task('bad', 1)
  const step = () => {
    throw new Error('disk')
  }
  loop.queries.start(one.reader, 'bad', { step, failed })
  loop.queries.start(other.reader, 'good', loop.task('good', 1))
  expect(loop.seen()).toEqual(['bad failed: Error: disk', 'good done'])
  expect(loop.queries.waiting(one.reader)).toBe(0)
})

test('the pages of a stored query go to their reader, then the end of it; a sum when it is ready', () => {
  const loop = aLoop()
  const { reader } = aReader()
  const pages: EventPage[] = [1, 2].map((end) => ({ bytes: Buffer.alloc(end), ends: [end] }))
  const log: unknown[] = []
  const failed = (error: unknown) => log.push(error)
  const left = [...pages]
  loop.queries.start(
    reader,
    'q',
    readTask({ next: () => left.shift() }, { page: (page) => log.push(page), done: () => log.push('EOSE'), failed }),
  )
  const sums = [undefined, undefined, 5]
  loop.queries.start(reader, 'c', workTask({ step: () => sums.shift() }, { done: (sum) => log.push(sum), failed }))
  expect(log).toEqual([...pages, 'EOSE', 5])
})

describe('a connection that asks for little', () => {
  /** Hundreds of connections that asked much, each with a hundred slices to go; the turn has no time left. */
  function aFlood(connections: number, expectedMs = 10) {
    const loop = aLoop()
    for (let number = 0; number < connections; number += 1)
      loop.queries.start(aReader().reader, 'much', loop.task(`much ${number}`, 100, expectedMs))
    loop.seen()
    return loop
  }
  /** Turns until it is done. */
  function turnsUntil(loop: ReturnType<typeof aLoop>, done: string): number {
    for (let turns = 1; turns <= 1000; turns += 1) if (loop.nextTurn().includes(done)) return turns
    return Number.POSITIVE_INFINITY
  }

  test('does not wait behind hundreds that ask for much and came just before', () => {
    const loop = aFlood(300)
    loop.queries.start(aReader().reader, 'little', loop.task('little', 1, 0.05))
    expect(turnsUntil(loop, 'little done')).toBe(1)
  })

  test('nor behind those that had their first slices long ago', () => {
    const loop = aFlood(300)
    for (let turn = 0; turn < 400; turn += 1) loop.nextTurn()
    loop.queries.start(aReader().reader, 'little', loop.task('little', 1, 0.05))
    expect(turnsUntil(loop, 'little done')).toBeLessThan(300 * 0.05)
  })

  test('has its second slice next when the turn ended after the first', () => {
    const loop = aFlood(300)
    let left = 2
    const step = () => {
      loop.pass(left === 2 ? 0.5 : 0)
      left -= 1
      return left === 0
    }
    loop.nextTurn()
    loop.queries.start(aReader().reader, 'little', { step, failed: () => undefined, expectedMs: 0.05 })
    loop.nextTurn()
    loop.nextTurn()
    expect(left).toBe(0)
  })

  test('goes on at once although its first slice took long, as on a machine that is busy with other things', () => {
    const loop = aFlood(300)
    let left = 2
    const step = () => {
      loop.pass(50)
      left -= 1
      return left === 0
    }
    for (let turn = 0; turn < 400; turn += 1) loop.nextTurn()
    loop.queries.start(aReader().reader, 'little', { step, failed: () => undefined, expectedMs: 0.05 })
    for (let turn = 0; turn < 3; turn += 1) loop.nextTurn()
    expect(left).toBe(0)
  })

  test('is not charged more than a slice may take when something else held up the process', () => {
    const loop = aFlood(300)
    const { reader } = aReader()
    const step = () => {
      loop.pass(500)
      return true
    }
    loop.queries.start(reader, 'held up', { step, failed: () => undefined, expectedMs: 0.05 })
    loop.nextTurn()
    loop.queries.start(reader, 'little', loop.task('little', 1, 0.05))
    expect(turnsUntil(loop, 'little done')).toBe(1)
  })

  test('starves no query: new connections with little do not starve one with much', () => {
    const loop = aFlood(1, 1)
    const served: string[] = []
    for (let turn = 0; turn < 400; turn += 1) {
      for (let number = 0; number < 2; number += 1)
        loop.queries.start(aReader().reader, 'little', loop.task('little', 1, 0.05))
      served.push(...loop.nextTurn())
    }
    expect(served.filter((name) => name.startsWith('much')).length).toBeGreaterThan(10)
  })
})
