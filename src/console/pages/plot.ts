// Bars, lines and scale of a chart. The template draws them (templates/console/parts/plot.eta); what they say stands in a table beside them.

/** Units of the drawing: a value is SLOT wide, the scale HEIGHT high. It is stretched to its place, so it holds no text. */
const SLOT = 10
const BAR = 7
const HEIGHT = 100
/** The height of the least value that is not 0. */
const LEAST = 1.5

interface Bar {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** "2026-11-23: 12.5 GRIN, 3 payments" */
  readonly title: string
  /** The day or hour goes on: drawn as an outline. */
  readonly isOpen: boolean
}

export interface Plot {
  readonly width: number
  readonly height: number
  readonly bars: readonly Bar[]
  /** Top and middle of the scale: where, and what it says. */
  readonly lines: readonly { readonly y: number; readonly label: string }[]
}

interface PlotOptions<T> {
  readonly value: (row: T) => bigint
  readonly title: (row: T) => string
  /** Of a value on the scale. */
  readonly label: (value: bigint) => string
  /** The top of the scale when all values are 0. */
  readonly usual: bigint
}

/** `rows`: oldest first; the last one goes on. */
export function plotOf<T>(rows: readonly T[], { value, title, label, usual }: PlotOptions<T>): Plot {
  const values = rows.map(value)
  const top = scaleOf(values, usual)
  return {
    width: rows.length * SLOT,
    height: HEIGHT,
    bars: rows.map((row, at) => ({
      ...barOf(value(row), at, top),
      title: title(row),
      isOpen: at === rows.length - 1,
    })),
    lines: [
      { y: 0, label: label(top) },
      { y: HEIGHT / 2, label: label(top / 2n) },
    ],
  }
}

function barOf(value: bigint, at: number, top: bigint): Omit<Bar, 'title' | 'isOpen'> {
  const share = Number((value * 10_000n) / top) / 10_000
  const height = value === 0n ? 0 : Math.max(LEAST, Math.round(share * HEIGHT * 100) / 100)
  return { x: at * SLOT + (SLOT - BAR) / 2, y: HEIGHT - height, width: BAR, height }
}

/** Round tops of a scale. Their halves are round too. */
const STEPS = [10n, 12n, 16n, 20n, 24n, 30n, 40n, 50n, 60n, 80n]

/** The least round value that none exceeds. */
function scaleOf(values: readonly bigint[], usual: bigint): bigint {
  const most = values.reduce((high, value) => (value > high ? value : high), 0n)
  if (most === 0n) return usual
  for (let power = 1n; ; power *= 10n) for (const step of STEPS) if (step * power >= most) return step * power
}
