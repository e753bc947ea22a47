// The database as the operator's commands use it, whether the authority is running or not.
import type {
  ActiveName,
  AuditEntry,
  Grant,
  NameRecord,
  NameShape,
  Offer,
  OfferStatus,
  ReservedName,
} from '../model.js'
import type { NameStore } from '../ports.js'

export interface Page<T> {
  readonly items: readonly T[]
  readonly next: string | null
}

export interface NameFilter {
  readonly status?: 'active' | 'released' | 'suspended' | undefined
  readonly pubkey?: string | undefined
  /** Names that begin with this. */
  readonly prefix?: string | undefined
}

export interface OfferFilter {
  readonly status?: OfferStatus | undefined
  readonly name?: string | undefined
}

export interface GrantFilter {
  readonly status?: Grant['status'] | undefined
  readonly pubkey?: string | undefined
}

/** Of one name, of one key, or of all. */
export interface HistoryFilter {
  readonly name?: string | undefined
  readonly pubkey?: string | undefined
}

interface OperatorChange {
  readonly reason: string
  readonly now: number
}

/** Each change writes its audit entry in the same transaction. */
export interface OperatorStore extends NameStore {
  nameRecord(name: string): Promise<NameRecord | undefined>
  listNames(filter: NameFilter, limit: number, cursor?: string): Promise<Page<NameRecord>>
  listReserved(limit: number, cursor?: string): Promise<Page<ReservedName>>
  listOffers(filter: OfferFilter, limit: number, cursor?: string): Promise<Page<Offer>>
  listGrants(filter: GrantFilter, limit: number, cursor?: string): Promise<Page<Grant>>
  /** Ids of offers, or invoice ids of grants, that begin with the prefix (lower-case hex), in order, at most `limit`. */
  idsLike(kind: 'offer' | 'grant', prefix: string, limit: number): Promise<readonly string[]>
  /** Newest first. */
  history(filter: HistoryFilter, limit: number, cursor?: string): Promise<Page<AuditEntry>>
  reserve(shape: NameShape, change: OperatorChange): Promise<'reserved' | 'exists'>
  unreserve(name: string, change: OperatorChange): Promise<'unreserved' | 'unknown'>
  /** Gives a name to a key: no cooldown, no price, reserved or not. `replace`: the key's old name is released. */
  assign(
    shape: NameShape,
    change: OperatorChange & { readonly pubkey: string; readonly replace: boolean },
  ): Promise<
    | { readonly outcome: 'assigned'; readonly released: string | null }
    | { readonly outcome: 'held' }
    | { readonly outcome: 'taken'; readonly by: ActiveName }
    | { readonly outcome: 'has-name'; readonly name: string }
  >
  /**
   * Takes a name from its holder. `reserve`: also reserves it. `action`: the word in the audit entry (default `evict`; `release` on
   * behalf of the holder). `holder`: only from this key, the one that the operator confirmed. Starts no cooldown.
   */
  evict(
    shape: NameShape,
    change: OperatorChange & {
      readonly reserve: boolean
      readonly action?: 'evict' | 'release'
      readonly holder?: string
    },
  ): Promise<
    { readonly outcome: 'evicted' | 'other-holder'; readonly pubkey: string } | { readonly outcome: 'unknown' }
  >
  suspend(
    name: string,
    change: OperatorChange & { readonly suspended: boolean },
  ): Promise<'changed' | 'same' | 'unknown'>
  voidGrant(invoiceId: string, change: OperatorChange): Promise<'voided' | 'unknown'>
}
