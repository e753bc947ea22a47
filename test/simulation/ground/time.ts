// Virtual time. Everything that waits (clock ports, setTimeout, setImmediate, timers/promises, Date, performance) waits in it, and it moves on
// when nothing else is left to run. What a process waits for ends with the process.
import { syncBuiltinESMExports } from 'node:module'
import FakeTimers from '@sinonjs/fake-timers'
import { countMachineWork } from './machine-work.js'

/** Who owns timers: a daemon, from its start until it is dropped. */
export interface Process {
  readonly name: string
  /** Milliseconds by which its wall clock is wrong. */
  skewMs: number
  isGone: boolean
}

export interface VirtualTime {
  /** Epoch milliseconds of the world; a process may believe another. */
  now(): number
  /** Of the world itself: no process owns it. */
  sleep(ms: number): Promise<void>
  /** Calls once, of the world itself, unless the returned function was called before. */
  after(ms: number, act: () => void): () => void
  /** Calls when so many more timers have fired: a moment between any two steps of a process, also within one millisecond. */
  afterSteps(steps: number, act: () => void): void
  /** Runs work as this process; its timers are dropped when it is gone. */
  within<T>(process: Process, work: () => T): T
  /** Whose step this is: set by `within` and by a timer of a process, until the next timer fires. */
  current(): Process | undefined
  /** Time stands still until this work of the machine (files, threads, key derivation) has ended. */
  hold<T>(work: Promise<T>): Promise<T>
  /** Lets time run until the work has ended; rejects when nothing is left that could end it. */
  run<T>(work: Promise<T>): Promise<T>
  /** Timers fired so far. */
  fired(): number
  /** Timers that wait and whose process is not gone. */
  waiting(process: Process): number
  /** Gives the real time back. */
  end(): void
}

/** What the event loop of a test has anyway. */
const USUAL =
  /^(Timeout|Immediate|TTYWrap|PipeWrap|MessagePort|Worker|TCPSocketWrap|TickObject|Process.*|FSEvent.*|SignalWrap)$/
const MOST_TURNS_WITHOUT_EVENT = 1000

const realImmediate = setImmediate
const turn = (): Promise<void> => new Promise((resolve) => void realImmediate(resolve))

/** One world at a time: it takes the timers of the whole process. */
export function startTime(startAt: number): VirtualTime {
  const clock = FakeTimers.install({
    now: startAt,
    toFake: [
      ...(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const),
      ...(['setImmediate', 'clearImmediate', 'Date', 'performance'] as const),
    ],
  })
  syncBuiltinESMExports()
  const work = countMachineWork()
  const plain = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout }
  /** Each timer fires in a turn of its own, so that whose step it is need not be carried through every promise. */
  let owner: Process | undefined
  const waiting = new Map<Process, number>()
  const steps: { left: number; readonly act: () => void }[] = []
  let fired = 0
  let held = 0

  const count = (process: Process, by: number): void => void waiting.set(process, (waiting.get(process) ?? 0) + by)

  for (const name of ['setTimeout', 'setImmediate'] as const) {
    const bare = globalThis[name] as (callback: (...args: unknown[]) => void, ...rest: unknown[]) => unknown
    const clearName = name === 'setTimeout' ? 'clearTimeout' : 'clearImmediate'
    const clear = globalThis[clearName] as (timer: unknown) => void
    const mine = new WeakMap<object, Process>()
    const over = (timer: unknown): void => {
      const process = typeof timer === 'object' && timer !== null ? mine.get(timer) : undefined
      if (!process) return
      mine.delete(timer as object)
      count(process, -1)
    }
    const asOwner = (callback: (...args: unknown[]) => void, ...rest: unknown[]) => {
      const process = owner
      if (!process) return bare(callback, ...rest)
      const act = (...args: unknown[]): void => {
        over(timer)
        if (process.isGone) return
        owner = process
        callback(...args)
      }
      const timer = bare(act, ...rest) as object
      mine.set(timer, process)
      count(process, 1)
      return timer
    }
    const clearCounted = (timer: unknown): void => {
      over(timer)
      clear(timer)
    }
    Object.assign(globalThis, { [name]: asOwner, [clearName]: clearCounted })
  }
  const interval = globalThis.setInterval as (callback: (...args: unknown[]) => void, ...rest: unknown[]) => unknown
  const repeat = (callback: (...args: unknown[]) => void, ...rest: unknown[]) => {
    const process = owner
    return interval(
      (...args) => {
        if (process?.isGone) return
        owner = process
        callback(...args)
      },
      ...rest,
    )
  }
  Object.assign(globalThis, { setInterval: repeat })

  /** Runs what can run now; work of this machine is waited for, in no time of the world. */
  async function settle(): Promise<void> {
    do await turn()
    while (work.pending() > 0 || (held > 0 && process.getActiveResourcesInfo().some((name) => !USUAL.test(name))))
  }

  function step(): void {
    fired += 1
    owner = undefined
    clock.next()
    for (const one of steps.splice(0)) {
      one.left -= 1
      if (one.left > 0) steps.push(one)
      else one.act()
    }
  }

  return {
    now: () => clock.now,
    sleep: (ms) => new Promise((resolve) => void plain.setTimeout(resolve, ms)),
    after(ms, act) {
      const timer = plain.setTimeout(act, ms)
      return () => plain.clearTimeout(timer)
    },
    afterSteps: (left, act) => void steps.push({ left, act }),
    within(process, work) {
      owner = process
      return work()
    },
    current: () => owner,
    async hold(work) {
      held += 1
      try {
        return await work
      } finally {
        held -= 1
      }
    },
    async run(work) {
      let isOver = false
      const ended = work.finally(() => {
        isOver = true
      })
      ended.catch(() => undefined) // awaited below
      for (let still = 0; !isOver; ) {
        await settle()
        if (isOver) break
        if (held > 0) {
          clock.tick(0)
        } else if (clock.countTimers() > 0) {
          still = 0
          step()
        } else if (++still > MOST_TURNS_WITHOUT_EVENT) throw new Error('the world stands still')
      }
      return ended
    },
    fired: () => fired,
    waiting: (process) => waiting.get(process) ?? 0,
    end() {
      work.end()
      clock.uninstall()
      syncBuiltinESMExports()
    },
  }
}
