// Reconciliations of one client with the stored events (NIP-77): NEG-OPEN, NEG-MSG, NEG-CLOSE, and the texts of NEG-ERR (specification: relay, 4).
import { bytesOfHex } from '../../lib/bytes.js'
import { messageOf } from '../../lib/errors.js'
import { type MessageBudget, openMessageBudget } from '../../lib/rate-limiter.js'
import type { Filter } from '../../nostr/filter/index.js'
import { textsFor, wantsOnlyWraps } from '../auth/authenticated-keys.js'
import { type ClientMessage, isSubscriptionId } from '../connection/connection.js'
import type { Engine } from '../engine.js'
import type { SetEntry, SetListing, SlicedWork } from '../ports.js'
import type { SlicedTask } from '../queries/query-scheduler.js'
import { filtersOf, hasSearch, refusalForMore } from '../queries/request-filters.js'
import type { Client } from '../subscriptions/read-requests.js'
import {
  type BudgetHolder,
  listedBytes,
  mostListed,
  type SetCost,
  setBytes,
  setHeapBytes,
} from './reconciliation-budget.js'
import { LEAST_FRAME_BYTES, openRound, type RoundParts } from './round.js'
import { createSetBuilder, type SyncSet } from './sync-set.js'
import { BadMessage } from './wire.js'

/** Answer size: in hex it fits into messages of 128 kB, which most clients accept. */
const FRAME_BYTES = 60_000
/** Bytes of a message beside its hex. */
const ENVELOPE_BYTES = 600

const PROTOCOL_ERROR = 'PROTOCOL-ERROR'
const TOO_MANY_RESULTS = 'blocked: too many query results'
const TOO_MANY_AT_ONCE = 'blocked: too many reconciliations at once'

const NO_FILTERS: readonly Filter[] = []

class Refusal extends Error {
  /** Further members of the NEG-ERR. */
  readonly more: readonly unknown[]

  constructor(text: string, ...more: readonly unknown[]) {
    super(text)
    this.more = more
  }
}

/** The state from NEG-OPEN to its end. */
interface Reconciliation extends BudgetHolder, SetCost {
  readonly id: string
  filters: readonly Filter[]
  messageBytes: number
  listing: SetListing | undefined
  set: SyncSet | undefined
}

interface Question {
  readonly id: string
  readonly filters: readonly Filter[]
  readonly message: Uint8Array
}

export class Reconciliations {
  private readonly engine: Engine
  private readonly client: Client
  private readonly open = new Map<string, Reconciliation>()
  private readonly frameBytes: number
  private readonly rateLimit: MessageBudget

  constructor(engine: Engine, client: Client) {
    this.engine = engine
    this.client = client
    this.rateLimit = openMessageBudget(engine.settings.limits.subscriptionsPerMinute, engine.clock)
    const hexBytes = Math.floor((engine.settings.limits.maxMessageBytes - ENVELOPE_BYTES) / 2)
    this.frameBytes = Math.max(LEAST_FRAME_BYTES, Math.min(FRAME_BYTES, hexBytes))
  }

  get ids(): Iterable<string> {
    return this.open.keys()
  }

  /** About their memory. */
  footprint(): number {
    let bytes = 0
    for (const one of this.open.values()) bytes += setBytes(one)
    return bytes
  }

  /** About their bytes in Node's heap. */
  heapBytes(): number {
    let bytes = 0
    for (const one of this.open.values()) bytes += setHeapBytes(one)
    return bytes
  }

  /** Filters of reconciliations whose set is not listed yet. */
  get filters(): number {
    let filters = 0
    for (const one of this.open.values()) filters += one.filters.length
    return filters
  }

  /** NEG-OPEN. Replaces a reconciliation with the same id. */
  begin(message: ClientMessage): void {
    const question = this.questionOf(message)
    if (!question) return
    const { id } = question
    this.end(id)
    if (this.open.size >= this.engine.settings.limits.maxSubscriptions) return void this.refuse(id, TOO_MANY_AT_ONCE)
    const evict = () => this.refuse(id, 'closed: you took too long to respond')
    const { filters, message: first } = question
    const one: Reconciliation = { id, filters, messageBytes: 0, listing: undefined, set: undefined, evict }
    this.open.set(id, one)
    this.engine.memoryLimit.grew(setBytes(one))
    this.start(one, first, this.openSet(one, first))
  }

