// A database as the till before this one left it: its tables (specification: invoicing, 12), times as ISO text, and payments whose replies a real
// grin-wallet signed (test/vectors/wallet/run_standard.json), so that their money is in the wallet of those words.
import { decodeSlate } from '../../src/grin/slate/index.js'
import { armorSlate } from '../../src/grin/slatepack/index.js'
import { Secret } from '../../src/lib/secret.js'
import { deriveChild, endpubContext, invoiceContext, publicKeyOf } from '../../src/nostr/keys/index.js'
import { createPrivateFile } from '../../src/storage/sqlite/files.js'
import { openSqlite, type Sqlite, type SqlValue } from '../../src/storage/sqlite/sqlite.js'
import { bytes, vectors } from './vectors.js'

const SCHEMA = `
CREATE TABLE invoice (id TEXT PRIMARY KEY, ref TEXT, expected_amount INTEGER, expiry TEXT, status TEXT NOT NULL, created_at TEXT NOT NULL,
  token TEXT UNIQUE, memo TEXT, recipient_pubkey TEXT, fiat_amount TEXT, fiat_currency TEXT, match_mode TEXT, paid_payment_id TEXT,
  paid_at TEXT, quote_rate TEXT, quote_source TEXT, confirmed_at TEXT, rail TEXT, slate_id TEXT, slatepack TEXT);
CREATE TABLE payment (id TEXT PRIMARY KEY, amount INTEGER NOT NULL, payer TEXT, slate_id TEXT, kernel TEXT, proof TEXT, status TEXT NOT NULL,
  confirmed_height INTEGER, created_at TEXT NOT NULL, s2_armor TEXT, confirmed_at TEXT, invoice_id TEXT, user_id TEXT, recipient TEXT,
  confirmations INTEGER NOT NULL DEFAULT 0);
CREATE TABLE user (id TEXT PRIMARY KEY, rotate_interval INTEGER, epoch INTEGER NOT NULL, last_rotated_at TEXT, created_at TEXT NOT NULL);
CREATE TABLE endpub_assignment (user_id TEXT NOT NULL, epoch INTEGER NOT NULL, pubkey TEXT NOT NULL, created_at TEXT NOT NULL,
  PRIMARY KEY (user_id, epoch));
CREATE TABLE webhook_delivery (id TEXT PRIMARY KEY, payment_id TEXT, event_type TEXT NOT NULL, url TEXT NOT NULL, body TEXT NOT NULL,
  attempts INTEGER NOT NULL, delivered INTEGER NOT NULL, next_attempt_at TEXT, last_error TEXT, created_at TEXT NOT NULL, updated_at TEXT);
`
const [FIRST, SECOND] = vectors('wallet/run_standard.json').runs

/** Of the wallet that holds both outputs. */
export const OLD_WORDS: string = FIRST.receiver_mnemonic
const IDENTITY = new Secret(new Uint8Array(32).fill(7))
export const OLD_NSEC_HEX = '07'.repeat(32)
export const OLD_PUBKEY = publicKeyOf(IDENTITY)
export const childOf = (id: string): string => deriveChild(IDENTITY, invoiceContext(id)).pubkey
const endpubOf = (user: string, epoch: number): string => deriveChild(IDENTITY, endpubContext(user, epoch)).pubkey

const id = (digit: string): string => digit.repeat(32)
const token = (letter: string): string => letter.repeat(43)
const PAYER = 'c4'.repeat(32)
const armorOf = (run: typeof FIRST): string => armorSlate(decodeSlate(bytes(run.s2.bin)), { prefix: 'grin' })

/** Ids by what they are. */
export const OLD = {
  open: id('a'),
  memo: id('b'),
  paid: id('c'),
  confirmed: id('d'),
  expired: id('e'),
  openToken: token('A'),
  first: String(FIRST.s2.json.id),
  second: String(SECOND.s2.json.id),
  sent: id('1'),
  waiting: id('2'),
  body: `{"event_id":"${id('2')}","event_type":"payment.received", "invoice_id":"${id('c')}","odd":"bytes stay"}`,
} as const

type Cells = Readonly<Record<string, SqlValue>>
export type OldTable = 'invoice' | 'payment' | 'user' | 'endpub_assignment' | 'webhook_delivery'

