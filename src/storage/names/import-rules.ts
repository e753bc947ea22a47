// What an import does with each kind of row, as SQL over the staged rows (temporary tables `in_…`, with a number `nr`) and the database.
// In this order: refusals, of which one stops everything; forgetting what is here already; adding the rest.
import { type Dialect, type Sql, sql, textOf } from '../dialect.js'
import type { RowKind } from './row-kinds.js'

/** Returns (position, content, why it cannot be imported). */
type Refusal = Sql

interface ImportRule {
  readonly refusals: readonly Refusal[]
  /** Deletes staged rows that are here already, or were here and are gone for a later reason. */
  readonly known: readonly Sql[]
  /** `?`: when and why it is done. */
  readonly add: readonly Sql[]
}

/** Two staged rows of which only one can be true. */
const twice = (
  table: string,
  same: string,
  differ: string,
  subject: Sql,
  why = "'stands there twice, and differently'",
): Sql =>
  sql(
    (dialect) =>
      `SELECT b.place, ${textOf(subject, dialect)}, ${why} FROM ${table} a JOIN ${table} b ON ${same} AND a.nr < b.nr WHERE ${differ}`,
  )
/** The same row twice. */
const repeated = (table: string, column: string): string =>
  `DELETE FROM ${table} WHERE EXISTS (SELECT 1 FROM ${table} a WHERE a.${column} = ${table}.${column} AND a.nr < ${table}.nr)`

const raiseSerials = (table: string): Sql =>
  sql(
    ({ greatest }) => `INSERT INTO grant_serial (pubkey, resource, serial)
      SELECT pubkey, resource, max(serial) FROM ${table} GROUP BY pubkey, resource
      ON CONFLICT (pubkey, resource) DO UPDATE SET serial = ${greatest('grant_serial.serial', 'excluded.serial')}`,
  )

/** The staged rows stay outside, so that a file is only searched by its indexes. */
const against = ({ either }: Dialect): string => either('CROSS JOIN', 'JOIN')

