// How many of the names that an import brought look like a name of another key.
import type { NameShape } from '../../authority/index.js'
import type { Sqlite } from '../sqlite/sqlite.js'
import { findRival } from './lookups.js'

/** Only skeletons that several active names share are looked at one by one. */
const CROWDED = `SELECT a.name, lower(hex(a.pubkey)) FROM in_name a
  WHERE a.released_at IS NULL AND EXISTS (
    SELECT 1 FROM name n INDEXED BY name_skeleton
    WHERE n.skeleton = a.skeleton AND n.released_at IS NULL AND n.name <> a.name)`

export function countLookAlikes(db: Sqlite, shapeOf: (name: string) => NameShape): number {
  const crowded = db.all(CROWDED)
  return crowded.filter(([name, pubkey]) => findRival(db, shapeOf(String(name)), String(pubkey)) !== undefined).length
}
