// The rows of the in-memory till store, and paging over them.
import type { Attempt, Delivery, Invoice, Page, Payment, User } from '../../src/till/index.js'

export interface Row<T> {
  readonly seq: number
  readonly value: T
}

/** Values in the order they came, found by id; a write replaces the whole value. */
class Table<T> {
  readonly #rows = new Map<string, Row<T>>()
  #next = 1
  insert(id: string, value: T): void {
    if (this.#rows.has(id)) throw new Error(`second row ${id}`)
    this.#rows.set(id, { seq: this.#next++, value })
  }
  get(id: string): T | undefined {
    return this.#rows.get(id)?.value
  }
  update(id: string, change: Partial<T>): void {
    const row = this.#rows.get(id)
    if (row) this.#rows.set(id, { ...row, value: { ...row.value, ...change } })
  }
  rows(): Row<T>[] {
    return [...this.#rows.values()]
  }
  all(): T[] {
    return this.rows().map(({ value }) => value)
  }
}

/** Newest first; the cursor is the last row shown, so new rows do not shift later pages. */
export function pageOf<T>(rows: readonly Row<T>[], limit: number, cursor?: string): Page<T> {
  const before = cursor === undefined ? Number.POSITIVE_INFINITY : Number(cursor)
  const rest = rows.filter(({ seq }) => seq < before).sort((a, b) => b.seq - a.seq)
  const shown = rest.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map(({ value }) => value),
    next: last && rest.length > shown.length ? String(last.seq) : null,
  }
}

export interface Tables {
  readonly invoices: Table<Invoice>
  readonly payments: Table<Payment>
  readonly deliveries: Table<Delivery>
  readonly attempts: Map<string, Attempt[]>
  readonly users: Table<User>
  /** pubkey → user id, of every epoch. */
  readonly endpubs: Map<string, string>
  readonly keys: Map<string, { readonly digest: string; readonly invoiceId: string; readonly at: number }>
}

export const emptyTables = (): Tables => ({
  invoices: new Table(),
  payments: new Table(),
  deliveries: new Table(),
  attempts: new Map(),
  users: new Table(),
  endpubs: new Map(),
  keys: new Map(),
})
