// What `store move pay` carries, both ways. Slates that are open are closed first, as at every start of a till in a file; work that was handed out is free
// again.
import { claimDatabase } from '../../sqlite/claim.js'
import { integerCell } from '../../sqlite/columns.js'
import { TILL_FILE } from '../../sqlite/kinds.js'
import { runVerb as runOnFile } from '../../sqlite/run-verb.js'
import { inTransaction } from '../../sqlite/sqlite.js'
import { raiseKeyIndex } from '../../till/keys.js'
import { closeEverySlate } from '../../till/slate-moves.js'
import { TILL_TABLES } from '../../till/tables.js'
import { type MoveBackParts, moveRowsBack } from '../move-back.js'
import { type MovedService, type MoveOutcome, type MoveParts, moveRows } from '../move-rows.js'
import { runVerb } from '../run-verb.js'
import { TILL_SERVICE } from '../services.js'

/** Keys that are left out: a copy of the file may have been used since. */
const MOVE_SKIP = 4096

const NEXT = 'SELECT next_key_index FROM wallet'
const RAISE = 'UPDATE wallet SET next_key_index = greatest(next_key_index, ?) WHERE id = 1'

/** Throws DATABASE_IN_USE while the till runs, and what `moveRows` throws. */
export async function moveTill(parts: MoveParts): Promise<MoveOutcome> {
  const claim = claimDatabase(parts.path, parts.now)
  try {
    return await moveRows(MOVED_TILL, parts)
  } finally {
    claim.release()
  }
}

export const MOVED_TILL: MovedService = {
  file: TILL_FILE,
  service: TILL_SERVICE,
  tables: TILL_TABLES,
  prepare: (file) => runOnFile(file, closeEverySlate()),
  async complete(file, connection) {
    await connection.run(RAISE, [integerCell.read(file.get(NEXT)?.[0] ?? null) + MOVE_SKIP])
  },
  back: {
    prepare: async (connection) => void (await runVerb(connection, closeEverySlate())),
    async complete(connection, file) {
      const next = integerCell.read((await connection.get(NEXT))?.[0] ?? null) + MOVE_SKIP
      inTransaction(file, () => runOnFile(file, raiseKeyIndex(next)))
    },
  },
}

/** Throws what `moveRowsBack` throws. */
export const moveTillBack = (parts: MoveBackParts): Promise<MoveOutcome> => moveRowsBack(MOVED_TILL, parts)
