// The operator's desk: everything the commands `name`, `offer` and `grant` do, on a database that the authority may be using.
import { formatNpub, parsePubkey } from '../../nostr/nip19/index.js'
import type { Grant, NameRecord, OfferStatus } from '../model.js'
import { normaliseName } from '../names/index.js'
import type { NameFilter, OperatorStore, Page } from '../ports.js'
import { deskChanges } from './changes.js'
import { grantUnknown, keyWithoutName, nameNotHeld, offerUnknown } from './errors.js'
import type { DeskParts } from './parts.js'
import { type StandingView, standingOf } from './standing.js'
import {
  type GrantView,
  grantView,
  type HistoryView,
  historyView,
  type NameView,
  nameView,
  type OfferDetailView,
  type OfferView,
  offerView,
  type ReservedView,
  reservedView,
  saleView,
} from './views.js'

/** Where a list goes on, and how far. */
export interface PageWish {
  readonly limit: number
  readonly cursor?: string | undefined
}

/** Filters as somebody typed them. */
export interface NameQuery {
  readonly status?: NameFilter['status'] | undefined
  readonly pubkey?: string | undefined
  readonly prefix?: string | undefined
}
export interface OfferQuery {
  readonly status?: OfferStatus | undefined
  readonly name?: string | undefined
}
export interface GrantQuery {
  readonly status?: Grant['status'] | undefined
  readonly pubkey?: string | undefined
}
export interface HistoryQuery {
  readonly name?: string | undefined
  readonly pubkey?: string | undefined
}

export type Desk = ReturnType<typeof createDesk>

/** Names and keys come as they were typed. Lists throw BAD_CURSOR, and everything that takes a key NOSTR_CODE_INVALID. */
export function createDesk(parts: DeskParts) {
  const { store } = parts
  return {
    ...deskChanges(parts),
    ...deskLists(store),

    /** Of a name, or of the name that a key holds. Throws NAME_UNUSABLE, KEY_WITHOUT_NAME. */
    show: async (typed: string): Promise<StandingView> =>
      standingOf(parts, isKeyText(typed) ? await nameOfKey(store, parsePubkey(typed)) : typed),

    /** The name as it is held now. Throws NAME_NOT_HELD. */
    async held(typed: string): Promise<NameView> {
      const name = normaliseName(typed)
      const row = await store.activeName(name)
      if (!row) throw nameNotHeld(name)
      return nameView({ ...row, releasedAt: null })
    },

    /** Throws OFFER_UNKNOWN. */
    async offer(id: string): Promise<OfferDetailView> {
      const offer = /^[0-9a-f]{64}$/i.test(id) ? await store.offer(id.toLowerCase()) : undefined
      if (!offer) throw offerUnknown(id)
      const sale = await store.transferOf(offer.id)
      return { ...offerView(offer), event: offer.event, sale: sale ? saleView(sale) : null }
    },

    /** Throws GRANT_UNKNOWN. */
    async grant(invoiceId: string): Promise<GrantView> {
      const grant = await store.grantOfInvoice(invoiceId)
      if (!grant) throw grantUnknown(invoiceId)
      return grantView(grant)
    },
  }
}

const deskLists = (store: OperatorStore) => ({
  async names({ status, pubkey, prefix }: NameQuery, { limit, cursor }: PageWish): Promise<Page<NameView>> {
    const filter = {
      ...(status && { status }),
      ...(pubkey !== undefined && { pubkey: parsePubkey(pubkey) }),
      ...(prefix !== undefined && { prefix: normaliseName(prefix) }),
    }
    return mapped<NameRecord, NameView>(await store.listNames(filter, limit, cursor), nameView)
  },
  async reserved({ limit, cursor }: PageWish): Promise<Page<ReservedView>> {
    return mapped(await store.listReserved(limit, cursor), reservedView)
  },
  async offers({ status, name }: OfferQuery, { limit, cursor }: PageWish): Promise<Page<OfferView>> {
    const filter = { ...(status && { status }), ...(name !== undefined && { name: normaliseName(name) }) }
    return mapped(await store.listOffers(filter, limit, cursor), offerView)
  },
  async grants({ status, pubkey }: GrantQuery, { limit, cursor }: PageWish): Promise<Page<GrantView>> {
    const filter = { ...(status && { status }), ...(pubkey !== undefined && { pubkey: parsePubkey(pubkey) }) }
    return mapped(await store.listGrants(filter, limit, cursor), grantView)
  },
  async history({ name, pubkey }: HistoryQuery, { limit, cursor }: PageWish): Promise<Page<HistoryView>> {
    const filter = {
      ...(name !== undefined && { name: normaliseName(name) }),
      ...(pubkey !== undefined && { pubkey: parsePubkey(pubkey) }),
    }
    return mapped(await store.history(filter, limit, cursor), historyView)
  },
})

const mapped = <A, B>({ items, next }: Page<A>, view: (item: A) => B): Page<B> => ({ items: items.map(view), next })

/** No name is that long: 64 hex digits or an npub are meant as a key. */
const isKeyText = (typed: string): boolean => /^(?:npub1.{20,}|[0-9a-f]{64})$/i.test(typed)

async function nameOfKey(store: OperatorStore, pubkey: string): Promise<string> {
  const row = await store.nameOfKey(pubkey)
  if (!row) throw keyWithoutName(formatNpub(pubkey))
  return row.name
}
