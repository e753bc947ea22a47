// What `store move names` carries.
import { NAMES_FILE } from '../../sqlite/kinds.js'
import { type MoveBackParts, moveRowsBack } from '../move-back.js'
import { type MovedService, type MovedTable, type MoveOutcome, type MoveParts, moveRows, words } from '../move-rows.js'
import { NAMES_SERVICE } from '../services.js'

const TABLES: readonly MovedTable[] = [
  { table: 'audit', key: ['seq'], columns: words('seq at actor action name pubkey reason'), isCounted: true },
  { table: 'name', key: ['name'], columns: words('name skeleton pubkey created_at released_at suspended_at') },
  { table: 'reserved', key: ['name'], columns: words('name skeleton reason created_at') },
  { table: 'cooldown', key: ['pubkey'], columns: words('pubkey until') },
  {
    table: 'auth',
    key: ['id'],
    columns: words('id forget_at'),
    added: ['used_by', '00000000-0000-0000-0000-000000000000'],
  },
  {
    table: 'paid_grant',
    key: ['seq'],
    columns: words('seq pubkey resource serial invoice_id pay_url amount status created_at paid_at'),
    amounts: ['amount'],
    isCounted: true,
  },
  { table: 'grant_serial', key: ['pubkey', 'resource'], columns: words('pubkey resource serial') },
  { table: 'past_grant', key: ['invoice_id'], columns: words('invoice_id') },
  {
    table: 'offer',
    key: ['seq'],
    columns: words(
      'seq id name seller buyer price proof_address expiration status end_height state_changed_at created_at event',
    ),
    amounts: ['price'],
    isCounted: true,
  },
  {
    table: 'transfer',
    key: ['offer_id'],
    columns: words('offer_id name seller buyer price kernel_excess kernel_height claimed_at'),
    amounts: ['price'],
  },
]

export const MOVED_NAMES: MovedService = { file: NAMES_FILE, service: NAMES_SERVICE, tables: TABLES }

/** Throws what `moveRows` throws. */
export const moveNames = (parts: MoveParts): Promise<MoveOutcome> => moveRows(MOVED_NAMES, parts)

/** Throws what `moveRowsBack` throws. */
export const moveNamesBack = (parts: MoveBackParts): Promise<MoveOutcome> => moveRowsBack(MOVED_NAMES, parts)
