// The zod schemas of request bodies and queries: the routes and the OpenAPI document read them, and `mountTillRoutes` refuses what they
// lack. Optional members may also be null.
import { z } from 'zod'
import { INVOICE_EXPIRY } from '../../lib/invoice-expiry.js'
import { isRawNumber, rawText } from '../../lib/parse-json.js'
import type { CreateInvoice } from '../api.js'
import { DELIVERY_STATES, INVOICE_STATUSES, MATCH_MODES, SEARCHABLE_IDS, SETTLEMENTS } from '../model.js'

/** An exact whole number as our JSON reader keeps it; anything else is refused with the range. */
const whole = (name: string, min: number, max: number, unit = '') =>
  z
    .int({ error: `${name} must be a whole number from ${min} to ${max}${unit}` })
    .min(min, { error: `${name} must be a whole number from ${min} to ${max}${unit}` })
    .max(max, { error: `${name} must be a whole number from ${min} to ${max}${unit}` })

/** A number as it was sent: a price may be one. */
const textOfNumber = (value: unknown): unknown =>
  isRawNumber(value) ? rawText(value) : typeof value === 'number' ? String(value) : value

export const createInvoiceBody = z
  .object({
    amount_grin: whole('amount_grin', 1, Number.MAX_SAFE_INTEGER, ' (nanogrin)')
      .nullish()
      .describe('Exact amount in nanogrin; 1 GRIN is 1000000000. Either this or the fiat pair.'),
    amount_fiat: z
      .preprocess(textOfNumber, z.string().nullish())
      .optional()
      .meta({ type: ['string', 'number', 'null'], anyOf: undefined })
      .describe(
        'Decimal amount in `currency`, priced in GRIN now: digits, at most one point and 18 decimals; as text, or as a number without exponent.',
      ),
    currency: z.string().nullish().describe('One of the currencies of the till, in any letter case.'),
    order_ref: z
      .string()
      .nullish()
      .describe(
        'Your own reference, 1 to 255 characters; echoed in answers and webhooks. The match key in mode `memo`.',
      ),
    memo: z.string().nullish().describe('Shown to the payer, at most 256 characters.'),
    match_mode: z
      .enum(MATCH_MODES, { error: 'match_mode must be memo, derived, or amount' }) // wire:
      .nullish()
      .describe('How a payment over Nostr finds this invoice; absent: the mode of the till.'),
    expiry_secs: whole('expiry_secs', INVOICE_EXPIRY.least, INVOICE_EXPIRY.most)
      .nullish()
      .describe('Seconds until the invoice expires. A fiat price is locked for at most the quote time of the till.'),
    return_url: z
      .string()
      .nullish()
      .describe('Where the customer goes back to from the checkout page: http or https, at most 2048 characters.'),
  })
  .meta({ id: 'CreateInvoice' })

/** What a client may send; the till checks the mode. */
export type CreateInvoiceBody = Omit<z.input<typeof createInvoiceBody>, 'match_mode' | 'amount_fiat'> & {
  match_mode?: string
  amount_fiat?: string
}

/** The till's own form of a checked body. */
export function createInvoiceOf(body: z.infer<typeof createInvoiceBody>): CreateInvoice {
  return {
    ...(body.amount_grin != null && { amountNanogrin: BigInt(body.amount_grin) }),
    ...(body.amount_fiat != null && { amountFiat: body.amount_fiat }),
    ...(body.currency != null && { currency: body.currency }),
    ...(body.order_ref != null && { orderRef: body.order_ref }),
    ...(body.memo != null && { memo: body.memo }),
    ...(body.match_mode != null && { matchMode: body.match_mode }),
    ...(body.expiry_secs != null && { expirySecs: body.expiry_secs }),
    ...(body.return_url != null && { returnUrl: body.return_url }),
  }
}

const limit = (usual: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,2}$/, { error: 'limit must be a whole number from 1 to 200' })
    .refine((text) => Number(text) <= 200, { error: 'limit must be a whole number from 1 to 200' })
    .optional()
    .describe(`At most so many, 1 to 200; ${usual} when absent.`)
