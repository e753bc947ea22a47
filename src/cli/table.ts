// Tables: aligned and shortened for a terminal, tab separated without a head for programs.
import { plainText } from '../lib/plain-text.js'

export interface Column<Row> {
  readonly title: string
  readonly value: (row: Row) => string | number | null | undefined
  /** May be cut when the terminal is narrow; `first`: before the others. */
  readonly shrinks?: boolean | 'first'
}

const GAP = 2
const NARROWEST = 8

/** `width` undefined = a program reads. Ends without a line break; empty for no rows. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[], width: number | undefined): string {
  const cells = rows.map((row) => columns.map(({ value }) => clean(String(value(row) ?? ''))))
  if (width === undefined) return cells.map((line) => line.join('\t')).join('\n')
  if (cells.length === 0) return ''
  const lines = [columns.map(({ title }) => title), ...cells]
  const wanted = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  const room = width - GAP * (columns.length - 1)
  const relieved = shrink(
    wanted,
    columns.map(({ shrinks }) => shrinks === 'first'),
    room,
  )
  const widths = shrink(
    relieved,
    columns.map(({ shrinks = false }) => shrinks !== false),
    room,
  )
  return lines
    .map((line) =>
      line
        .map((cell, at) => pad(cell, widths[at] ?? 0))
        .join(' '.repeat(GAP))
        .trimEnd(),
    )
    .join('\n')
}

/** A cell must not break the line or the columns, whatever a customer typed. */
const clean = plainText

/** Takes the missing room from the widest columns that may shrink. */
function shrink(wanted: readonly number[], shrinks: readonly boolean[], room: number): readonly number[] {
  const widths = [...wanted]
  let excess = widths.reduce((sum, width) => sum + width, 0) - room
  while (excess > 0) {
    const widest = widths.reduce(
      (best, width, at) => (shrinks[at] && width > NARROWEST && width > (widths[best] ?? 0) ? at : best),
      -1,
    )
    if (widest === -1) break
    widths[widest] = (widths[widest] ?? 0) - 1
    excess--
  }
  return widths
}

const pad = (text: string, width: number): string =>
  text.length > width ? `${text.slice(0, Math.max(width - 1, 0))}…` : text.padEnd(width)