const AT = '2026-06-30T09:00:00Z'
const INVOICES: readonly Cells[] = [
  {
    ...{ id: OLD.open, status: 'open', created_at: AT, token: OLD.openToken, ref: 'order-1', memo: 'Honey' },
    ...{ expected_amount: 2_000_000_000, recipient_pubkey: childOf(OLD.open), expiry: '2027-01-01T00:00:00Z' },
    ...{ rail: 'grin1', slate_id: 'x', slatepack: 'BEGINSLATEPACK. x. ENDSLATEPACK.' },
  },
  {
    ...{ id: OLD.memo, status: 'open', created_at: AT, token: token('B'), ref: 'order 2', match_mode: 'memo' },
    ...{ expected_amount: 3_000_000_000, recipient_pubkey: OLD_PUBKEY },
  },
  {
    ...{ id: OLD.paid, status: 'paid', created_at: AT, token: token('C'), ref: 'order-3', match_mode: 'derived' },
    ...{ expected_amount: 1_000_000_000, recipient_pubkey: childOf(OLD.paid), paid_payment_id: OLD.first },
    ...{
      paid_at: '2026-06-30T10:00:00Z',
      fiat_amount: '0.05',
      fiat_currency: 'USD',
      quote_rate: '0.05',
      quote_source: 'coingecko',
    },
  },
  {
    ...{ id: OLD.confirmed, status: 'confirmed', created_at: AT, token: token('D'), expected_amount: 1_000_000_000 },
    ...{ recipient_pubkey: childOf(OLD.confirmed), match_mode: 'derived', paid_payment_id: OLD.second },
    ...{ paid_at: '2026-06-30T10:00:00Z', confirmed_at: '2026-06-30T10:20:00Z' },
  },
  {
    ...{ id: OLD.expired, status: 'expired', created_at: AT, token: token('E'), expected_amount: 1_000_000_000 },
    ...{ recipient_pubkey: 'ff'.repeat(32), expiry: '2026-06-30T09:15:00Z' },
  },
  { id: id('f'), status: 'expired', created_at: AT, token: token('F'), expected_amount: null },
]

const PAYMENTS: readonly Cells[] = [
  {
    ...{
      id: OLD.first,
      slate_id: OLD.first,
      amount: 1_000_000_000,
      status: 'confirmed',
      created_at: '2026-06-30T10:00:00Z',
    },
    ...{ kernel: FIRST.final.kernel_excess, s2_armor: armorOf(FIRST), invoice_id: OLD.paid, payer: PAYER },
    ...{
      recipient: childOf(OLD.paid),
      confirmed_height: 3_000_000,
      confirmed_at: '2026-06-30T10:03:00Z',
      confirmations: 4,
    },
  },
  {
    ...{
      id: OLD.second,
      slate_id: OLD.second,
      amount: 1_000_000_000,
      status: 'confirmed',
      created_at: '2026-06-30T10:00:00Z',
    },
    ...{ kernel: SECOND.final.kernel_excess, s2_armor: armorOf(SECOND), invoice_id: OLD.confirmed, user_id: 'ada' },
    ...{ confirmed_height: 2_999_990, confirmed_at: '2026-06-30T10:02:00Z', confirmations: 14 },
    proof: JSON.stringify({
      amount: 1_000_000_000,
      kernel_excess: SECOND.final.kernel_excess,
      recipient_address: 'aa'.repeat(32),
      recipient_sig: 'bb'.repeat(64),
      sender_address: 'cc'.repeat(32),
    }),
  },
]

const DELIVERY = {
  url: 'https://shop.example/old-hook?secret=x',
  payment_id: OLD.first,
  event_type: 'payment.received',
}
const ROWS: Readonly<Record<OldTable, readonly Cells[]>> = {
  invoice: INVOICES,
  payment: PAYMENTS,
  user: [{ id: 'ada', rotate_interval: 3600, epoch: 1, last_rotated_at: '2026-06-30T08:00:00Z', created_at: AT }],
  endpub_assignment: [0, 1].map((epoch) => ({ user_id: 'ada', epoch, pubkey: endpubOf('ada', epoch), created_at: AT })),
  webhook_delivery: [
    {
      ...{ ...DELIVERY, id: OLD.sent, body: '{"invoice_id":null}', attempts: 1, delivered: 1, created_at: AT },
      ...{ payment_id: OLD.second, updated_at: AT },
    },
    {
      ...{ ...DELIVERY, id: OLD.waiting, body: OLD.body, attempts: 3, delivered: 0, created_at: AT },
      ...{ next_attempt_at: '2026-06-30T10:10:00Z', last_error: 'HTTP 500' },
    },
  ],
}

/** What the file would hold, changed by the test: rows are replaced, or more are added. */
export type OldRows = (rows: Record<OldTable, Cells[]>) => void

export function writeLegacyTill(path: string, change: OldRows = () => undefined): void {
  createPrivateFile(path)
  const db = openSqlite(path, 'durable')
  db.script(SCHEMA)
  const rows = structuredClone(ROWS) as Record<OldTable, Cells[]>
  change(rows)
  db.script('BEGIN')
  for (const [table, list] of Object.entries(rows)) for (const cells of list) insert(db, table, cells)
  db.script('COMMIT')
  db.close()
}

function insert(db: Sqlite, table: string, cells: Cells): void {
  const [names, values] = [Object.keys(cells), Object.values(cells)]
  db.run(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`, values)
}