  /** NEG-MSG. */
  goOn([, id, hex]: ClientMessage): void {
    if (!this.isName(id)) return void this.refuseName('NEG-MSG', id)
    const one = this.open.get(id)
    if (!one) return void this.refuse(id, 'closed: unknown subscription handle')
    const message = bytesOfHex(hex)
    if (!message || !one.set) return void this.refuse(id, PROTOCOL_ERROR)
    this.engine.reconciliationBudget.touch(one)
    this.start(one, message, answerTo({ set: one.set, frameBytes: this.frameBytes }, message))
  }

  /** NEG-CLOSE. */
  close([, id]: ClientMessage): void {
    if (this.isName(id)) this.end(id)
    else this.refuseName('NEG-CLOSE', id)
  }

  /** Called when the connection is closed; its tasks end with it. */
  endAll(): void {
    for (const one of this.open.values()) this.engine.reconciliationBudget.release(one)
    this.open.clear()
  }

  refuse(id: string, text: string, ...more: readonly unknown[]): void {
    this.end(id)
    this.client.outbox.json(['NEG-ERR', id, text, ...more])
  }

  private end(id: string): void {
    const one = this.open.get(id)
    if (!one) return
    this.open.delete(id)
    this.engine.reconciliationBudget.release(one)
    this.engine.queries.stop(this.client.outbox, keyOf(id))
  }

  private *openSet(one: Reconciliation, message: Uint8Array): Slices<Buffer> {
    const { reconciliationBudget } = this.engine
    while (!reconciliationBudget.mayList(one)) yield
    const entries = yield* this.listEntries(one)
    const set = yield* setOf(entries)
    if (!reconciliationBudget.reserve(one, set.size)) throw new Refusal(TOO_MANY_AT_ONCE)
    one.set = set
    one.listing = undefined
    one.filters = NO_FILTERS
    return yield* answerTo({ set, frameBytes: this.frameBytes }, message)
  }

  /** Lists as many entries as the connection may still hold, charged as they arrive. */
  private *listEntries(one: Reconciliation): Slices<readonly SetEntry[]> {
    const { reconciliationBudget, store, settings, memoryLimit } = this.engine
    const options = settings.auth.giftWrapsToRecipient ? { visible: textsFor(this.client) } : {}
    const most = this.mostListed(one)
    const listing = store.listSet(one.filters, most, options)
    one.listing = listing
    const slices = runSliced(listing)
    let charged = 0
    let next = slices.next()
    for (; !next.done; next = slices.next()) {
      memoryLimit.grew(listedBytes(listing.listed - charged))
      charged = listing.listed
      yield
      reconciliationBudget.mayList(one)
    }
    if (next.value !== 'too many') return next.value
    throw this.holdsOthersThan(one) && most < settings.negentropy.maxSyncEvents
      ? new Refusal(TOO_MANY_AT_ONCE)
      : new Refusal(TOO_MANY_RESULTS, most)
  }

  private mostListed(one: Reconciliation): number {
    const { limits, negentropy } = this.engine.settings
    return Math.min(negentropy.maxSyncEvents, mostListed(limits.maxClientBytes, this.footprint() - setBytes(one)))
  }

  private holdsOthersThan(one: Reconciliation): boolean {
    return [...this.open.values()].some((other) => other !== one)
  }

  /** `message` is retained until it is answered. */
  private start(one: Reconciliation, message: Uint8Array, slices: Slices<Buffer>): void {
    const { outbox } = this.client
    one.messageBytes = message.length
    this.engine.memoryLimit.grew(message.length)
    const task: SlicedTask = {
      step: () => {
        const { done, value } = slices.next()
        if (!done) return false
        one.messageBytes = 0
        outbox.json(['NEG-MSG', one.id, value.toString('hex')])
        return true
      },
      failed: (error) => this.failed(one.id, error),
    }
    this.engine.queries.start(outbox, keyOf(one.id), task)
  }

