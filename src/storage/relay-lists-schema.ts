// What the file of an operator's lists must be.
import { z } from 'zod'
import { canonicalNetwork, isAddressOrNetwork } from '../lib/ip-network.js'
import type { Entries, OperatorLists } from '../relay/index.js'

const listed = z.strictObject({ reason: z.string().max(500).default(''), since: z.number().nonnegative().default(0) })
const entries = (key: z.ZodString) =>
  z
    .record(key, listed)
    .default({})
    .transform((record): Entries => new Map(Object.entries(record)))
/** A file of before, or written by hand, may spell an address in another way. */
const addresses = entries(z.string().refine(isAddressOrNetwork, 'must be an IP address or network')).transform(
  (listed): Entries => new Map([...listed].map(([entry, why]) => [canonicalNetwork(entry) ?? entry, why])),
)
const hex = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex digits')
const kind = z.string().regex(/^(?:0|[1-9]\d{0,4})$/, 'must be a kind')

/** Whatever is left out is empty: the file may be written by hand. */
export const listsSchema: z.ZodType<OperatorLists> = z.strictObject({
  bannedKeys: entries(hex),
  allowedKeys: entries(hex),
  bannedEvents: entries(hex),
  allowedKinds: entries(kind),
  bannedKinds: entries(kind),
  blockedAddresses: addresses,
  admins: entries(hex),
  info: z
    .strictObject({ name: z.string().optional(), description: z.string().optional(), icon: z.string().optional() })
    .default({}),
})
