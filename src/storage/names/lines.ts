// Rows out of JSON lines, as `formatNameRow` prints them, or nearly so.
import { z } from 'zod'
import { ACTORS, AUDIT_ACTIONS, GRANT_STATUSES, OFFER_STATUSES, RESOURCES } from '../../authority/model.js'
import { messageOf } from '../../lib/errors.js'
import { membersOf, parseJson } from '../../lib/parse-json.js'
import { amountCell } from '../sqlite/columns.js'
import { snake } from './row-format.js'
import { type NameRow, ROW_KINDS, type RowKind, type RowKinds } from './row-kinds.js'
import { offerEventOf } from './tables.js'

const TIME_LIMIT = 8.64e15
const hexOf = (bytes: number) =>
  z.string().regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`), `not ${bytes * 2} lower-case hex`)
/** Epoch milliseconds, or the text that lists show. */
const time = z.union([
  z.int().min(0).max(TIME_LIMIT),
  z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
])
const maybeTime = time.nullable().default(null)
const count = z.int().min(0)
const nanogrin = z
  .string()
  .regex(/^(0|[1-9]\d{0,19})$/, 'not an amount in nanogrin')
  .transform((digits) => BigInt(digits))
  .refine((value) => value < 2n ** 64n, 'amount out of range')
  .transform((value) => amountCell.read(value))
const resource = z.enum(RESOURCES)
/** Ids and addresses go to terminals, paths and clients: what cannot be seen is none. */
const VISIBLE = /^[\x21-\x7e]*$/
const invoiceId = z.string().min(1).max(200).regex(VISIBLE, 'not an id')
const label = z.string().min(1).max(255)

/** The members of each kind, as they stand in a line. */
const SCHEMAS: { readonly [K in RowKind]: z.ZodType<RowKinds[K]> } = {
  name: z
    .object({ name: label, pubkey: hexOf(32), createdAt: time, releasedAt: maybeTime, suspendedAt: maybeTime })
    .refine((row) => row.releasedAt === null || row.suspendedAt === null, 'released and suspended'),
  reserved: z.object({ name: label, reason: z.string(), createdAt: time }),
  cooldown: z.object({ pubkey: hexOf(32), until: time }),
  grant: z
    .object({
      pubkey: hexOf(32),
      resource,
      serial: count,
      invoiceId,
      payUrl: z.string().max(2048).regex(VISIBLE, 'not an address'),
      amount: nanogrin,
      status: z.enum(GRANT_STATUSES),
      createdAt: time,
      paidAt: maybeTime,
    })
    .refine((row) => (row.status === 'paid') === (row.paidAt !== null), 'paid without a time, or the other way round'),
  'grant-serial': z.object({ pubkey: hexOf(32), resource, serial: count }),
  'past-grant': z.object({ invoiceId }),
  offer: z.object({
    id: hexOf(32),
    event: z.unknown().transform(offerEventOf),
    name: label,
    seller: hexOf(32),
    buyer: hexOf(32),
    price: nanogrin,
    proofAddress: z.string().min(1),
    expiration: z
      .int()
      .min(0)
      .max(TIME_LIMIT / 1000),
    status: z.enum(OFFER_STATUSES),
    endHeight: count.nullable(),
    stateChangedAt: time,
    createdAt: time,
  }),
  transfer: z.object({
    offerId: hexOf(32),
    name: label,
    seller: hexOf(32),
    buyer: hexOf(32),
    price: nanogrin,
    kernelExcess: hexOf(33),
    kernelHeight: count,
    claimedAt: time,
  }),
  history: z.object({
    id: count.default(0),
    at: time,
    actor: z.enum(ACTORS),
    action: z.enum(AUDIT_ACTIONS),
    name: label.nullable(),
    pubkey: hexOf(32).nullable(),
    reason: z.string().nullable(),
  }),
}

const camel = (member: string): string => member.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** A row, or what is wrong with it. A line without a kind is a name, as lists of names are. */
export function parseNameLine(line: string): NameRow | string {
  const document = parseJson(line)
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return 'not a JSON object'
  const { kind = 'name', ...rest } = membersOf(document)
  const known = ROW_KINDS.find((one) => one === kind)
  if (known === undefined) return `unknown kind of row: ${JSON.stringify(kind).slice(0, 40)}`
  return checkRow(known, Object.fromEntries(Object.entries(rest).map(([member, cell]) => [camel(member), cell])))
}

/** A row of members in their own names and types, amounts as decimal text; or what is wrong with it. */
export function checkRow<K extends RowKind>(kind: K, members: unknown): NameRow | string {
  try {
    const read = SCHEMAS[kind].safeParse(members)
    if (read.success) return { kind, value: read.data } as NameRow
    return read.error.issues
      .map(({ path, message }) => `${path.map(String).map(snake).join('.')}: ${message}`)
      .join('; ')
  } catch (error) {
    return messageOf(error)
  }
}