  private failed(id: string, error: unknown): void {
    if (error instanceof BadMessage) this.refuse(id, PROTOCOL_ERROR)
    else if (error instanceof Refusal) this.refuse(id, error.message, ...error.more)
    else {
      this.engine.log.error({ cause: messageOf(error) }, 'stored events cannot be read')
      this.refuse(id, 'error: could not read the stored events')
    }
  }

  /** Parses and checks a NEG-OPEN. Undefined: it was refused and answered. */
  private questionOf([, id, asked, hex]: ClientMessage): Question | undefined {
    const { client, engine } = this
    if (!this.isName(id)) return void this.refuseName('NEG-OPEN', id)
    if (!this.rateLimit.take()) return void this.refuse(id, 'rate-limited: too many subscriptions a minute')
    // Like strfry, accepts a list of filters.
    const list: readonly unknown[] = Array.isArray(asked) ? asked : [asked]
    const busy = this.refusalFor(id, list.length)
    if (busy !== undefined) return void this.refuse(id, busy)
    const filters = filtersOf(list, engine.settings)
    if (typeof filters === 'string') return void this.refuse(id, `invalid: ${filters}`)
    if (hasSearch(filters)) return void this.refuse(id, 'unsupported: a search cannot be reconciled')
    const message = bytesOfHex(hex)
    if (!message) return void this.refuse(id, PROTOCOL_ERROR)
    if (!engine.settings.auth.giftWrapsToRecipient || client.keys.length > 0 || !wantsOnlyWraps(filters))
      return { id, filters, message }
    client.challenge()
    return void this.refuse(id, 'auth-required: gift wraps are shown to their recipients')
  }

  private refusalFor(id: string, asked: number): string | undefined {
    const { heap, settings } = this.engine
    const replaced = this.open.get(id)?.filters.length ?? 0
    return refusalForMore({ heap, limits: settings.limits, open: this.client.openFilters - replaced, asked })
  }

  /** A client waits for an answer that names its id. */
  private refuseName(verb: string, id: unknown): void {
    const most = this.engine.settings.limits.maxSubscriptionIdLength
    if (typeof id !== 'string' || id === '') this.client.notice(`invalid: ${verb} needs a subscription id`)
    else this.client.outbox.json(['NEG-ERR', id, `invalid: a subscription id has at most ${most} characters`])
  }

  private isName(id: unknown): id is string {
    return isSubscriptionId(id, this.engine.settings.limits.maxSubscriptionIdLength)
  }
}

/** Task keys of reconciliations. Longer than every subscription id, so the two never collide. */
const keyOf = (id: string): string => `NEG ${id}`.padEnd(256)

// Slices the long steps of a reconciliation into a few hundred microseconds; each `yield` returns to the scheduler.

/** Returns its answer at the end. */
type Slices<T> = Generator<undefined, T>

/** Entries, or ranges, per slice. */
const ENTRIES = 512
const RANGES = 8

/** Runs sliced work of the store. */
function* runSliced<T>(work: SlicedWork<T>): Slices<T> {
  for (;;) {
    const value = work.step()
    if (value !== undefined) return value
    yield
  }
}

/** Builds the set from listed entries, in the order of the protocol. */
function* setOf(entries: readonly SetEntry[]): Slices<SyncSet> {
  const builder = createSetBuilder(entries.length)
  for (const [index, { created_at, id }] of entries.entries()) {
    builder.add(created_at, id)
    if (index % ENTRIES === ENTRIES - 1) yield
  }
  return builder.seal()
}

/** Computes the answer to a message of the initiator. May throw BadMessage in each slice. */
function* answerTo(parts: RoundParts, message: Uint8Array): Slices<Buffer> {
  const round = openRound(parts, message)
  while (!round.advance(RANGES)) yield
  return round.answer()
}
