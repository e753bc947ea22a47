// What is taken over from the till before this one, and what is needed for it. Rows in, rows out: nothing is written here.
import type { Keychain } from '../../grin/keychain/index.js'
import type { AddressPrefix } from '../../grin/slatepack/index.js'
import type { Secret } from '../../lib/secret.js'
import type { TillSettings } from '../api.js'
import type { Delivery, Invoice, Payment, User } from '../model.js'
import type { LegacyRow } from './cells.js'

/** The tables of its database (specification: invoicing, 12), in the order in which they were written. */
export interface LegacyTill {
  readonly invoices: readonly LegacyRow[]
  readonly payments: readonly LegacyRow[]
  readonly users: readonly LegacyRow[]
  readonly endpubs: readonly LegacyRow[]
  readonly deliveries: readonly LegacyRow[]
}

export interface MovingParts {
  /** Of this till's wallet: it must be the old till's. */
  readonly keychain: Keychain
  readonly prefix: AddressPrefix
  /** grin1… of this wallet. */
  readonly address: string
  /** The till's Nostr secret, and its public half as 64 hex. */
  readonly identity: Secret<Uint8Array>
  readonly mainPubkey: string
  readonly settings: TillSettings
  /** Epoch milliseconds. */
  readonly now: number
}

/** A value of ours, and the row that it came from. */
export interface Moved<T> {
  readonly place: string
  readonly value: T
}

/** A user with the keys of all epochs. */
export interface MovedUser extends User {
  readonly keys: readonly Pick<User, 'epoch' | 'pubkey' | 'rotatedAt'>[]
}

/** One row that is not taken, and why. */
export interface RowRemark {
  readonly place: string
  readonly what: string
}

export interface TakeOver {
  readonly invoices: readonly Moved<Invoice>[]
  readonly payments: readonly Moved<Payment>[]
  readonly users: readonly Moved<MovedUser>[]
  readonly events: readonly Moved<Delivery>[]
  /** Finished business without a place here. */
  readonly leftOut: readonly RowRemark[]
  /** Any of these stops all of it. */
  readonly problems: readonly RowRemark[]
}
