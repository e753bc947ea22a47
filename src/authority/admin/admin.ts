// Everything the commands `name`, `offer` and `grant` and the console do, on a database that a running authority may be using.
import { pastedWord } from '../../lib/pasted-text.js'
import { formatNpub, parsePubkey } from '../../nostr/nip19/index.js'
import type { AuditEntry, Grant, NameRecord, Offer, ReservedName, Transfer } from '../model.js'
import { normaliseName } from '../names/rules.js'
import { adminChanges } from './changes.js'
import { grantUnknown, keyWithoutName, nameNotHeld, offerUnknown } from './errors.js'
import type { GrantFilter, HistoryFilter, NameFilter, OfferFilter, OperatorStore, Page } from './ports.js'
import { type AdminParts, type NameStatusView, nameStatusOf, nameStatusView } from './status.js'
import {
  type GrantView,
  grantView,
  historyView,
  type NameView,
  nameView,
  type OfferDetailView,
  offerView,
  reservedView,
  saleView,
} from './views.js'

/** One more than an error lists, so that the error can say that there are more. */
const MOST_IDS = 6

/** An offer, and its sale where there was one. */
export interface OfferWithSale {
  readonly offer: Offer
  readonly sale: Transfer | undefined
}

export type NameAdmin = ReturnType<typeof createNameAdmin>

/** Names and keys are raw user input. Lists throw BAD_CURSOR; verbs that take a key throw NOSTR_CODE_INVALID. */
export function createNameAdmin(parts: AdminParts) {
  const { store } = parts
  const lists = nameRows(store)
  const status = async (typed: string) =>
    nameStatusOf(parts, isKeyText(typed) ? await nameOfKey(store, parsePubkey(typed)) : typed)
  /** Undefined: there is none. */
  async function findOffer(id: string): Promise<OfferWithSale | undefined> {
    const offer = /^[0-9a-f]{64}$/i.test(id) ? await store.offer(id.toLowerCase()) : undefined
    return offer && { offer, sale: await store.transferOf(offer.id) }
  }
  return {
    ...adminChanges(parts),
    ...adminLists(lists),
    /** What the console reads: as stored. */
    rows: { ...lists, status, offer: findOffer },

    /** Of a name, or of the name that a key holds. Throws NAME_UNUSABLE, KEY_WITHOUT_NAME. */
    show: async (typed: string): Promise<NameStatusView> => nameStatusView(parts, await status(typed)),

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
      const found = await findOffer(id)
      if (!found) throw offerUnknown(id)
      const { offer, sale } = found
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

// Lists for the console and the commands, one page at a time; filters are raw user input.

interface PageRequest {
  readonly limit: number
  readonly cursor?: string | undefined
}

/** Throw BAD_CURSOR, NOSTR_CODE_INVALID. */
const nameRows = (store: OperatorStore) => ({
  names: ({ status, pubkey, prefix }: NameFilter, { limit, cursor }: PageRequest): Promise<Page<NameRecord>> =>
    store.listNames({ status, pubkey: keyIn(pubkey), prefix: nameIn(prefix) }, limit, cursor),
  reserved: ({ limit, cursor }: PageRequest): Promise<Page<ReservedName>> => store.listReserved(limit, cursor),
  offers: ({ status, name }: OfferFilter, { limit, cursor }: PageRequest): Promise<Page<Offer>> =>
    store.listOffers({ status, name: nameIn(name) }, limit, cursor),
  grants: ({ status, pubkey }: GrantFilter, { limit, cursor }: PageRequest): Promise<Page<Grant>> =>
    store.listGrants({ status, pubkey: keyIn(pubkey) }, limit, cursor),
  history: ({ name, pubkey }: HistoryFilter, { limit, cursor }: PageRequest): Promise<Page<AuditEntry>> =>
    store.history({ name: nameIn(name), pubkey: keyIn(pubkey) }, limit, cursor),
})

const keyIn = (typed: string | undefined) => (typed === undefined ? undefined : parsePubkey(typed))
const nameIn = (typed: string | undefined) => (typed === undefined ? undefined : normaliseName(typed))

/** `nameRows` as the documents of `--json`. */
const adminLists = (rows: ReturnType<typeof nameRows>) => ({
  names: async (query: NameFilter, page: PageRequest) => mapped(await rows.names(query, page), nameView),
  reserved: async (page: PageRequest) => mapped(await rows.reserved(page), reservedView),
  offers: async (query: OfferFilter, page: PageRequest) => mapped(await rows.offers(query, page), offerView),
  grants: async (query: GrantFilter, page: PageRequest) => mapped(await rows.grants(query, page), grantView),
  history: async (query: HistoryFilter, page: PageRequest) => mapped(await rows.history(query, page), historyView),
})

const mapped = <A, B>({ items, next }: Page<A>, view: (item: A) => B): Page<B> => ({ items: items.map(view), next })
