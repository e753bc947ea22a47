// Tables: aligned and shortened for a terminal, tab separated without a head for programs.
//
// What gives way where a terminal is narrow, in this order, and no more than must:
//   1. columns that shrink are cut, `first` before the others, the widest of them first, down to 8 characters;
//   2. spare columns are left out, the highest `spare` first;
//   3. a table becomes paragraphs, one for each row, with every column.
// The id is whole in all of them, and the first line of a paragraph: what is typed into the next command is never cut and never left out.
import { Flags } from '@oclif/core'
import { plainText } from '../lib/plain-text.js'
import { wrapText } from '../lib/wrap-text.js'
import { paint, type Tint, terminalWidth } from './terminal.js'

export interface Column<Row> {
  readonly title: string
  readonly value: (row: Row) => string | number | null | undefined
  /** What the row is called in other commands. Neither `shrinks` nor `spare` counts for it. */
  readonly id?: boolean
  /** May be cut when the terminal is narrow; `first`: before the others. */
  readonly shrinks?: boolean | 'first'
  /** Left out of a terminal that has no room for it; the highest goes first. */
  readonly spare?: number
  /** The colour of a cell on a terminal. */
  readonly tint?: (row: Row) => Tint | undefined
}

const GAP = 2
const NARROWEST = 8

/**
 * `width` undefined = a program reads. Ends without a line break; empty for no rows. Where not even the columns that must be there have
 * room, each row is a paragraph of its own.
 */
export function table<Row>(rows: readonly Row[], given: readonly Column<Row>[], width: number | undefined): string {
  const columns = withWholeId(given)
  const cells = rows.map((row) => columns.map(({ value }) => plainText(String(value(row) ?? ''))))
  if (width === undefined) return cells.map((line) => line.join('\t')).join('\n')
  if (cells.length === 0) return ''
  const lines = [columns.map(({ title }) => title), ...cells]
  const wanted = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  const shown = fitting(columns, wanted, width)
  const tints = [[], ...rows.map((row) => columns.map(({ tint }) => tint?.(row)))]
  return shown ? aligned({ lines, tints }, columns, wanted, shown, width) : paragraphs(columns, cells, width)
}

const withWholeId = <Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] =>
  columns.map((column) => {
    if (!column.id) return column
    const { spare: _, ...whole } = column
    return { ...whole, shrinks: false }
  })

/** The columns that there is room for, by their places; undefined when the others need too much. */
function fitting<Row>(
  columns: readonly Column<Row>[],
  wanted: readonly number[],
  width: number,
): readonly number[] | undefined {
  const leastOf = (at: number): number => {
    const [all = 0, { shrinks = false } = {}] = [wanted[at], columns[at]]
    return shrinks === false ? all : Math.min(all, NARROWEST)
  }
  const spares = columns.flatMap(({ spare }, at) => (spare === undefined ? [] : [{ spare, at }]))
  const gone = new Set<number>()
  for (const going of [undefined, ...spares.sort((a, b) => b.spare - a.spare)]) {
    if (going) gone.add(going.at)
    const shown = columns.map((_, at) => at).filter((at) => !gone.has(at))
    if (shown.reduce((sum, at) => sum + leastOf(at) + GAP, -GAP) <= width) return shown
  }
  return undefined
}

/** Cells, and the colours of those that have one. */
interface Grid {
  readonly lines: readonly (readonly string[])[]
  readonly tints: readonly (readonly (Tint | undefined)[])[]
}

function aligned<Row>(
  { lines, tints }: Grid,
  columns: readonly Column<Row>[],
  wanted: readonly number[],
  shown: readonly number[],
  width: number,
): string {
  const room = width - GAP * (shown.length - 1)
  const shrinks = shown.map((at) => columns[at]?.shrinks ?? false)
  const relieved = shrink(
    shown.map((at) => wanted[at] ?? 0),
    shrinks.map((how) => how === 'first'),
    room,
  )
  const widths = shrink(
    relieved,
    shrinks.map((how) => how !== false),
    room,
  )
  const cellsOf = (line: readonly string[], row: number) =>
    shown.map((at, place) => paint(pad(line[at] ?? '', widths[place] ?? 0), tints[row]?.[at]))
  return lines.map((line, row) => cellsOf(line, row).join(' '.repeat(GAP)).trimEnd()).join('\n')
}

const paragraphs = <Row>(
  columns: readonly Column<Row>[],
  cells: readonly (readonly string[])[],
  width: number,
): string =>
  cells
    .map((line) => {
      const places = columns
        .map((_, at) => at)
        .sort((a, b) => Number(columns[b]?.id ?? 0) - Number(columns[a]?.id ?? 0))
      return facts(
        places.map((at) => [columns[at]?.title ?? '', line[at]]),
        width,
      )
    })
    .join('\n\n')

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

// One thing, member by member: aligned for a terminal, tab separated for programs.

export type Fact = readonly [label: string, value: string | number | null | undefined]

/** Members without a value are left out. */
export function facts(list: readonly Fact[], width: number | undefined = terminalWidth()): string {
  const known = list
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([label, value]) => [label, plainText(String(value))] as const)
  if (width === undefined) return known.map(([label, value]) => `${label}\t${value}`).join('\n')
  const column = Math.max(0, ...known.map(([label]) => label.length)) + 2
  const indent = ' '.repeat(column)
  return known.map(([label, value]) => wrapText(`${label.padEnd(column)}${value}`, width, indent)).join('\n')
}

interface FindingText {
  /** pass, fail and the like. */
  readonly level: string
  readonly name: string
  readonly detail: string
  readonly remedy?: string | undefined
}

export function findingLine({ level, name, detail, remedy = '' }: FindingText): string {
  const width = terminalWidth()
  const [what, then] = [plainText(detail), plainText(remedy)]
  if (width === undefined) return [level, name, what, then].join('\t').trimEnd()
  return wrapText(`${level}  ${name}: ${what}${then === '' ? '' : ` (${then})`}`, width, '      ')
}

// Lists: the flags they share, the `--json` document, and reading all pages.

/** Of lists that can be read to their end in one go. */
export const pageFlags = {
  limit: Flags.integer({ description: 'most entries per page', default: 50, min: 1, max: 200, helpValue: 'N' }),
  cursor: Flags.string({ description: 'continue after an earlier page (its "next")', helpValue: 'CURSOR' }),
  all: Flags.boolean({ description: 'all pages', exclusive: ['cursor'] }),
}

/** The `--json` document of every list. */
export interface ItemList<Item> {
  readonly items: readonly Item[]
  readonly next: string | null
}

const PAGE = 200
/** A wrong server must not keep us busy for ever. */
const MOST_PAGES = 10_000

/** Every item of every page, in the order of the server. */
export async function* allItems<Item>(
  page: (query: { limit: number; cursor?: string }) => Promise<ItemList<Item>>,
): AsyncGenerator<Item> {
  let cursor: string | null | undefined
  for (let count = 0; count < MOST_PAGES; count++) {
    const { items, next } = await page({ limit: PAGE, ...(cursor ? { cursor } : {}) })
    yield* items
    if (next === null) return
    cursor = next
  }
}

/** The `--json` document of all of them. */
export async function wholeList<Item>(found: AsyncIterable<Item>): Promise<ItemList<Item>> {
  const items: Item[] = []
  for await (const item of found) items.push(item)
  return { items, next: null }
}