const cursor = z.string().min(1).max(512).optional().describe('`next_cursor` of the page before.')
const flag = (what: string) =>
  z.enum(['true', 'false', '1', '0'], { error: 'must be true or false' }).optional().describe(what)
const time = (what: string) =>
  z
    .string()
    .refine(
      (text) =>
        /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d))?$/.test(text) && !Number.isNaN(Date.parse(text)),
      {
        error: 'must be a time like 2026-07-01T12:00:00Z or a day like 2026-07-01',
      },
    )
    .optional()
    .describe(what)

export const invoiceListQuery = z.object({
  status: z.enum(INVOICE_STATUSES).optional().describe('Only this status.'),
  order_ref: z.string().optional().describe('Only this reference.'),
  from: time('Created at or after this time.'),
  to: time('Created before this time, or up to the end of this day (UTC): a day is included, as in a report.'),
  limit: limit(50),
  cursor,
})
export const paymentListQuery = z.object({
  unmatched: flag('Only payments without an invoice.'),
  status: z.enum(SETTLEMENTS).optional().describe('Only this status.'),
  limit: limit(200),
  cursor,
})
const receiver = z
  .string()
  .regex(/^[1-8]$/, { error: 'receiver must be a number from 1 to 8' })
  .optional()
export const deliveryListQuery = z.object({
  receiver: receiver.describe('Only deliveries to this receiver.'),
  state: z.enum(DELIVERY_STATES).optional().describe('Only this state.'),
  invoice_id: z.string().optional().describe('Only events of this invoice.'),
  failed: flag('Only events with at least one failed attempt.'),
  since: time('Created at or after this time.'),
  limit: limit(200),
  cursor,
})
export const deliveryQuery = z.object({
  receiver: receiver.describe('The delivery to this receiver; absent: to the lowest that has the event.'),
})
export const replayQuery = z.object({
  receiver: receiver.describe('Only to this receiver; absent: to every configured receiver that has the event.'),
})
export const webhookTestQuery = z.object({
  receiver: receiver.describe('To this receiver; absent: to the lowest.'),
})
export const idQuery = z.object({
  kind: z.enum(SEARCHABLE_IDS).describe('Of what.'),
  prefix: z
    .string()
    .regex(/^[0-9a-f-]{6,64}$/, { error: 'prefix must be 6 to 64 of the characters 0-9 a-f -' })
    .describe('How the ids begin.'),
})
export const userListQuery = z.object({ limit: limit(200), cursor })

const userId = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,64}$/, { error: 'user_id must be 1 to 64 of the characters A-Z a-z 0-9 . _ -' })
const seconds = (name: string) => whole(name, 0, 31_536_000).nullish()

export const matchPaymentBody = z
  .object({ invoice_id: z.string().describe('The invoice that this payment pays.') })
  .meta({ id: 'MatchPayment' })
export const createUserBody = z
  .object({
    user_id: userId.nullish().describe('Absent: 32 random hex characters.'),
    rotate_interval: seconds('rotate_interval').describe(
      'Seconds between new keys for this user; 0 never; absent or null: as the till does.',
    ),
  })
  .meta({ id: 'CreateUser' })
export const rotateIntervalBody = z
  .object({ interval: seconds('interval').describe('Seconds, 0 for never, null for the setting of the till.') })
  .meta({ id: 'RotateInterval' })
export const pasteForm = z
  .looseObject({
    slatepack: z.string().describe('The slatepack that the payer’s wallet made, plain or encrypted to the till.'),
  })
  .meta({ id: 'PasteForm' })

/** Number of a checked `limit`. */
export const limitOf = (text: string | undefined, usual: number): number => (text === undefined ? usual : Number(text))
/** Epoch milliseconds of a checked time. */
export const epochMsOf = (text: string): number => Date.parse(text)
const DAY_MS = 86_400_000
/** Epoch milliseconds of a checked time that ends a range: a day counts to its end. */
export const epochMsOfEnd = (text: string): number => epochMsOf(text) + (text.includes('T') ? 0 : DAY_MS)
/** Number of a checked `receiver`. */
export const receiverOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text)
export const isTrue = (text: string | undefined): boolean => text === 'true' || text === '1'
