// Invoices: creation with idempotency, the states that time and the operator bring about, and the searches of the matcher.
import type {
  IdempotencyKey,
  InsertInvoiceAnswer,
  Invoice,
  InvoiceSlate,
  InvoiceStore,
  IssuedSlate,
} from '../../till/index.js'
import { type Sql, sql } from '../dialect.js'
import { lowerEnd, readPage, when } from '../paging.js'
import { amountCell, hexKey, textCell } from '../sqlite/columns.js'
import type { SqlValue } from '../sqlite/sqlite.js'
import { exists, get, many, one, type Runner, returning, run, type Verb } from '../verbs.js'
import { becomes, CANCEL, EXPIRE, IS_OVER, mayBe } from './invoice-moves.js'
import { findInvoice } from './rows.js'
import { KEY_LIFE, requoted } from './rules.js'
import { closeSlates, insertFirstSlate, replaceSlate } from './slate-moves.js'
import { INVOICE } from './tables.js'

const SELECT = `SELECT ${INVOICE.columns} FROM invoice`
const BY_TOKEN = `${SELECT} WHERE token = ?`
const INSERT = `INSERT INTO invoice (${INVOICE.columns}) VALUES (${INVOICE.marks})`

/**
 * Oldest first. The conditions repeat those of the partial indexes word by word, or the database would not use them; naming the
 * index turns a mistake there into an error instead of a slow search.
 */
export const payableBy = (index: string, condition: string): Sql =>
  sql(
    ({ by }) => `${SELECT} ${by(`invoice_${index}`)}
  WHERE ${mayBe('payment-accepted')} AND payment_id IS NULL AND ${condition}
    AND coalesce(expires_at, 9223372036854775807) > ? ORDER BY created_at, seq LIMIT ?`,
  )

const PAYABLE = {
  recipient: payableBy('recipient', "match_mode = 'derived' AND recipient_pubkey = ?"),
  matchKey: payableBy('payable_match_key', "match_mode = 'memo' AND match_key = ?"),
  memo: payableBy('payable_memo', "match_mode = 'memo' AND memo = ? AND amount = ?"),
  amount: payableBy('payable_amount', "match_mode = 'amount' AND amount = ?"),
} as const

const EXPIRE_DUE = sql(
  ({ by }) => `UPDATE invoice SET ${becomes('time-over')}
  WHERE seq IN (SELECT seq FROM invoice ${by('invoice_open_expiry')} WHERE ${IS_OVER} ORDER BY expires_at LIMIT ?) RETURNING id`,
)
const FORGET_KEYS = `DELETE FROM idempotency
  WHERE key IN (SELECT key FROM idempotency WHERE created_at <= ? ORDER BY created_at LIMIT ?)`

const KNOWN_KEY = 'SELECT digest, invoice_id FROM idempotency WHERE key = ? AND created_at > ?'
/**
 * PostgreSQL takes a key that is free, or whose time is over, before it looks at any row: of two at once, the second is repeated. In a file, where
 * one change waits for the other, the invoice has to be there before its key.
 */
const TAKE_KEY = sql(({ either }) =>
  either(
    '',
    `INSERT INTO idempotency (key, digest, invoice_id, created_at) VALUES (?, ?, ?, ?)
      ON CONFLICT (key) DO UPDATE SET digest = excluded.digest, invoice_id = excluded.invoice_id, created_at = excluded.created_at
        WHERE idempotency.created_at <= ?`,
  ),
)
const REMEMBER_KEY = sql(({ either }) =>
  either('INSERT OR REPLACE INTO idempotency (key, digest, invoice_id, created_at) VALUES (?, ?, ?, ?)', ''),
)

