// What happened in a world, in order: its hash tells whether a seed gave the same world again, its counts what the seeds reach.
import { createHash } from 'node:crypto'

export interface Trace {
  /** One happening; `detail` holds nothing that differs between two runs of a seed. */
  note(actor: string, what: string, detail?: string): void
  /** Counts a state, a refusal or a fault; not part of the hash. */
  reach(what: string): void
  hash(): string
  reached(): ReadonlyMap<string, number>
}

/** `stirred` is called at each happening; `print` gets each line with its simulated time. */
export function createTrace(now: () => number, stirred: () => void, print?: (line: string) => void): Trace {
  const hash = createHash('sha256')
  const reached = new Map<string, number>()
  const beginning = now()

  return {
    note(actor, what, detail = '') {
      stirred()
      const line = `${clockTime(now() - beginning)} ${actor.padEnd(10)} ${what}${detail && ` ${detail}`}`
      hash.update(`${line}\n`)
      print?.(line)
    },
    reach: (what) => void reached.set(what, (reached.get(what) ?? 0) + 1),
    hash: () => hash.copy().digest('hex').slice(0, 16),
    reached: () => reached,
  }
}

/** `2d 07:15:02.125`. */
function clockTime(ms: number): string {
  const [days, rest] = [Math.floor(ms / 86_400_000), ms % 86_400_000]
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const time = `${two(rest / 3_600_000)}:${two((rest / 60_000) % 60)}:${two((rest / 1000) % 60)}`
  return `${days}d ${time}.${String(Math.floor(rest % 1000)).padStart(3, '0')}`
}
