// Where and when figures were measured.
import { readFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'

export interface Machine {
  readonly date: string
  readonly cores: number
  readonly processor: string
  readonly node: string
  /** Load average over a minute, before and after: other work on the machine. */
  readonly loadBefore: number
  readonly loadAfter: number
}

/** Call before the work, and the result after it. */
export function watchMachine(): () => Machine {
  const [loadBefore = 0] = loadavg()
  const date = new Date().toISOString().slice(0, 16).replace('T', ' ')
  return () => ({
    date,
    cores: cpus().length,
    processor: /^model name\s*: (.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1] ?? '',
    node: process.version,
    loadBefore,
    loadAfter: loadavg()[0] ?? 0,
  })
}
