// What is taken over from the till before this one, and what is needed for it. Rows in, rows out: nothing is written here.
import type { Keychain } from '../../grin/keychain/index.js'
import type { AddressPrefix } from '../../grin/slatepack/index.js'
import type { Secret } from '../../lib/secret.js'
import type { TillSettings } from '../api.js'
import type { Delivery, Invoice, Payment, User } from '../model.js'

// Reads rows of a foreign database. Every value is checked; an error names the column of a value that does not fit.

type Cell = bigint | number | string | Uint8Array | null

/** A row with where it stood, as "invoice row 12". */
export interface LegacyRow {
  readonly place: string
  readonly cells: Readonly<Record<string, Cell>>
}

type Cells = LegacyRow['cells']

/** The row contradicts what a till may hold: nothing at all is taken over. */
export class RowProblem extends Error {}
/** The row is finished business that this till has no place for: the import skips it and reports it. */
export class RowLeftOut extends Error {}

const shown = (cell: Cell | undefined): string => JSON.stringify(String(cell ?? 'nothing').slice(0, 40))

export function textOrNull(cells: Cells, column: string): string | null {
  const cell = cells[column] ?? null
  if (cell === null || cell === '') return null
  if (typeof cell !== 'string') throw new RowProblem(`${column} is no text: ${shown(cell)}`)
  return cell
}

export function readText(cells: Cells, column: string, form: RegExp = /./s): string {
  const text = textOrNull(cells, column)
  // Secrets stand in such rows too: a value is shown only when it is not a token.
  if (text === null || !form.test(text))
    throw new RowProblem(`${column} cannot be used${column === 'token' ? '' : `: ${shown(text)}`}`)
  return text
}

/** Lower-case hex of so many characters. */
export const hexOf = (cells: Cells, column: string, characters: number): string =>
  readText(cells, column, new RegExp(`^[0-9a-f]{${characters}}$`))

export const hexOrNull = (cells: Cells, column: string, characters: number): string | null =>
  textOrNull(cells, column) === null ? null : hexOf(cells, column, characters)

/** One of a few words. */
export function readWord<W extends string>(cells: Cells, column: string, words: readonly W[]): W {
  const found = words.find((word) => word === cells[column])
  if (found === undefined) throw new RowProblem(`${column} is ${shown(cells[column])}, not one of ${words.join(', ')}`)
  return found
}

export function wholeOrNull(cells: Cells, column: string): bigint | null {
  const cell = cells[column] ?? null
  if (cell === null) return null
  if (typeof cell !== 'bigint') throw new RowProblem(`${column} is no whole number: ${shown(cell)}`)
  return cell
}

/** A count, a height or an epoch; nothing is 0. */
export function readCount(cells: Cells, column: string): number {
  const value = wholeOrNull(cells, column) ?? 0n
  if (value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER)) throw new RowProblem(`${column} is out of range: ${value}`)
  return Number(value)
}

/** Epoch milliseconds of a time as text. */
export function timeOrNull(cells: Cells, column: string): number | null {
  const text = textOrNull(cells, column)
  if (text === null) return null
  const at = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at)) throw new RowProblem(`${column} is no time: ${shown(text)}`)
  return at
}

export function readTime(cells: Cells, column: string): number {
  const at = timeOrNull(cells, column)
  if (at === null) throw new RowProblem(`${column} is missing`)
  return at
}

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
