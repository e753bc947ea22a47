// What `store move pay` carries, both ways. Slates that are open are closed first, as at every start of a till in a file; work that was handed out is free
// again.
import { claimDatabase } from '../../sqlite/claim.js'
import { integerCell } from '../../sqlite/columns.js'
import { TILL_FILE } from '../../sqlite/kinds.js'
import { inTransaction } from '../../sqlite/sqlite.js'
import { raiseKeyIndex } from '../../till/keys.js'
import { closeEverySlate } from '../../till/slate-moves.js'
import { type MoveBackParts, moveRowsBack } from '../move-back.js'
import { type MovedService, type MovedTable, type MoveOutcome, type MoveParts, moveRows, words } from '../move-rows.js'
import { TILL_SERVICE } from '../services.js'
import { closeEverySlate as closeSharedSlates } from './timeline.js'

/** Keys that are left out: a copy of the file may have been used since. */
const MOVE_SKIP = 4096

const TABLES: readonly MovedTable[] = [
  { table: 'meta', key: ['id'], columns: words('id chain fingerprint created_at checked_at') },
  {
    table: 'user',
    target: 'till_user',
    key: ['seq'],
    columns: words('seq id rotate_interval epoch pubkey rotated_at created_at'),
    isCounted: true,
  },
  { table: 'endpub', key: ['pubkey'], columns: words('pubkey user_id epoch created_at') },
  {
    table: 'invoice',
    key: ['seq'],
    columns: words(
      'seq id token status amount fiat match_mode order_ref memo match_key recipient_pubkey expires_at window_ends_at requotes created_at paid_at confirmed_at payment_id confirmations pay_link qr_svg rail slate_id slatepack return_url grin_rate tip',
    ),
    amounts: ['amount'],
    isCounted: true,
  },
  { table: 'idempotency', key: ['key'], columns: words('key digest invoice_id created_at') },
  {
    table: 'payment',
    key: ['seq'],
    columns: words(
      'seq id invoice_id user_id amount fee_fields rail payer recipient_pubkey settlement s1_digest key_index commitment excess proof received_height mined_height confirmations created_at mined_at confirmed_at next_check_at s2 reply output intended_invoice_id',
    ),
    amounts: ['amount', 'fee_fields'],
    isCounted: true,
  },
  {
    table: 'event',
    key: ['seq'],
    columns: words(
      'seq id receiver type invoice_id payment_id line created_at state attempts next_attempt_at last_error failed body',
    ),
    isCounted: true,
  },
  {
    table: 'attempt',
    key: ['seq'],
    columns: words('seq event_id receiver number started_at duration_ms http_status error answer_head'),
    isCounted: true,
  },
  {
    table: 'letter',
    key: ['seq'],
    columns: words('seq payment_id kind layout state created_at attempts next_attempt_at accepted_by last_error wrap'),
    isCounted: true,
  },
  { table: 'seen', key: ['id'], columns: words('id at') },
  {
    table: 'invoice_slate',
    key: ['seq'],
    columns: words('seq id invoice_id state amount key_index commitment created_at sealed_secrets range_proof'),
    amounts: ['amount'],
    isCounted: true,
  },
  { table: 'push', key: ['payment_id'], columns: words('payment_id attempts next_push_at last_error body') },
  { table: 'secret_use', key: words('kind key at'), columns: words('kind key at') },
]

const NEXT = 'SELECT next_key_index FROM wallet'
const RAISE = 'UPDATE wallet SET next_key_index = greatest(next_key_index, ?) WHERE id = 1'

/** Throws DATABASE_IN_USE while the till runs, and what `moveRows` throws. */
export async function moveTill(parts: MoveParts): Promise<MoveOutcome> {
  const claim = claimDatabase(parts.path, parts.now)
  try {
    return await moveRows(TILL, parts)
  } finally {
    claim.release()
  }
}

const TILL: MovedService = {
  file: TILL_FILE,
  service: TILL_SERVICE,
  tables: TABLES,
  prepare: closeEverySlate,
  async complete(file, connection) {
    await connection.run(RAISE, [integerCell.read(file.get(NEXT)?.[0] ?? null) + MOVE_SKIP])
  },
  back: {
    prepare: closeSharedSlates,
    async complete(connection, file) {
      const next = integerCell.read((await connection.get(NEXT))?.[0] ?? null) + MOVE_SKIP
      inTransaction(file, () => raiseKeyIndex(file, next))
    },
  },
}

/** Throws what `moveRowsBack` throws. */
export const moveTillBack = (parts: MoveBackParts): Promise<MoveOutcome> => moveRowsBack(TILL, parts)
