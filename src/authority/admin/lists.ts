// Lists for the console and the commands, one page at a time; filters are raw user input.
import { parsePubkey } from '../../nostr/nip19/index.js'
import type { AuditEntry, Grant, NameRecord, Offer, ReservedName } from '../model.js'
import { normaliseName } from '../names/index.js'
import type { GrantFilter, HistoryFilter, NameFilter, OfferFilter, OperatorStore, Page } from './ports.js'
import { grantView, historyView, nameView, offerView, reservedView } from './views.js'

export interface PageRequest {
  readonly limit: number
  readonly cursor?: string | undefined
}

/** Throw BAD_CURSOR, NOSTR_CODE_INVALID. */
export const nameRows = (store: OperatorStore) => ({
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
export const adminLists = (rows: ReturnType<typeof nameRows>) => ({
  names: async (query: NameFilter, page: PageRequest) => mapped(await rows.names(query, page), nameView),
  reserved: async (page: PageRequest) => mapped(await rows.reserved(page), reservedView),
  offers: async (query: OfferFilter, page: PageRequest) => mapped(await rows.offers(query, page), offerView),
  grants: async (query: GrantFilter, page: PageRequest) => mapped(await rows.grants(query, page), grantView),
  history: async (query: HistoryFilter, page: PageRequest) => mapped(await rows.history(query, page), historyView),
})

const mapped = <A, B>({ items, next }: Page<A>, view: (item: A) => B): Page<B> => ({ items: items.map(view), next })
