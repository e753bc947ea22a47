// Everything in the names' database, row by row, while it is in use. Each page is consistent; changes during the export may be missed.
import { pagesOf, type Readable } from '../carry.js'
import { type NameRow, PLACES, ROW_KINDS } from './row-kinds.js'

/** Kind by kind, each in a fixed order. */
export async function* exportRows(db: Readable): AsyncGenerator<NameRow> {
  for (const kind of ROW_KINDS) {
    const { table, row, key } = PLACES[kind]
    for await (const page of pagesOf(db, { from: table, columns: Object.keys(row.types), key }))
      for (const cells of page) yield { kind, value: row.read(cells) } as NameRow
  }
}