export const IMPORT_RULES: Readonly<Record<RowKind, ImportRule>> = {
  name: {
    refusals: [
      twice(
        'in_name',
        'b.name = a.name',
        'a.pubkey <> b.pubkey OR a.created_at <> b.created_at OR a.released_at IS DISTINCT FROM b.released_at OR a.suspended_at IS DISTINCT FROM b.suspended_at',
        'b.name',
      ),
      twice(
        'in_name',
        'b.pubkey = a.pubkey',
        'a.name <> b.name AND a.released_at IS NULL AND b.released_at IS NULL',
        'b.name',
        "'its key holds ' || a.name || ' there as well'",
      ),
      sql(
        (dialect) => `SELECT a.place, a.name, 'is held here by ' || ${dialect.hex('n.pubkey')} FROM in_name a
        ${against(dialect)} name n ON n.name = a.name AND n.released_at IS NULL
        WHERE a.released_at IS NULL AND n.pubkey <> a.pubkey`,
      ),
      sql(
        (
          dialect,
        ) => `SELECT a.place, a.name, 'its key ' || ${dialect.hex('n.pubkey')} || ' holds ' || n.name || ' here' FROM in_name a
        ${against(dialect)} name n ON n.pubkey = a.pubkey AND n.released_at IS NULL
        WHERE a.released_at IS NULL AND n.name <> a.name`,
      ),
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
        SELECT CAST(? AS bigint), 'import', 'import', name, pubkey, CAST(? AS text) FROM in_name ORDER BY name`,
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
        SELECT CAST(? AS bigint), 'import', 'reserve', name, CAST(? AS text) FROM in_reserved ORDER BY name`,
    ],
  },
  cooldown: {
    refusals: [],
    known: [
      'DELETE FROM in_cooldown WHERE EXISTS (SELECT 1 FROM cooldown c WHERE c.pubkey = in_cooldown.pubkey AND c.until >= in_cooldown.until)',
    ],
    add: [
      sql(
        ({
          greatest,
        }) => `INSERT INTO cooldown (pubkey, until) SELECT pubkey, max(until) FROM in_cooldown GROUP BY pubkey
        ON CONFLICT (pubkey) DO UPDATE SET until = ${greatest('cooldown.until', 'excluded.until')}`,
      ),
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
        ({ hex }) => `'the grant of ' || ${hex('b.pubkey')}`,
      ),
      sql(
        (
          dialect,
        ) => `SELECT a.place, 'invoice ' || a.invoice_id, 'its key ' || ${dialect.hex('a.pubkey')} || ' has the invoice ' || g.invoice_id || ' here'
        FROM in_paid_grant a ${against(dialect)} paid_grant g ON g.pubkey = a.pubkey AND g.resource = a.resource
        WHERE g.invoice_id <> a.invoice_id AND NOT EXISTS (SELECT 1 FROM past_grant p WHERE p.invoice_id = a.invoice_id)`,
      ),
      sql(
        (
          dialect,
        ) => `SELECT a.place, 'invoice ' || a.invoice_id, 'belongs here to the key ' || ${dialect.hex('g.pubkey')}
        FROM in_paid_grant a ${against(dialect)} paid_grant g ON g.invoice_id = a.invoice_id
        WHERE g.pubkey <> a.pubkey OR g.resource <> a.resource`,
      ),
    ],
    known: [
      repeated('in_paid_grant', 'invoice_id'),
      'DELETE FROM in_paid_grant WHERE EXISTS (SELECT 1 FROM paid_grant g WHERE g.invoice_id = in_paid_grant.invoice_id)',
      'DELETE FROM in_paid_grant WHERE EXISTS (SELECT 1 FROM past_grant p WHERE p.invoice_id = in_paid_grant.invoice_id)',
    ],
    add: [
      `INSERT INTO paid_grant (pubkey, resource, serial, invoice_id, pay_url, amount, status, created_at, paid_at)
        SELECT pubkey, resource, serial, invoice_id, pay_url, amount, status, created_at, paid_at FROM in_paid_grant ORDER BY created_at, nr`,
      raiseSerials('in_paid_grant'),
      `INSERT INTO audit (at, actor, action, pubkey, reason)
        SELECT CAST(? AS bigint), 'import', 'import', pubkey, CAST(? AS text) FROM in_paid_grant ORDER BY nr`,
    ],
  },
  'grant-serial': {
    refusals: [],
    known: [
      `DELETE FROM in_grant_serial WHERE EXISTS (SELECT 1 FROM grant_serial s WHERE s.pubkey = in_grant_serial.pubkey
        AND s.resource = in_grant_serial.resource AND s.serial >= in_grant_serial.serial)`,
    ],
    add: [raiseSerials('in_grant_serial')],
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
        FROM in_offer ORDER BY created_at, nr`,
    ],
  },
  transfer: {
    refusals: [
      twice(
        'in_transfer',
        'b.kernel_excess = a.kernel_excess',
        'a.offer_id <> b.offer_id',
        ({ hex }) => `'the kernel ' || ${hex('b.kernel_excess')}`,
      ),
      twice('in_transfer', 'b.offer_id = a.offer_id', 'a.kernel_excess <> b.kernel_excess', "'the sale of ' || b.name"),
      sql(
        (
          dialect,
        ) => `SELECT a.place, 'the sale of ' || a.name, 'its kernel paid for the offer ' || ${dialect.hex('t.offer_id')} || ' here' FROM in_transfer a
        ${against(dialect)} transfer t ON t.kernel_excess = a.kernel_excess WHERE t.offer_id <> a.offer_id`,
      ),
      sql(
        (
          dialect,
        ) => `SELECT a.place, 'the sale of ' || a.name, 'its offer was paid by the kernel ' || ${dialect.hex('t.kernel_excess')} || ' here' FROM in_transfer a
        ${against(dialect)} transfer t ON t.offer_id = a.offer_id WHERE t.kernel_excess <> a.kernel_excess`,
      ),
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
        AND h.at = in_audit.at AND h.actor = in_audit.actor AND h.action = in_audit.action AND h.name IS NOT DISTINCT FROM in_audit.name
        AND h.pubkey IS NOT DISTINCT FROM in_audit.pubkey AND h.reason IS NOT DISTINCT FROM in_audit.reason)`,
    ),
    add: [
      `INSERT INTO audit (at, actor, action, name, pubkey, reason)
        SELECT at, actor, action, name, pubkey, reason FROM in_audit ORDER BY nr`,
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
