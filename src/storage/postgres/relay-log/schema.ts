// The tables of a relay's log (specification: scale-out, 7). All positions of a shard come from its row in `head`, which a writer holds until a
// standby has the entry: so positions have no gaps, and entries become visible in their order.
import { RULES } from '../../events/write/decide.js'
import { groundSchema } from '../ground-schema.js'

/** There is one; the tables are ready for more. */
export const SHARD = 0

/** Positions in one partition, which is dropped whole. */
export const PARTITION_SIZE = 1_048_576

/** Creates the table for the positions from `first` on. */
export const partitionSql = (first: number): string =>
  `CREATE TABLE ${partitionName(first)} PARTITION OF log FOR VALUES FROM (${first}) TO (${first + PARTITION_SIZE})`

const PARTITION = /^log_from_(\d+)$/

export const partitionName = (first: number): string => `log_from_${first}`

/** The first position of the partition with this name. */
export const firstOfPartition = (name: string): number => Number(PARTITION.exec(name)?.[1])

const logSchema = `
-- \`id\` names this log in the files of its relays; \`founder\`: the store that it goes on from, zeros for an empty one.
CREATE TABLE head (
  shard int PRIMARY KEY,
  pos bigint NOT NULL,
  rules int NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  founder uuid
);
INSERT INTO head (shard, pos, rules) VALUES (${SHARD}, 0, ${RULES});

-- The last batch of each front end; a batch that is sent again is known by its number.
CREATE TABLE origin (
  shard int NOT NULL,
  origin uuid NOT NULL,
  oseq bigint NOT NULL,
  PRIMARY KEY (shard, origin)
);

-- \`at\` in epoch milliseconds, by the clock of the writer; \`body\` in JSON lines; \`rules\`: by which its events are decided, as \`head\` had them.
CREATE TABLE log (
  shard int NOT NULL,
  pos bigint NOT NULL,
  at bigint NOT NULL,
  origin uuid NOT NULL,
  oseq bigint NOT NULL,
  body text NOT NULL,
  rules int NOT NULL,
  PRIMARY KEY (shard, pos)
) PARTITION BY RANGE (pos);
${partitionSql(0)};
${partitionSql(PARTITION_SIZE)};

-- How far each front end is: the digest of its decisions up to the position.
CREATE TABLE replica (
  origin uuid PRIMARY KEY,
  shard int NOT NULL,
  pos bigint NOT NULL,
  digest bytea,
  seen timestamptz NOT NULL,
  version text NOT NULL
);
`

/** Forward only; the place in the list is the step, starting at 1. */
export const RELAY_LOG_STEPS: readonly string[] = [groundSchema + logSchema]
