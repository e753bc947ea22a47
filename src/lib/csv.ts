// CSV as RFC 4180 has it: commas, quotes where they must be, lines that end with CR LF, a header first. The text is UTF-8.

type Cell = string | number | null

/** A column of a CSV file. */
export type CsvField<Row> = readonly [head: string, value: (row: Row) => Cell]

/** The lines of a CSV file with these columns. */
export const csvLines = <Row>(fields: readonly CsvField<Row>[]) => ({
  head: csvLine(fields.map(([head]) => head)),
  line: (row: Row): string => csvLine(fields.map(([, value]) => value(row))),
})

/** One line with its line break. Texts that a spreadsheet would run as a formula get an apostrophe in front. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`

function csvCell(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const harmless = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
