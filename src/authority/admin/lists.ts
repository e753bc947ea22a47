// Lists for the console and the commands, one page at a time; filters are raw user input.
import { parsePubkey } from '../../nostr/nip19/index.js'
import type { AuditEntry, Grant, NameRecord, Offer, OfferStatus, ReservedName } from '../model.js'
import { normaliseName } from '../names/index.js'
import type { NameFilter, OperatorStore, Page } from './ports.js'
import { grantView, historyView, nameView, offerView, reservedView } from './views.js'

export interface PageRequest {
  readonly limit: number
  readonly cursor?: string | undefined
}

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

/** Throw BAD_CURSOR, NOSTR_CODE_INVALID. */
export const nameRows = (store: OperatorStore) => ({
  names({ status, pubkey, prefix }: NameQuery, { limit, cursor }: PageRequest): Promise<Page<NameRecord>> {
    const filter = {
      ...(status && { status }),
      ...(pubkey !== undefined && { pubkey: parsePubkey(pubkey) }),
      ...(prefix !== undefined && { prefix: normaliseName(prefix) }),
    }
    return store.listNames(filter, limit, cursor)
  },
  reserved: ({ limit, cursor }: PageRequest): Promise<Page<ReservedName>> => store.listReserved(limit, cursor),
  offers({ status, name }: OfferQuery, { limit, cursor }: PageRequest): Promise<Page<Offer>> {
    const filter = { ...(status && { status }), ...(name !== undefined && { name: normaliseName(name) }) }
    return store.listOffers(filter, limit, cursor)
  },
  grants({ status, pubkey }: GrantQuery, { limit, cursor }: PageRequest): Promise<Page<Grant>> {
    const filter = { ...(status && { status }), ...(pubkey !== undefined && { pubkey: parsePubkey(pubkey) }) }
    return store.listGrants(filter, limit, cursor)
  },
  history({ name, pubkey }: HistoryQuery, { limit, cursor }: PageRequest): Promise<Page<AuditEntry>> {
    const filter = {
      ...(name !== undefined && { name: normaliseName(name) }),
      ...(pubkey !== undefined && { pubkey: parsePubkey(pubkey) }),
    }
    return store.history(filter, limit, cursor)
  },
})

/** The same lists as the documents of `--json`. */
export const adminLists = (rows: ReturnType<typeof nameRows>) => ({
  names: async (query: NameQuery, page: PageRequest) => mapped(await rows.names(query, page), nameView),
  reserved: async (page: PageRequest) => mapped(await rows.reserved(page), reservedView),
  offers: async (query: OfferQuery, page: PageRequest) => mapped(await rows.offers(query, page), offerView),
  grants: async (query: GrantQuery, page: PageRequest) => mapped(await rows.grants(query, page), grantView),
  history: async (query: HistoryQuery, page: PageRequest) => mapped(await rows.history(query, page), historyView),
})

const mapped = <A, B>({ items, next }: Page<A>, view: (item: A) => B): Page<B> => ({ items: items.map(view), next })
