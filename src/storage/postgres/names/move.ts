// What `store move names` carries.
import {
  AUDIT,
  COOLDOWN,
  GRANT,
  GRANT_SERIAL,
  NAME,
  OFFER,
  PAST_GRANT,
  RESERVED,
  TRANSFER,
} from '../../names/tables.js'
import { NAMES_FILE } from '../../sqlite/kinds.js'
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
import { NAMES_SERVICE } from '../services.js'

const TABLES: readonly MovedTable[] = [
  { table: 'audit', key: ['seq'], columns: mapped(AUDIT), isCounted: true },
  { table: 'name', key: ['name'], columns: mapped(NAME, 'skeleton') },
  { table: 'reserved', key: ['name'], columns: mapped(RESERVED, 'skeleton') },
  { table: 'cooldown', key: ['pubkey'], columns: mapped(COOLDOWN) },
  {
    table: 'auth',
    key: ['id'],
    columns: words('id forget_at'),
    added: ['used_by', '00000000-0000-0000-0000-000000000000'],
  },
  { table: 'paid_grant', key: ['seq'], columns: mapped(GRANT, 'seq'), amounts: ['amount'], isCounted: true },
  { table: 'grant_serial', key: ['pubkey', 'resource'], columns: mapped(GRANT_SERIAL) },
  { table: 'past_grant', key: ['invoice_id'], columns: mapped(PAST_GRANT) },
  { table: 'offer', key: ['seq'], columns: mapped(OFFER, 'seq'), amounts: ['price'], isCounted: true },
  { table: 'transfer', key: ['offer_id'], columns: mapped(TRANSFER), amounts: ['price'] },
]

export const MOVED_NAMES: MovedService = { file: NAMES_FILE, service: NAMES_SERVICE, tables: TABLES }

/** Throws what `moveRows` throws. */
export const moveNames = (parts: MoveParts): Promise<MoveOutcome> => moveRows(MOVED_NAMES, parts)

/** Throws what `moveRowsBack` throws. */
export const moveNamesBack = (parts: MoveBackParts): Promise<MoveOutcome> => moveRowsBack(MOVED_NAMES, parts)
