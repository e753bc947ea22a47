// What the front ends tell each other: how far each is, and a digest of what it decided.
import type { LogDigest } from '../../../relay/index.js'
import { UNHURRIED } from '../instances.js'
import type { Transactions } from '../transactions.js'
import { SHARD } from './schema.js'

/** Whose row is older does not count: its process may have started again under another name. */
const LIVING = "interval '30 seconds'"

const BEAT = `INSERT INTO replica (origin, shard, pos, digest, seen, version)
  SELECT ?::uuid, ${SHARD}, ?::bigint, ?::bytea, now(), ?::text WHERE ${UNHURRIED}
  ON CONFLICT (origin) DO UPDATE SET pos = excluded.pos, digest = excluded.digest, seen = now(), version = excluded.version
  RETURNING (SELECT pos FROM head WHERE shard = ${SHARD})`
const SEEN = 'UPDATE replica SET seen = now() WHERE origin = ?::uuid'
const LEAVE = 'DELETE FROM replica WHERE origin = ?::uuid'
const DIGESTS = `SELECT digest, count(*) FROM replica
  WHERE shard = ${SHARD} AND pos = ?::bigint AND digest IS NOT NULL AND seen > now() - ${LIVING} GROUP BY digest`

export type Comparison = 'same' | 'differs' | 'diverged'

export interface FrontEnd {
  readonly origin: string
  readonly version: string
}

/** A position, and the digest of the decisions up to it if there is one. */
export type Progress = Pick<LogDigest, 'pos'> & Partial<Pick<LogDigest, 'digest'>>

/** Tells how far this front end is. Answers the last position of the log. */
export async function tellProgress(
  { repeatable }: Pick<Transactions, 'repeatable'>,
  { origin, version }: FrontEnd,
  { pos, digest }: Progress,
): Promise<number> {
  const [head] = (await repeatable((db) => db.get(BEAT, [origin, pos, digest ?? null, version]))) ?? []
  return Number(head)
}

/** `diverged`: most living front ends have another digest at this position; `differs`: some have, and none is in the majority. */
export async function compareDigests(
  { read }: Pick<Transactions, 'read'>,
  { pos, digest }: LogDigest,
): Promise<Comparison> {
  const rows = await read((db) => db.all(DIGESTS, [pos]))
  return judge(rows.map(([other, count]) => ({ isOwn: isEqual(other as Uint8Array, digest), count: Number(count) })))
}

const isEqual = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0

/** By digest: how many front ends have it. */
export function judge(digests: readonly { readonly isOwn: boolean; readonly count: number }[]): Comparison {
  const total = digests.reduce((sum, { count }) => sum + count, 0)
  const others = digests.filter(({ isOwn }) => !isOwn)
  if (others.length === 0) return 'same'
  return others.some(({ count }) => count * 2 > total) ? 'diverged' : 'differs'
}

/** Writes a row that reaches a second machine. */
export const writeSeen = ({ repeatable }: Pick<Transactions, 'repeatable'>, origin: string): Promise<unknown> =>
  repeatable((db) => db.run(SEEN, [origin]))

/** A front end that has stopped is not waited for, nor counted. */
export const leave = ({ repeatable }: Pick<Transactions, 'repeatable'>, origin: string): Promise<unknown> =>
  repeatable((db) => db.run(LEAVE, [origin]))
