// What the authority answers and takes, as zod schemas, and the responses that routes share. For the OpenAPI document alone: the verbs read
// bodies by themselves, and zod is a third of all files that a start would load.
import { z } from 'zod'
import { errorResponses, type Responses } from '../../http/index.js'
import { countSchema as count, errorSchema, hexSchema as hex } from '../../lib/api-schemas.js'
import { OFFER_STATUSES, RESOURCES } from '../model.js'

const key = hex(64).describe('A Nostr public key.')
const name = z.string().describe('Lower-case.')
const nip05 = z.string().describe('`name@domain`.')

/** The error of every daemon; clients of the authority compare its text. */
export const authorityErrorSchema = errorSchema
  .omit({ errors: true })
  .extend({ error: z.string().describe('What clients compare.') })
  .meta({ id: 'Error' })

export const heldSchema = authorityErrorSchema
  .extend({ name: name.describe('The name that the key holds.').exactOptional() })
  .meta({ id: 'Conflict' })

export const paymentDueSchema = z
  .strictObject({
    error: z.literal('payment_required'),
    resource: z.enum(RESOURCES),
    invoice_id: z.string(),
    pay_url: z.string().describe('Where the payer goes.'),
    price_grin: z.string().describe('Decimal, e.g. `1.5`.'),
    price_nanogrin: count.describe('The same in nanogrin; above 2^53-1 only exact readers keep it.'),
    currency: z.literal('GRIN'),
    invoice_status: z
      .string()
      .describe('When the invoicing service was last asked: `open`, `paid` (not deep enough yet), …')
      .exactOptional(),
    confirmations: count.exactOptional(),
    confirmations_required: count.exactOptional(),
    nprofile: z
      .string()
      .describe(
        'Who is paid: the key of the invoice and its relays (NIP-19). This and the next two as the invoicing service said them.',
      )
      .exactOptional(),
    pay_link: z.string().describe('Opens a wallet: `goblin:…`, with amount and memo.').exactOptional(),
    qr_svg: z.string().describe('The code to scan, as SVG without script.').exactOptional(),
  })
  .meta({ id: 'PaymentDue' })

export const nip05Schema = z
  .strictObject({
    names: z.record(z.string(), key).describe('At most the name that was asked for.'),
    relays: z.record(z.string(), z.array(z.string())).describe('By key.'),
  })
  .meta({ id: 'Nip05' })

export const availabilitySchema = z
  .strictObject({
    name,
    available: z.boolean(),
    reason: z.enum(['invalid', 'reserved', 'taken']).exactOptional(),
    state: z.enum(['free', 'invalid', 'reserved', 'taken']),
  })
  .meta({ id: 'Availability' })

export const holderSchema = z.strictObject({ name, pubkey: key }).meta({ id: 'Holder' })
export const claimBody = z
  .looseObject({ name: z.string(), pubkey: key.describe('The key that signs.') })
  .meta({ id: 'Claim' })
export const registrationSchema = z.strictObject({ name, nip05 }).meta({ id: 'Registration' })
export const releasedSchema = z.strictObject({ name, released: z.literal(true) }).meta({ id: 'Released' })

export const writePaidSchema = z.strictObject({ pubkey: key, paid: z.boolean() }).meta({ id: 'WritePaid' })
export const quoteBody = z.looseObject({ resource: z.enum(RESOURCES) }).meta({ id: 'QuoteRequest' })
export const quoteSchema = z
  .strictObject({ resource: z.enum(RESOURCES), pubkey: key, paid: z.literal(true) })
  .meta({ id: 'Quote' })
export const webhookBody = z
  .looseObject({ invoice_id: z.string().exactOptional() })
  .describe('An event of the invoicing service.')
export const okSchema = z.strictObject({ ok: z.literal(true) })

const eventSchema = z
  .strictObject({
    id: hex(64),
    pubkey: key,
    created_at: count,
    kind: count,
    tags: z.array(z.array(z.string())),
    content: z.string(),
    sig: hex(128),
  })
  .meta({ id: 'NostrEvent' })

export const createOfferBody = z
  .looseObject({ offer: eventSchema.describe('Kind 3402, signed by the holder.') })
  .meta({ id: 'CreateOffer' })
export const createdOfferSchema = z
  .strictObject({ offer_id: hex(64), name, expires_at: count.describe('Unix seconds.') })
  .meta({ id: 'CreatedOffer' })
export const offerSchema = z.strictObject({ offer: eventSchema, status: z.enum(OFFER_STATUSES) }).meta({ id: 'Offer' })
export const revokedSchema = z.strictObject({ offer_id: hex(64), status: z.literal('revoked') }).meta({ id: 'Revoked' })
export const transferBody = z
  .looseObject({
    offer_id: hex(64),
    proof: z
      .looseObject({
        amount: z.string().describe('Nanogrin, decimal.'),
        excess: hex(66),
        recipient_address: z.string(),
        recipient_sig: hex(128),
        sender_address: z.string(),
        sender_sig: hex(128),
      })
      .describe('The payment proof as a Grin wallet exports it.'),
  })
  .meta({ id: 'TransferClaim' })
export const transferredSchema = z
  .strictObject({ name, nip05, pubkey: key.describe('The buyer.') })
  .meta({ id: 'Transferred' })

const ERRORS = {
  400: 'The request is not usable.',
  401: 'The NIP-98 event proves nothing for this request, or another key than needed.',
  403: 'Not with this name, or not with this key.',
  404: 'There is no such thing.',
  409: 'Not possible in the state it is in.',
  410: 'The offer is over.',
  413: 'The body is larger than 16 KiB.',
  429: 'Too many requests, or a name was changed a moment ago; see Retry-After.',
  500: 'The database failed.',
  503: 'The invoicing service cannot be asked now.',
} as const

/** The error responses with these statuses. */
export const failing = errorResponses(ERRORS, authorityErrorSchema, { 429: { 'Retry-After': 'Seconds to wait.' } })

export const created = (description: string, schema: z.ZodType): Responses => ({ 201: { description, schema } })

export const paymentDue: Responses = { 402: { description: 'The invoice to pay first.', schema: paymentDueSchema } }
export const conflict: Responses = { 409: { description: ERRORS[409], schema: heldSchema } }

export { z } from 'zod'
export { ok } from '../../http/index.js'
