// Results for people: a line on the terminal, a row of bench/results.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Measurement, meetsTarget } from './measurement.js'

export interface Baseline {
  readonly machine?: {
    readonly date: string
    readonly cores: number
    readonly processor: string
    readonly node: string
  }
  readonly results: Readonly<Record<string, readonly Measurement[]>>
}

const PAGE = join(import.meta.dirname, 'results.md')

/** Three digits, and no more than the whole number of large ones. */
const rounded = (value: number): string => (value >= 100 ? value.toFixed(0) : Number(value.toPrecision(3)).toString())

const spreadOf = ({ lowest, highest }: NonNullable<Measurement['ratio']>): string =>
  lowest === undefined || highest === undefined ? '' : ` (${rounded(lowest)} to ${rounded(highest)})`

function columnsOf(measurement: Measurement): readonly string[] {
  const { what, value, unit, ratio, target } = measurement
  const met = meetsTarget(measurement)
  const bound = target?.atMost === undefined ? `≥ ${target?.atLeast}` : `≤ ${target.atMost}`
  return [
    what,
    `${rounded(value)} ${unit}`,
    ratio ? `${rounded(ratio.value)} × ${ratio.to}${spreadOf(ratio)}` : '',
    target ? `${bound}${target.of === 'ratio' ? ' ×' : ` ${unit}`}` : '',
    met === undefined ? '' : met ? 'met' : 'MISSED',
  ]
}

const WIDTHS = [66, 20, 34, 20, 0]

export const line = (measurement: Measurement): string =>
  columnsOf(measurement)
    .map((text, column) => text.padEnd(WIDTHS[column] ?? 0))
    .join(' ')

/** A row that begins like the last whole one shows only what is added: "… by the clock". */
function shortened(rows: readonly Measurement[]): readonly Measurement[] {
  let head = ''
  return rows.map((row) => {
    const added =
      head === '' || !row.what.startsWith(head) ? undefined : /^[,:] (.+)/.exec(row.what.slice(head.length))?.[1]
    if (added !== undefined) return { ...row, what: `… ${added}` }
    head = row.what
    return row
  })
}

/** Writes the results between the markers of the page and keeps its text. */
export function writePage({ machine, results }: Baseline): void {
  const rows = shortened(Object.values(results).flat()).map(
    (measurement) => `| ${columnsOf(measurement).join(' | ')} |`,
  )
  const where = machine
    ? `Measured on ${machine.date} with ${machine.cores} cores (${machine.processor}) and Node ${machine.node}.\n\n`
    : ''
  const table = `${where}| Measurement | Result | Ratio | Target | |\n| --- | --- | --- | --- | --- |\n${rows.join('\n')}\n`
  const page = readFileSync(PAGE, 'utf8')
  writeFileSync(
    PAGE,
    page.replace(/(<!-- figures -->\n).*(<!-- end -->)/s, (_, begin, end) => `${begin}${table}${end}`),
  )
}
