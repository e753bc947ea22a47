// Which names of one skeleton count as look-alikes: the part of a search that is the same in every database.
import type { ActiveName, NameShape, ReservedName } from '../../authority/index.js'
import type { Row } from '../sqlite/sqlite.js'
import { ACTIVE, RESERVED } from './tables.js'

/** More names than this of one skeleton are not looked at one by one: all of them count as look-alikes, the safe side. */
const MAX_CANDIDATES = 4096

/** Where names with a skeleton are. */
export interface Crowd<T> {
  /** The first row of a skeleton. */
  readonly first: string
  /** Their names as one text: a row for each of thousands would cost the neighbours of a large group ten times as much. */
  readonly names: string
  /** The row of one name. */
  readonly one: string
  readonly read: (row: Row) => T
}

interface CrowdSql {
  /** `FROM … WHERE skeleton = ?`, of active names and of reserved ones. */
  readonly active: string
  readonly reserved: string
  /** The expression that joins names with commas. */
  readonly joined: string
}

/** Active names, and names of the table `reserved`. */
export function crowdsOf({ active, reserved, joined }: CrowdSql): {
  readonly rivals: Crowd<ActiveName>
  readonly keptBack: Crowd<ReservedName>
} {
  const namesOf = (from: string) =>
    `SELECT ${joined} FROM (SELECT name ${from} LIMIT ${MAX_CANDIDATES + 1}) AS candidate`
  return {
    rivals: {
      first: `SELECT ${ACTIVE.columns} ${active} LIMIT 1`,
      names: namesOf(active),
      one: `SELECT ${ACTIVE.columns} FROM name WHERE name = ? AND released_at IS NULL`,
      read: ACTIVE.read,
    },
    keptBack: {
      first: `SELECT ${RESERVED.columns} ${reserved} LIMIT 1`,
      names: namesOf(reserved),
      one: `SELECT ${RESERVED.columns} FROM reserved WHERE name = ?`,
      read: RESERVED.read,
    },
  }
}

export const isLike = (shape: NameShape, name: string): boolean => name === shape.name || shape.looksLike(name)

/** `names`: what the statement of a crowd answered. */
export function lookAlikesIn([names]: Row = [], shape: NameShape): readonly string[] {
  const candidates = String(names ?? '').split(',')
  return candidates.length > MAX_CANDIDATES ? candidates : candidates.filter((name) => isLike(shape, name))
}
