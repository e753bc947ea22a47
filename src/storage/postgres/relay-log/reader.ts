// Reads the log in its order, in bounded pages.
import type { Row } from '../../sqlite/sqlite.js'
import type { Queries } from '../change.js'
import { SHARD } from './schema.js'

/** Of one page. */
const [MOST_ENTRIES, MOST_BYTES] = [256, 4 * 1024 * 1024]

export interface LogRow {
  readonly pos: number
  readonly at: number
  readonly origin: string
  readonly oseq: number
  readonly body: string
  /** Version of the rules that decide its events. */
  readonly rules: number
}

/** Positions have no gaps, so an upper bound costs nothing, and keeps other partitions out of the plan. The first entry comes however long it is. */
const PAGE = `SELECT pos, at, origin, oseq, body, rules FROM (
    SELECT *, sum(octet_length(body)) OVER (ORDER BY pos) - octet_length(body) AS before
    FROM log WHERE shard = ${SHARD} AND pos > ?::bigint AND pos <= ?::bigint
  ) page WHERE before < ${MOST_BYTES} ORDER BY pos`

export interface LogPage {
  readonly rows: readonly LogRow[]
  /** There may be more. */
  readonly isFull: boolean
}

/** The entries after a position. */
export async function readPage(db: Pick<Queries, 'all'>, after: number): Promise<LogPage> {
  const rows = (await db.all(PAGE, [after, after + MOST_ENTRIES])).map(rowOf)
  const bytes = rows.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0)
  return { rows, isFull: rows.length === MOST_ENTRIES || bytes >= MOST_BYTES }
}

const rowOf = ([pos, at, origin, oseq, body, rules]: Row): LogRow => ({
  pos: Number(pos),
  at: Number(at),
  origin: String(origin),
  oseq: Number(oseq),
  body: String(body),
  rules: Number(rules),
})
