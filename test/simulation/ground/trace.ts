// What happened in a world, in order: its hash tells whether a seed gave the same world again, its counts what the seeds reach.
import { createHash } from 'node:crypto'
import type { Counts } from '../world.js'

export interface Trace {
  /** One happening; `detail` holds nothing that differs between two runs of a seed. */
  note(actor: string, what: string, detail?: string): void
  /** Counts what an actor did; the counts are not part of the hash. */
  happening(what: string): void
  /** Counts what went wrong, as `fault × phase`. */
  fault(what: string): void
  /** Counts a pair `state × happening`, or a refusal. */
  state(what: string): void
  hash(): string
  counts(): { readonly happenings: Counts; readonly faults: Counts; readonly states: Counts }
}

/** `stirred` is called at each happening; `print` gets each line with its simulated time. */
export function createTrace(now: () => number, stirred: () => void, print?: (line: string) => void): Trace {
  const hash = createHash('sha256')
  const counts = {
    happenings: new Map<string, number>(),
    faults: new Map<string, number>(),
    states: new Map<string, number>(),
  }
  const beginning = now()
  const countIn = (map: Map<string, number>) => (what: string) => void map.set(what, (map.get(what) ?? 0) + 1)

  return {
    note(actor, what, detail = '') {
      stirred()
      const line = `${clockTime(now() - beginning)} ${actor.padEnd(10)} ${what}${detail && ` ${detail}`}`
      hash.update(`${line}\n`)
      print?.(line)
    },
    happening: countIn(counts.happenings),
    fault: countIn(counts.faults),
    state: countIn(counts.states),
    hash: () => hash.copy().digest('hex').slice(0, 16),
    counts: () => counts,
  }
}

/** `2d 07:15:02.125`. */
function clockTime(ms: number): string {
  const [days, rest] = [Math.floor(ms / 86_400_000), ms % 86_400_000]
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const time = `${two(rest / 3_600_000)}:${two((rest / 60_000) % 60)}:${two((rest / 1000) % 60)}`
  return `${days}d ${time}.${String(Math.floor(rest % 1000)).padStart(3, '0')}`
}
