// The rows of the in-memory till store, and paging over them.
import type {
  Attempt,
  Delivery,
  Invoice,
  InvoiceSlate,
  Lease,
  Letter,
  Page,
  Payment,
  Push,
  User,
  WorkClaim,
} from '../../src/till/index.js'

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
  remove(id: string): void {
    this.#rows.delete(id)
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

/** The same upwards. */
export function ascendingPageOf<T>(rows: readonly Row<T>[], limit: number, cursor = '0'): Page<T> {
  const rest = rows.filter(({ seq }) => seq > Number(cursor))
  const shown = rest.slice(0, limit)
  return {
    items: shown.map(({ value }) => value),
    next: rest.length > shown.length ? String(shown.at(-1)?.seq) : null,
  }
}

export const isPayable = (invoice: Invoice, cutoff: number): boolean =>
  (invoice.status === 'open' || invoice.status === 'expired') &&
  invoice.paymentId === null &&
  (invoice.expiresAt === null || invoice.expiresAt > cutoff)

/** An index that stands in a payment or a slate is never handed out again. */
export function raiseKeyIndex({ counter }: Tables, used: number): void {
  counter.next = Math.max(counter.next, used + 1)
}

/** Which rows are handed out: by key, to whom and until when. */
function fakeLeases() {
  const held = new Map<string, { readonly by: string; readonly until: number }>()
  const isFree = (key: string, { now, leaseMs }: Lease) => {
    const { until } = held.get(key) ?? { until: now }
    return until <= now || until > now + 2 * leaseMs
  }
  return {
    held,
    hand: (key: string, { by, now, leaseMs }: Lease) => void held.set(key, { by, until: now + leaseMs }),
    isOthers: (key: string, by: string) => held.has(key) && held.get(key)?.by !== by,
    claim<T>(claim: WorkClaim, due: readonly T[], keyOf: (row: T) => string): T[] {
      const mine = due.filter((row) => isFree(keyOf(row), claim)).slice(0, claim.limit)
      for (const row of mine) held.set(keyOf(row), { by: claim.by, until: claim.now + claim.leaseMs })
      return mine
    },
  }
}
type FakeLeases = ReturnType<typeof fakeLeases>

export interface Tables {
  readonly counter: { next: number }
  readonly invoices: Table<Invoice>
  readonly payments: Table<Payment>
  readonly deliveries: Table<Delivery>
  readonly attempts: Map<string, Attempt[]>
  readonly users: Table<User>
  /** By pubkey, of every epoch. */
  readonly endpubs: Table<{ readonly pubkey: string; readonly userId: string; readonly epoch: number }>
  readonly keys: Map<string, { readonly digest: string; readonly invoiceId: string; readonly at: number }>
  /** By payment and kind. */
  readonly letters: Table<Letter>
  /** Id → when it was marked. */
  readonly seen: Map<string, number>
  readonly slates: Table<InvoiceSlate>
  /** By payment. */
  readonly pushes: Table<Push & { readonly nextPushAt: number | null }>
  readonly leases: Record<'delivery' | 'letter' | 'push' | 'check', FakeLeases>
}

export const emptyTables = (): Tables => ({
  counter: { next: 0 },
  invoices: new Table(),
  payments: new Table(),
  deliveries: new Table(),
  attempts: new Map(),
  users: new Table(),
  endpubs: new Table(),
  keys: new Map(),
  letters: new Table(),
  seen: new Map(),
  slates: new Table(),
  pushes: new Table(),
  leases: { delivery: fakeLeases(), letter: fakeLeases(), push: fakeLeases(), check: fakeLeases() },
})

/** Its time has come, or lies further ahead than any schedule goes. */
export const isDue = (at: number | null, now: number, longestWaitMs: number): boolean =>
  at !== null && (at <= now || at > now + longestWaitMs)
