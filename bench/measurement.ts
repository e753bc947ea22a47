// What every bench file answers: figures with their unit, a ratio to something measured in the same run, and the bar they are held to.

export interface Measurement {
  readonly what: string
  readonly value: number
  readonly unit: string
  /** The yardstick of the same run; machines differ, ratios last. */
  readonly ratio?: {
    readonly to: string
    readonly value: number
    /** Of several rounds, of which `value` is the middle one. */
    readonly lowest?: number
    readonly highest?: number
  }
  readonly target?: { readonly of: 'value' | 'ratio'; readonly atMost?: number; readonly atLeast?: number }
}

export interface Subject {
  readonly name: string
  run(): Promise<readonly Measurement[]>
}

/** Where a subject's file lies: those of the relay are many, and have a folder. */
export const fileOf = (name: string): string => `./${name.replace(/^relay-/, 'relay/')}.js`

/** Undefined without a target. */
export function meetsTarget({ value, ratio, target }: Measurement): boolean | undefined {
  if (!target) return undefined
  const figure = target.of === 'ratio' ? (ratio?.value ?? Number.NaN) : value
  return figure <= (target.atMost ?? Number.POSITIVE_INFINITY) && figure >= (target.atLeast ?? Number.NEGATIVE_INFINITY)
}

/** The middle value: one slow run does not move it. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[middle]]
  return (low + high) / 2
}

/** Processor milliseconds (user and system) that `work` took, measured `times` times after `warmUp` runs. */
export async function processorMs(work: () => unknown, times: number, warmUp = 3): Promise<number> {
  for (let i = 0; i < warmUp; i++) await work()
  const samples: number[] = []
  for (let i = 0; i < times; i++) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    samples.push((user + system) / 1000)
  }
  return median(samples)
}
