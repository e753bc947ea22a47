// Virtual time. Everything that waits (clock ports, setTimeout, setImmediate, timers/promises, Date, performance) waits in it, and it moves on
// when nothing else is left to run. What a process waits for ends with the process.
import { AsyncLocalStorage } from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'
import FakeTimers from '@sinonjs/fake-timers'

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
  sleep(ms: number): Promise<void>
  /** Runs work as this process; its timers are dropped when it is gone. */
  within<T>(process: Process, work: () => T): T
  current(): Process | undefined
  /** Time stands still until this work of the machine (files, key derivation) has ended. */
  hold<T>(work: Promise<T>): Promise<T>
  /** Lets time run until the work has ended; rejects when nothing is left that could end it. */
  run<T>(work: Promise<T>): Promise<T>
  /** Timers fired so far. */
  fired(): number
  /** Gives the real time back. */
  end(): void
}

/** What the event loop of a test has anyway. */
const USUAL =
  /^(Timeout|Immediate|TTYWrap|PipeWrap|MessagePort|Worker|TCPSocketWrap|TickObject|Process.*|FSEvent.*|SignalWrap)$/

/** Node 20 asks its loader in a thread, over a port, also for what is loaded already. */
const portsOf = (resources: readonly string[]): number => resources.filter((name) => name === 'MessagePort').length

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
  const owners = new AsyncLocalStorage<Process>()
  const usualPorts = portsOf(process.getActiveResourcesInfo())
  let fired = 0
  let held = 0

  /** A callback runs as who asked for it, or not at all. */
  function owned<Args extends unknown[]>(callback: (...args: Args) => void): (...args: Args) => void {
    const owner = owners.getStore()
    return (...args) => {
      if (owner === undefined) return callback(...args)
      if (!owner.isGone) owners.run(owner, callback, ...args)
    }
  }
  for (const name of ['setTimeout', 'setInterval', 'setImmediate'] as const) {
    const plain = globalThis[name] as (callback: (...args: unknown[]) => void, ...rest: unknown[]) => unknown
    const asOwner = (callback: (...args: unknown[]) => void, ...rest: unknown[]) => plain(owned(callback), ...rest)
    Object.assign(globalThis, { [name]: asOwner })
  }

  /** Runs what can run now; files and imports of this process are waited for, in no time of the world. */
  async function settle(): Promise<void> {
    await turn()
    while (isBusy(process.getActiveResourcesInfo())) await turn()
  }

  const isBusy = (resources: readonly string[]): boolean =>
    resources.some((name) => !USUAL.test(name)) || portsOf(resources) > usualPorts

  return {
    now: () => clock.now,
    sleep: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
    within: (owner, work) => owners.run(owner, work),
    current: () => owners.getStore(),
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
          fired += 1
          clock.next()
        } else if (++still > 1000) throw new Error('the world stands still')
      }
      return ended
    },
    fired: () => fired,
    end() {
      clock.uninstall()
      syncBuiltinESMExports()
    },
  }
}
