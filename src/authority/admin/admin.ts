// Everything the commands `name`, `offer` and `grant` do, on a database that a running authority may be using.
import { pastedWord } from '../../lib/pasted-text.js'
import { formatNpub, parsePubkey } from '../../nostr/nip19/index.js'
import type { NameRecord } from '../model.js'
import { normaliseName } from '../names/index.js'
import { adminChanges } from './changes.js'
import { grantUnknown, keyWithoutName, nameNotHeld, offerUnknown } from './errors.js'
import type { GrantFilter, HistoryFilter, NameFilter, OfferFilter, OperatorStore, Page } from './ports.js'
import { type AdminParts, type NameStatusView, nameStatusOf } from './status.js'
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

/** One more than an error lists, so that the error can say that there are more. */
const MOST_IDS = 6

export type NameAdmin = ReturnType<typeof createNameAdmin>

/** Names and keys are raw user input. Lists throw BAD_CURSOR; verbs that take a key throw NOSTR_CODE_INVALID. */
export function createNameAdmin(parts: AdminParts) {
  const { store } = parts
  return {
    ...adminChanges(parts),
    ...adminLists(store),

    /** Of a name, or of the name that a key holds. Throws NAME_UNUSABLE, KEY_WITHOUT_NAME. */
    show: async (typed: string): Promise<NameStatusView> =>
      nameStatusOf(parts, isKeyText(typed) ? await nameOfKey(store, parsePubkey(typed)) : typed),

    /** The name as it is held now. Throws NAME_NOT_HELD. */
    async held(typed: string): Promise<NameView> {
      const name = normaliseName(typed)
      const row = await store.activeName(name)
      if (!row) throw nameNotHeld(name)
      return nameView({ ...row, releasedAt: null })
    },

    /** Ids that begin with the prefix (lower case), in order; at most MOST_IDS. */
    findIds: (kind: 'offer' | 'grant', prefix: string): Promise<readonly string[]> =>
      store.idsLike(kind, prefix, MOST_IDS),

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

/** No name is that long: 64 hex digits or an npub mean a key. */
const isKeyText = (typed: string): boolean => /^(?:npub1.{20,}|[0-9a-f]{64})$/i.test(pastedWord(typed))

async function nameOfKey(store: OperatorStore, pubkey: string): Promise<string> {
  const row = await store.nameOfKey(pubkey)
  if (!row) throw keyWithoutName(formatNpub(pubkey))
  return row.name
}

interface PageRequest {
  readonly limit: number
  readonly cursor?: string | undefined
}

/** Throw BAD_CURSOR, NOSTR_CODE_INVALID. */
const adminLists = (store: OperatorStore) => ({
  async names({ status, pubkey, prefix }: NameFilter, { limit, cursor }: PageRequest): Promise<Page<NameView>> {
    const filter = { status, pubkey: keyIn(pubkey), prefix: nameIn(prefix) }
    return mapped<NameRecord, NameView>(await store.listNames(filter, limit, cursor), nameView)
  },
  async reserved({ limit, cursor }: PageRequest): Promise<Page<ReservedView>> {
    return mapped(await store.listReserved(limit, cursor), reservedView)
  },
  async offers({ status, name }: OfferFilter, { limit, cursor }: PageRequest): Promise<Page<OfferView>> {
    return mapped(await store.listOffers({ status, name: nameIn(name) }, limit, cursor), offerView)
  },
  async grants({ status, pubkey }: GrantFilter, { limit, cursor }: PageRequest): Promise<Page<GrantView>> {
    return mapped(await store.listGrants({ status, pubkey: keyIn(pubkey) }, limit, cursor), grantView)
  },
  async history({ name, pubkey }: HistoryFilter, { limit, cursor }: PageRequest): Promise<Page<HistoryView>> {
    return mapped(await store.history({ name: nameIn(name), pubkey: keyIn(pubkey) }, limit, cursor), historyView)
  },
})

const keyIn = (typed: string | undefined) => (typed === undefined ? undefined : parsePubkey(typed))
const nameIn = (typed: string | undefined) => (typed === undefined ? undefined : normaliseName(typed))

const mapped = <A, B>({ items, next }: Page<A>, view: (item: A) => B): Page<B> => ({ items: items.map(view), next })
