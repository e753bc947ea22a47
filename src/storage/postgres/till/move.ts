// What `store move pay` carries, both ways. Slates that are open are closed first, as at every start of a till in a file; work that was handed out is free
// again.
import { claimDatabase } from '../../sqlite/claim.js'
import { integerCell } from '../../sqlite/columns.js'
import { TILL_FILE } from '../../sqlite/kinds.js'
import { runVerb as runOnFile } from '../../sqlite/run-verb.js'
import { inTransaction } from '../../sqlite/sqlite.js'
import { raiseKeyIndex } from '../../till/keys.js'
import { closeEverySlate } from '../../till/slate-moves.js'
import { ATTEMPT, DELIVERY, INVOICE, INVOICE_SLATE, LETTER, PAYMENT, USER } from '../../till/tables.js'
import { type MoveBackParts, moveRowsBack } from '../move-back.js'
import {
  type MovedService,
  type MovedTable,
  type MoveOutcome,
  type MoveParts,
  mapped,
  moveRows,
  words,
} from '../move-rows.js'
import { runVerb } from '../run-verb.js'
import { TILL_SERVICE } from '../services.js'

/** Keys that are left out: a copy of the file may have been used since. */
const MOVE_SKIP = 4096

const TABLES: readonly MovedTable[] = [
  { table: 'meta', key: ['id'], columns: words('id chain fingerprint created_at checked_at') },
  { table: 'user', target: 'till_user', key: ['seq'], columns: mapped(USER, 'seq'), isCounted: true },
  { table: 'endpub', key: ['pubkey'], columns: words('pubkey user_id epoch created_at') },
  { table: 'invoice', key: ['seq'], columns: mapped(INVOICE, 'seq'), amounts: ['amount'], isCounted: true },
  { table: 'idempotency', key: ['key'], columns: words('key digest invoice_id created_at') },
  {
    table: 'payment',
    key: ['seq'],
    columns: mapped(PAYMENT, 'seq'),
    amounts: ['amount', 'fee_fields'],
    isCounted: true,
  },
  { table: 'event', key: ['seq'], columns: mapped(DELIVERY, 'seq line failed'), isCounted: true },
  { table: 'attempt', key: ['seq'], columns: mapped(ATTEMPT, 'seq event_id receiver'), isCounted: true },
  { table: 'receiver_failure', key: ['receiver'], columns: words('receiver since') },
  { table: 'letter', key: ['seq'], columns: mapped(LETTER, 'seq'), isCounted: true },
  { table: 'seen', key: ['id'], columns: words('id at') },
  { table: 'invoice_slate', key: ['seq'], columns: mapped(INVOICE_SLATE, 'seq'), amounts: ['amount'], isCounted: true },
  { table: 'push', key: ['payment_id'], columns: words('payment_id attempts next_push_at last_error body') },
  { table: 'secret_use', key: words('kind key at'), columns: words('kind key at') },
]

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
  tables: TABLES,
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
