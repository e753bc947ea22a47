// Lists for the commands, one page at a time; filters are raw user input.
import { parsePubkey } from '../../nostr/nip19/index.js'
import type { Grant, NameRecord, OfferStatus } from '../model.js'
import { normaliseName } from '../names/index.js'
import type { NameFilter, OperatorStore, Page } from './ports.js'
import {
  type GrantView,
  grantView,
  type HistoryView,
  historyView,
  type NameView,
  nameView,
  type OfferView,
  offerView,
  type ReservedView,
  reservedView,
} from './views.js'

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
export const adminLists = (store: OperatorStore) => ({
  async names({ status, pubkey, prefix }: NameQuery, { limit, cursor }: PageRequest): Promise<Page<NameView>> {
    const filter = {
      ...(status && { status }),
      ...(pubkey !== undefined && { pubkey: parsePubkey(pubkey) }),
      ...(prefix !== undefined && { prefix: normaliseName(prefix) }),
    }
    return mapped<NameRecord, NameView>(await store.listNames(filter, limit, cursor), nameView)
  },
  async reserved({ limit, cursor }: PageRequest): Promise<Page<ReservedView>> {
    return mapped(await store.listReserved(limit, cursor), reservedView)
  },
  async offers({ status, name }: OfferQuery, { limit, cursor }: PageRequest): Promise<Page<OfferView>> {
    const filter = { ...(status && { status }), ...(name !== undefined && { name: normaliseName(name) }) }
    return mapped(await store.listOffers(filter, limit, cursor), offerView)
  },
  async grants({ status, pubkey }: GrantQuery, { limit, cursor }: PageRequest): Promise<Page<GrantView>> {
    const filter = { ...(status && { status }), ...(pubkey !== undefined && { pubkey: parsePubkey(pubkey) }) }
    return mapped(await store.listGrants(filter, limit, cursor), grantView)
  },
  async history({ name, pubkey }: HistoryQuery, { limit, cursor }: PageRequest): Promise<Page<HistoryView>> {
    const filter = {
      ...(name !== undefined && { name: normaliseName(name) }),
      ...(pubkey !== undefined && { pubkey: parsePubkey(pubkey) }),
    }
    return mapped(await store.history(filter, limit, cursor), historyView)
  },
})

const mapped = <A, B>({ items, next }: Page<A>, view: (item: A) => B): Page<B> => ({ items: items.map(view), next })