export function invoiceVerbs({ read, change }: Runner): Omit<InvoiceStore, 'expireDue'> {
  const payable = (by: keyof typeof PAYABLE, ...values: readonly SqlValue[]): Promise<readonly Invoice[]> =>
    read(() => many(PAYABLE[by], values, INVOICE.read))

  return {
    insertInvoice: (invoice, now, key, slate) => change(() => insertInvoice(invoice, now, key, slate)),
    idempotent: (key, now) => read(() => idempotent(key, now)),
    invoiceById: (id) => read(() => findInvoice(id)),
    invoiceByToken: (token) => read(() => one(BY_TOKEN, [token], INVOICE.read)),
    listInvoices: ({ status, orderRef, from, limit, ...ends }) =>
      read(() => {
        const { to, cursor } = lowerEnd(ends)
        const where = [
          when('status = ?', status),
          when('order_ref = ?', orderRef),
          when('created_at >= ?', from),
          when('created_at < ?', to),
        ]
        return readPage({ table: INVOICE, from: 'invoice', where }, { limit, cursor })
      }),
    expireInvoice: (id, now) => change(() => expireInvoice(id, now)),
    cancelInvoice: (id) => change(() => cancelInvoice(id)),
    requote: (id, seen, quote, issued) => change(() => requote({ id, seen, quote, issued })),
    payableByRecipient: (pubkey, cutoff, limit) => payable('recipient', hexKey(pubkey), cutoff, limit),
    payableByMatchKey: (matchKey, cutoff, limit) => payable('matchKey', matchKey, cutoff, limit),
    payableByMemo: (memo, exact, cutoff, limit) => payable('memo', memo, amountCell.write(exact), cutoff, limit),
    payableByAmount: (exact, cutoff, limit) => payable('amount', amountCell.write(exact), cutoff, limit),
  }
}

/** Idempotency keys whose time is over at `now`; at most `limit`. */
export const forgetKeys = (now: number, limit: number): Verb<number> => run(FORGET_KEYS, [now - KEY_LIFE, limit])

/** Answers the ids of the invoices that expired. */
export function* expireDue(now: number, limit: number): Verb<readonly string[]> {
  return (yield* returning(EXPIRE_DUE, [now, limit])).map(([id = null]) => textCell.read(id))
}

function* insertInvoice(
  invoice: Invoice,
  now: number,
  key: IdempotencyKey | undefined,
  slate: InvoiceSlate | undefined,
): Verb<InsertInvoiceAnswer> {
  const earlier = key && (yield* takeKey(key, invoice.id, now))
  if (earlier) return earlier
  yield* run(INSERT, INVOICE.values(invoice))
  if (slate) yield* insertFirstSlate(invoice, slate)
  if (key) yield* run(REMEMBER_KEY, [key.key, key.digest, invoice.id, now])
  return { outcome: 'created' }
}

/** Undefined: the key is free for this invoice. */
function* takeKey(key: IdempotencyKey, invoiceId: string, now: number): Verb<InsertInvoiceAnswer | undefined> {
  const taken = yield* run(TAKE_KEY, [key.key, key.digest, invoiceId, now, now - KEY_LIFE])
  return taken > 0 ? undefined : yield* earlierAnswer(key, now)
}

function* earlierAnswer({ key, digest }: IdempotencyKey, now: number): Verb<InsertInvoiceAnswer | undefined> {
  const known = yield* get(KNOWN_KEY, [key, now - KEY_LIFE])
  if (!known) return undefined
  const [knownDigest, invoiceId = null] = known
  if (knownDigest !== digest) return { outcome: 'other-body' }
  const invoice = yield* findInvoice(textCell.read(invoiceId))
  return invoice && { outcome: 'replayed', invoice }
}

function* idempotent(key: IdempotencyKey, now: number): Verb<InsertInvoiceAnswer> {
  return (yield* earlierAnswer(key, now)) ?? { outcome: 'created' }
}

function* expireInvoice(id: string, now: number): Verb<boolean> {
  return (yield* run(EXPIRE, [id, now])) > 0
}

function* cancelInvoice(id: string): Verb<'cancelled' | 'not-open' | 'unknown'> {
  if ((yield* run(CANCEL, [id])) > 0) return 'cancelled'
  return (yield* exists('SELECT 1 FROM invoice WHERE id = ?', [id])) ? 'not-open' : 'unknown'
}

interface Requote {
  readonly id: string
  readonly seen: number
  readonly quote: Parameters<InvoiceStore['requote']>[2]
  readonly issued: IssuedSlate | undefined
}

function* requote({ id, seen, quote, issued }: Requote): Verb<'requoted' | 'refused'> {
  const before = yield* findInvoice(id)
  const renewed = requoted(before, seen, quote)
  if (!before || !renewed) return 'refused'
  const change = INVOICE.change(renewed)
  yield* run(`UPDATE invoice SET ${change.sql} WHERE id = ?`, [...change.values, id])
  if (issued) yield* replaceSlate(before, issued)
  else yield* closeSlates(before)
  return 'requoted'
}
