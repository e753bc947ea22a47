// The partitions of the log: made ahead, and dropped whole when they are old and every living front end has passed them.
import type { Connection } from '../driver.js'
import { firstOfPartition, PARTITION_SIZE, partitionName, partitionSql, SHARD } from './schema.js'

const DAY_MS = 24 * 60 * 60 * 1000

/** A front end that was not seen for this long is not waited for; it has the days of the log. */
const LIVING = "interval '1 hour'"
/** Origins that appended nothing for this long are forgotten; longer than a batch is repeated. */
const FORGET = "interval '30 days'"

const NAMES = `SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'log'::regclass`
const HEAD = `SELECT pos FROM head WHERE shard = ${SHARD}`
const SLOWEST = `SELECT min(pos) FROM replica WHERE shard = ${SHARD} AND seen > now() - ${LIVING}`
const WRITTEN_AT = `SELECT at FROM log WHERE shard = ${SHARD} AND pos = ?::bigint`
const FORGET_REPLICAS = `DELETE FROM replica WHERE shard = ${SHARD} AND seen < now() - ${FORGET}`
const FORGET_ORIGINS = `DELETE FROM origin o WHERE shard = ${SHARD}
  AND NOT EXISTS (SELECT 1 FROM replica r WHERE r.origin = o.origin)`

interface UpkeepParts {
  readonly days: number
  /** Epoch milliseconds. */
  readonly now: number
}

/** Makes what will be needed and drops what is not needed any more. One process at a time; repeated after a failure. */
export async function keepPartitions(connection: Connection, { days, now }: UpkeepParts): Promise<void> {
  const [head] = (await connection.get(HEAD)) ?? []
  const names = await connection.all(NAMES)
  const firsts = names.map(([name]) => firstOfPartition(String(name))).sort((one, other) => one - other)
  const next = (firsts.at(-1) ?? -PARTITION_SIZE) + PARTITION_SIZE
  // One whole partition ahead of the one that is written.
  for (let first = next; first <= Number(head) + PARTITION_SIZE; first += PARTITION_SIZE)
    await changeTable(connection, partitionSql(first))
  const [slowest = null] = (await connection.get(SLOWEST)) ?? []
  for (const first of firsts) {
    const last = first + PARTITION_SIZE - 1
    if (last >= Number(head) || (slowest !== null && last > Number(slowest))) break
    const [at] = (await connection.get(WRITTEN_AT, [last])) ?? []
    if (at === undefined || Number(at) > now - days * DAY_MS) break
    await changeTable(connection, `DROP TABLE ${partitionName(first)}`)
  }
  await connection.run(FORGET_REPLICAS)
  await connection.run(FORGET_ORIGINS)
}

/** Both statements lock the whole log for a moment; when they do not get the lock soon, the next round tries again. */
const changeTable = (connection: Connection, sql: string): Promise<void> =>
  connection.script(`SET lock_timeout = '1s'; ${sql}; RESET lock_timeout`)
