// Figures of one run.
import { readdirSync, readFileSync } from 'node:fs'

const NS_PER_US = 1000

/** Processor microseconds of a process since its start, all threads that live. */
export function processorUs(pid: number): number {
  let total = 0
  for (const task of readdirSync(`/proc/${pid}/task`)) total += nanosecondsOf(`/proc/${pid}/task/${task}/schedstat`)
  return total / NS_PER_US
}

function nanosecondsOf(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8').split(' ')[0])
  } catch {
    return 0 // the thread ended since
  }
}

export interface Spread {
  readonly p50: number
  readonly p99: number
  readonly p999: number
  readonly most: number
}

/** Milliseconds, sorted here. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = Float64Array.from(values).sort()
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999), most: at(1) }
}

/** Runs `work` and says how long it took by the clock (seconds) and the relay's processor (microseconds). */
export async function timed<T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ result: T; seconds: number; cpuUs: number }> {
  const [cpu, begun] = [processorUs(pid), performance.now()]
  const result = await work()
  const seconds = (performance.now() - begun) / 1000
  return { result, seconds, cpuUs: processorUs(pid) - cpu }
}
