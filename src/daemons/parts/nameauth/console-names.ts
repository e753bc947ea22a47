// The names of an authority for the console: the operator's verbs of src/authority/admin, which decide. Nothing here imports pages.
import {
  createNameAdmin,
  createReservedCheck,
  type NameAdmin,
  type NameView,
  type OfferView,
} from '../../../authority/admin/index.js'
import type { OperatorStore } from '../../../authority/index.js'
import type { NamesConfig } from '../../../config/index.js'
import type { Key, NameDesk, NameRow, NameSearch, OfferRow } from '../../../console/index.js'
import { parseGrin } from '../../../grin/amount/index.js'
import { hasCode } from '../../../lib/errors.js'

/** Where the names are. `edit` is for what changes something. */
export interface NameAccess {
  read<T>(work: (names: OpenNames) => Promise<T>): Promise<T>
  edit<T>(work: (names: OpenNames) => Promise<T>): Promise<T>
}

interface OpenNames {
  readonly admin: NameAdmin
  readonly domain: string
}

interface OwnNames {
  readonly store: OperatorStore
  readonly clock: { now(): number }
  readonly names: Pick<NamesConfig, 'domain' | 'nameMin' | 'nameMax' | 'reserved'>
}

/** Of the authority in this process. */
export function namesOf({ store, clock, names }: OwnNames): NameAccess {
  const { domain, nameMin, nameMax, reserved } = names
  const isReserved = createReservedCheck({ domain, extra: reserved })
  const open = { admin: createNameAdmin({ store, clock, bounds: { nameMin, nameMax }, isReserved }), domain }
  return { read: (work) => work(open), edit: (work) => work(open) }
}

/** Offers on the page of a name. */
const OFFERS = 10
/** Newest offers whose states are watched for open pages. */
const WATCHED = 50

export const createNameDesk = ({ read, edit }: NameAccess): NameDesk => ({
  domain: () => read(async ({ domain }) => domain),
  names: (search) => read(({ admin }) => findNames(admin, search)),
  name: (typed) =>
    read(async ({ admin }) => {
      const { name, state, why, record, reserved, look_alike, cooldown_until } = await admin.show(typed)
      const offers = await offersOf(admin, { name }, { limit: OFFERS })
      return {
        ...{ name, state, why, reserved, offers: offers.items },
        record: record && nameRow(record),
        lookAlike: look_alike && nameRow(look_alike),
        cooldownUntil: maybeTime(cooldown_until),
      }
    }),
  history: (name, page) =>
    read(async ({ admin }) => {
      const { items, next } = await admin.history({ name }, page)
      const changes = items.map(({ id, at, actor, action, reason, pubkey, npub }) => ({
        ...{ id, at: Date.parse(at), actor, action, reason },
        key: pubkey === null || npub === null ? null : { hex: pubkey, npub },
      }))
      return { items: changes, next }
    }),
  reserved: (page) =>
    read(async ({ admin }) => {
      const { items, next } = await admin.reserved(page)
      const rows = items.map(({ name, reason, created_at }) => ({ name, reason, createdAt: Date.parse(created_at) }))
      return { items: rows, next }
    }),
  offers: (status, page) => read(({ admin }) => offersOf(admin, { status }, page)),
  offer: (id) => read(({ admin }) => findOffer(admin, id)),
  changeMark: () => read(({ admin }) => markOf(admin)),
  reserve: ({ name, reason }) => edit(({ admin }) => admin.reserve(name, reason)),
  unreserve: ({ name, reason }) => edit(({ admin }) => admin.unreserve(name, reason)),
  suspend: ({ name, reason }, suspended) => edit(({ admin }) => admin.suspend(name, { reason, suspended })),
  evict: ({ name, reason }, from) => edit(({ admin }) => admin.evict(name, { reason, ...from })),
})

type Names = Awaited<ReturnType<NameDesk['names']>>

async function findNames(admin: NameAdmin, { text, choice, limit, cursor }: NameSearch): Promise<Names> {
  const query = isKey(text) ? { pubkey: text } : { prefix: text === '' ? undefined : text }
  const status = choice === 'all' ? undefined : STATUS[choice]
  const { items, next } = await admin.names({ ...query, status }, { limit, cursor })
  return { items: items.map(nameRow), next }
}

/** A suspended name has a holder too. */
const STATUS = { held: 'active', suspended: 'suspended', released: 'released' } as const

const isKey = (text: string): boolean => /^(?:npub1.{20,}|[0-9a-f]{64})$/.test(text)

async function offersOf(
  admin: NameAdmin,
  query: Parameters<NameAdmin['offers']>[0],
  page: Parameters<NameAdmin['offers']>[1],
): Promise<Awaited<ReturnType<NameDesk['offers']>>> {
  const { items, next } = await admin.offers(query, page)
  const rows: OfferRow[] = []
  for (const offer of items) rows.push(offerRow(offer, offer.status === 'consumed' ? await saleOf(admin, offer) : null))
  return { items: rows, next }
}

/** Every change of a name has an entry in the history; offers are seen by their states, as far as the first pages show them. */
async function markOf(admin: NameAdmin): Promise<string> {
  const { items: changes } = await admin.history({}, { limit: 1 })
  const { items: offers } = await admin.offers({}, { limit: WATCHED })
  return [changes[0]?.id ?? 0, ...offers.map(({ offer_id, status }) => `${offer_id.slice(0, 8)} ${status}`)].join()
}

const saleOf = async (admin: NameAdmin, { offer_id }: OfferView): Promise<OfferRow['sale']> =>
  (await findOffer(admin, offer_id))?.sale ?? null

async function findOffer(admin: NameAdmin, id: string): Promise<OfferRow | undefined> {
  try {
    const { sale, ...offer } = await admin.offer(id)
    return offerRow(
      offer,
      sale && {
        kernelExcess: sale.kernel_excess,
        kernelHeight: sale.kernel_height,
        claimedAt: Date.parse(sale.claimed_at),
      },
    )
  } catch (thrown) {
    if (hasCode(thrown, 'OFFER_UNKNOWN')) return undefined
    throw thrown
  }
}

const maybeTime = (text: string | null): number | null => (text === null ? null : Date.parse(text))

const keyOf = (hex: string, npub: string): Key => ({ hex, npub })

const nameRow = ({ name, status, pubkey, npub, created_at, released_at, suspended_at }: NameView): NameRow => ({
  name,
  state: status,
  holder: keyOf(pubkey, npub),
  since: Date.parse(created_at),
  releasedAt: maybeTime(released_at),
  suspendedAt: maybeTime(suspended_at),
})

const offerRow = (offer: OfferView, sale: OfferRow['sale']): OfferRow => ({
  id: offer.offer_id,
  name: offer.name,
  state: offer.status,
  seller: keyOf(offer.seller, offer.seller_npub),
  buyer: keyOf(offer.buyer, offer.buyer_npub),
  price: parseGrin(offer.price_grin),
  proofAddress: offer.proof_address,
  expiresAt: Date.parse(offer.expires_at),
  createdAt: Date.parse(offer.created_at),
  endHeight: offer.end_height,
  endedAt: offer.status === 'live' ? null : Date.parse(offer.state_changed_at),
  sale,
})
