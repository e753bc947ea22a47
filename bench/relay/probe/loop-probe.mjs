// Loaded into the relay's process by `node --import`: measures the steps of its event loop and their causes. SIGUSR2 writes the figures to the file
// named in the query of this module's URL, and starts again. Plain JavaScript, because the relay's process loads no compiler.
import { openSync, readSync, writeFileSync } from 'node:fs'
import { constants, PerformanceObserver } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'
import Database from 'libsql'

const { NODE_PERFORMANCE_GC_MAJOR: MAJOR, NODE_PERFORMANCE_GC_MINOR: MINOR } = constants
/** Milliseconds. Upper bounds of the histogram of steps; a step above the last one but one is listed with its causes. */
const BOUNDS = [1, 2, 5, 10, 20, 50, Number.POSITIVE_INFINITY]
const LONG_MS = 5
const MOST_LISTED = 200
/** Statements by kind; others are `statement`. */
const KINDS = [
  ['slice', /^\s*(INSERT OR IGNORE INTO|DELETE FROM) by_/],
  ['checkpoint', /^PRAGMA wal_checkpoint/],
]
const NO_SUMS = { slice: 0, commit: 0, checkpoint: 0, statement: 0 }

if (isMainThread) start(new URL(import.meta.url).searchParams.get('out'))

function start(out) {
  const processorFile = openSync('/proc/thread-self/schedstat', 'r')
  const text = Buffer.alloc(64)
  let sums = { ...NO_SUMS }
  let figures = fresh()
  let last = mark()

  function fresh() {
    const counts = () => BOUNDS.map(() => 0)
    return {
      seconds: 0,
      wall: counts(),
      processor: counts(),
      long: [],
      longest: 0,
      longestBlocked: 0,
      gc: { minor: gc(), major: gc(), other: gc() },
    }
  }

  /**
   * In milliseconds: wall-clock and idle time; processor time of this thread, which other programs do not lengthen; time that it was ready to run and
   * waited for a processor.
   */
  function mark() {
    process.cpuUsage() // otherwise the file is as old as the last tick of the kernel
    const length = readSync(processorFile, text, 0, text.length, 0)
    const [processor, waited] = text
      .latin1Slice(0, length)
      .split(' ')
      .map((ns) => Number(ns) / 1e6)
    return { now: performance.now(), idle: performance.nodeTiming.idleTime, processor, waited }
  }

  function step() {
    const next = mark()
    const wall = next.now - last.now - (next.idle - last.idle)
    const processor = next.processor - last.processor
    const waited = Math.min(next.waited - last.waited, Math.max(0, wall - processor))
    const blocked = Math.max(0, wall - processor - waited)
    figures.wall[BOUNDS.findIndex((bound) => wall <= bound)]++
    figures.processor[BOUNDS.findIndex((bound) => processor <= bound)]++
    figures.seconds += (next.now - last.now) / 1000
    figures.longest = Math.max(figures.longest, processor)
    figures.longestBlocked = Math.max(figures.longestBlocked, blocked)
    if (wall > LONG_MS && figures.long.length < MOST_LISTED)
      figures.long.push({ from: last.now, to: next.now, processor, waited, blocked, ...sums, minor: 0, major: 0 })
    sums = { ...NO_SUMS }
    last = mark()
  }

  const timed = (what, work) => {
    const begun = performance.now()
    try {
      return work()
    } finally {
      sums[what] += performance.now() - begun
    }
  }
  const { exec, prepare } = Database.prototype
  Database.prototype.exec = function timedExec(sql) {
    return sql === 'COMMIT' ? timed('commit', () => exec.call(this, sql)) : exec.call(this, sql)
  }
  Database.prototype.prepare = function timedPrepare(sql) {
    const statement = prepare.call(this, sql)
    const what = KINDS.find(([, form]) => form.test(sql))?.[0] ?? 'statement'
    for (const name of ['run', 'get', 'all']) {
      const original = statement[name].bind(statement)
      statement[name] = (...values) => timed(what, () => original(...values))
    }
    return statement
  }

  new PerformanceObserver((list) => {
    for (const { startTime, duration, detail } of list.getEntries()) {
      const kind = detail.kind === MINOR ? 'minor' : detail.kind === MAJOR ? 'major' : 'other'
      const sum = figures.gc[kind]
      sum.count++
      sum.total += duration
      sum.longest = Math.max(sum.longest, duration)
      for (const long of figures.long)
        if (kind !== 'other' && startTime >= long.from && startTime < long.to) long[kind] += duration
    }
  }).observe({ entryTypes: ['gc'] })

  // A turn of the loop that takes longer than a millisecond ends at this timer; `setImmediate` separates what the timers did from what sockets did.
  const turn = () => {
    step()
    setImmediate(step)
    setTimeout(turn, 1).unref()
  }
  turn()
  process.on('SIGUSR2', () => {
    const done = figures
    figures = fresh()
    setTimeout(() => writeFileSync(out, JSON.stringify({ bounds: BOUNDS.slice(0, -1), ...done })), 20)
  })
}

function gc() {
  return { count: 0, total: 0, longest: 0 }
}
