// Ids that need no second look. A mark is 32 bytes and a time, kept in the order of the ids alone.
import { fromHex } from '../../lib/bytes.js'
import type { SeenStore } from '../../till/index.js'
import { hexKey } from '../sqlite/columns.js'
import type { Write } from '../sqlite/group-commit.js'
import type { Sqlite } from '../sqlite/sqlite.js'

const MARK = 'INSERT INTO seen (id, at) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET at = max(at, excluded.at)'
const FORGET = 'DELETE FROM seen WHERE id IN (SELECT id FROM seen WHERE at < ? ORDER BY at LIMIT ?)'

/** The verbs on one connection; `write` runs those that change anything. */
export function seenVerbs(db: Sqlite, write: Write): SeenStore {
  return {
    markSeen: (ids, now) =>
      write(() => {
        for (const id of ids) db.run(MARK, [fromHex(id, 32, 'id'), now])
      }),
    seenOf: async (ids) => new Set(ids.filter((id) => db.get('SELECT 1 FROM seen WHERE id = ?', [hexKey(id)]))),
    forgetSeen: (before, limit) => write(() => db.run(FORGET, [before, limit])),
  }
}
