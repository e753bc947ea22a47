// What an import does with each kind of row, as SQL over the staged rows (temporary tables `in_…`) and the database.
// In this order: refusals, of which one stops everything; forgetting what is here already; adding the rest.
import type { RowKind } from './row-kinds.js'

/** Returns (position, content, why it cannot be imported). */
type Refusal = string

interface ImportRule {
  readonly refusals: readonly Refusal[]
  /** Deletes staged rows that are here already, or were here and are gone for a later reason. */
  readonly known: readonly string[]
  readonly add: readonly string[]
}

const hex = (column: string): string => `lower(hex(${column}))`
/** Two staged rows of which only one can be true. */
const twice = (
  table: string,
  same: string,
  differ: string,
  subject: string,
  why = "'stands there twice, and differently'",
) =>
  `SELECT b.place, ${subject}, ${why} FROM ${table} a JOIN ${table} b ON ${same} AND a.rowid < b.rowid WHERE ${differ}`
/** The same row twice. */
const repeated = (table: string, columns: string): string =>
  `DELETE FROM ${table} WHERE rowid NOT IN (SELECT min(rowid) FROM ${table} GROUP BY ${columns})`

/** CROSS JOIN keeps the staged rows outside, so that the database is only searched by its indexes. */
export const IMPORT_RULES: Readonly<Record<RowKind, ImportRule>> = {
  name: {
    refusals: [
      twice(
        'in_name',
        'b.name = a.name',
        'a.pubkey <> b.pubkey OR a.created_at <> b.created_at OR a.released_at IS NOT b.released_at OR a.suspended_at IS NOT b.suspended_at',
        'b.name',
      ),
      twice(
        'in_name',
        'b.pubkey = a.pubkey',
        'a.name <> b.name AND a.released_at IS NULL AND b.released_at IS NULL',
        'b.name',
        "'its key holds ' || a.name || ' there as well'",
      ),
      `SELECT a.place, a.name, 'is held here by ' || ${hex('n.pubkey')} FROM in_name a
        CROSS JOIN name n ON n.name = a.name AND n.released_at IS NULL
        WHERE a.released_at IS NULL AND n.pubkey <> a.pubkey`,
      `SELECT a.place, a.name, 'its key ' || ${hex('n.pubkey')} || ' holds ' || n.name || ' here' FROM in_name a
        CROSS JOIN name n ON n.pubkey = a.pubkey AND n.released_at IS NULL
        WHERE a.released_at IS NULL AND n.name <> a.name`,
    ],
    known: [
      repeated('in_name', 'name'),
      'DELETE FROM in_name WHERE released_at IS NOT NULL AND EXISTS (SELECT 1 FROM name n WHERE n.name = in_name.name)',
      // Held here, or given up here later than it was claimed there.
      `DELETE FROM in_name WHERE released_at IS NULL AND EXISTS (SELECT 1 FROM name n WHERE n.name = in_name.name
        AND n.pubkey = in_name.pubkey AND (n.released_at IS NULL OR n.released_at >= in_name.created_at))`,
    ],
    add: [
      `INSERT INTO name (name, skeleton, pubkey, created_at, released_at, suspended_at)
        SELECT name, skeleton, pubkey, created_at, released_at, suspended_at FROM in_name WHERE true ORDER BY name
        ON CONFLICT (name) DO UPDATE SET skeleton = excluded.skeleton, pubkey = excluded.pubkey,
          created_at = excluded.created_at, released_at = excluded.released_at, suspended_at = excluded.suspended_at`,
      `INSERT INTO audit (at, actor, action, name, pubkey, reason)
        SELECT ?1, 'import', 'import', name, pubkey, ?2 FROM in_name ORDER BY name`,
    ],
  },
  reserved: {
    refusals: [],
    known: [
      repeated('in_reserved', 'name'),
      'DELETE FROM in_reserved WHERE EXISTS (SELECT 1 FROM reserved r WHERE r.name = in_reserved.name)',
    ],
    add: [
      `INSERT INTO reserved (name, skeleton, reason, created_at) SELECT name, skeleton, reason, created_at FROM in_reserved`,
      `INSERT INTO audit (at, actor, action, name, reason)
        SELECT ?1, 'import', 'reserve', name, ?2 FROM in_reserved ORDER BY name`,
    ],
  },
  cooldown: {
    refusals: [],
    known: [
      'DELETE FROM in_cooldown WHERE EXISTS (SELECT 1 FROM cooldown c WHERE c.pubkey = in_cooldown.pubkey AND c.until >= in_cooldown.until)',
    ],
    add: [
      `INSERT INTO cooldown (pubkey, until) SELECT pubkey, until FROM in_cooldown WHERE true
        ON CONFLICT (pubkey) DO UPDATE SET until = max(until, excluded.until)`,
    ],
  },
  grant: {
    refusals: [
      twice(
        'in_paid_grant',
        'b.invoice_id = a.invoice_id',
        'a.pubkey <> b.pubkey OR a.resource <> b.resource',
        'b.invoice_id',
      ),
      twice(
        'in_paid_grant',
        'b.pubkey = a.pubkey AND b.resource = a.resource',
        'a.invoice_id <> b.invoice_id',
        "'the grant of ' || lower(hex(b.pubkey))",
      ),
      `SELECT a.place, 'invoice ' || a.invoice_id, 'its key ' || ${hex('a.pubkey')} || ' has the invoice ' || g.invoice_id || ' here'
        FROM in_paid_grant a CROSS JOIN paid_grant g ON g.pubkey = a.pubkey AND g.resource = a.resource
        WHERE g.invoice_id <> a.invoice_id AND NOT EXISTS (SELECT 1 FROM past_grant p WHERE p.invoice_id = a.invoice_id)`,
      `SELECT a.place, 'invoice ' || a.invoice_id, 'belongs here to the key ' || ${hex('g.pubkey')}
        FROM in_paid_grant a CROSS JOIN paid_grant g ON g.invoice_id = a.invoice_id
        WHERE g.pubkey <> a.pubkey OR g.resource <> a.resource`,
    ],
    known: [
      repeated('in_paid_grant', 'invoice_id'),
      'DELETE FROM in_paid_grant WHERE EXISTS (SELECT 1 FROM paid_grant g WHERE g.invoice_id = in_paid_grant.invoice_id)',
      'DELETE FROM in_paid_grant WHERE EXISTS (SELECT 1 FROM past_grant p WHERE p.invoice_id = in_paid_grant.invoice_id)',
    ],
    add: [
      `INSERT INTO paid_grant (pubkey, resource, serial, invoice_id, pay_url, amount, status, created_at, paid_at)
        SELECT pubkey, resource, serial, invoice_id, pay_url, amount, status, created_at, paid_at FROM in_paid_grant ORDER BY created_at, rowid`,
      `INSERT INTO grant_serial (pubkey, resource, serial) SELECT pubkey, resource, serial FROM in_paid_grant WHERE true
        ON CONFLICT (pubkey, resource) DO UPDATE SET serial = max(serial, excluded.serial)`,
      `INSERT INTO audit (at, actor, action, pubkey, reason)
        SELECT ?1, 'import', 'import', pubkey, ?2 FROM in_paid_grant ORDER BY rowid`,
    ],
  },
  'grant-serial': {
    refusals: [],
    known: [
      `DELETE FROM in_grant_serial WHERE EXISTS (SELECT 1 FROM grant_serial s WHERE s.pubkey = in_grant_serial.pubkey
        AND s.resource = in_grant_serial.resource AND s.serial >= in_grant_serial.serial)`,
    ],
    add: [
      `INSERT INTO grant_serial (pubkey, resource, serial) SELECT pubkey, resource, serial FROM in_grant_serial WHERE true
        ON CONFLICT (pubkey, resource) DO UPDATE SET serial = max(serial, excluded.serial)`,
    ],
  },
  'past-grant': {
    refusals: [],
    known: [
      repeated('in_past_grant', 'invoice_id'),
      'DELETE FROM in_past_grant WHERE EXISTS (SELECT 1 FROM past_grant p WHERE p.invoice_id = in_past_grant.invoice_id)',
    ],
    add: ['INSERT INTO past_grant (invoice_id) SELECT invoice_id FROM in_past_grant'],
  },
  offer: {
    refusals: [],
    known: [
      repeated('in_offer', 'id'),
      'DELETE FROM in_offer WHERE EXISTS (SELECT 1 FROM offer o WHERE o.id = in_offer.id)',
    ],
    add: [
      `INSERT INTO offer (id, event, name, seller, buyer, price, proof_address, expiration, status, end_height, state_changed_at, created_at)
        SELECT id, event, name, seller, buyer, price, proof_address, expiration, status, end_height, state_changed_at, created_at
        FROM in_offer ORDER BY created_at, rowid`,
    ],
  },
  transfer: {
    refusals: [
      twice(
        'in_transfer',
        'b.kernel_excess = a.kernel_excess',
        'a.offer_id <> b.offer_id',
        "'the kernel ' || lower(hex(b.kernel_excess))",
      ),
      twice('in_transfer', 'b.offer_id = a.offer_id', 'a.kernel_excess <> b.kernel_excess', "'the sale of ' || b.name"),
      `SELECT a.place, 'the sale of ' || a.name, 'its kernel paid for the offer ' || ${hex('t.offer_id')} || ' here' FROM in_transfer a
        CROSS JOIN transfer t ON t.kernel_excess = a.kernel_excess WHERE t.offer_id <> a.offer_id`,
      `SELECT a.place, 'the sale of ' || a.name, 'its offer was paid by the kernel ' || ${hex('t.kernel_excess')} || ' here' FROM in_transfer a
        CROSS JOIN transfer t ON t.offer_id = a.offer_id WHERE t.kernel_excess <> a.kernel_excess`,
    ],
    known: [
      repeated('in_transfer', 'offer_id'),
      'DELETE FROM in_transfer WHERE EXISTS (SELECT 1 FROM transfer t WHERE t.offer_id = in_transfer.offer_id)',
    ],
    add: [
      `INSERT INTO transfer (offer_id, name, seller, buyer, price, kernel_excess, kernel_height, claimed_at)
        SELECT offer_id, name, seller, buyer, price, kernel_excess, kernel_height, claimed_at FROM in_transfer`,
    ],
  },
  history: {
    refusals: [],
    known: ['name', 'pubkey'].map(
      (known) => `DELETE FROM in_audit WHERE EXISTS (SELECT 1 FROM audit h WHERE h.${known} = in_audit.${known}
        AND h.at = in_audit.at AND h.actor = in_audit.actor AND h.action = in_audit.action AND h.name IS in_audit.name
        AND h.pubkey IS in_audit.pubkey AND h.reason IS in_audit.reason)`,
    ),
    add: [
      `INSERT INTO audit (at, actor, action, name, pubkey, reason)
        SELECT at, actor, action, name, pubkey, reason FROM in_audit ORDER BY rowid`,
    ],
  },
}

/** What the statements above search the staged rows by. */
export const STAGE_INDEXES: Readonly<Partial<Record<RowKind, readonly string[]>>> = {
  name: ['name', 'pubkey'],
  reserved: ['name'],
  grant: ['invoice_id', 'pubkey, resource'],
  'past-grant': ['invoice_id'],
  offer: ['id'],
  transfer: ['kernel_excess', 'offer_id'],
}
