// What one client reconciles with the stored events (NIP-77): NEG-OPEN, NEG-MSG, NEG-CLOSE, and the texts of NEG-ERR (specification: relay, 4).
import { bytesOfHex } from '../../lib/bytes.js'
import type { Filter } from '../../nostr/filter/index.js'
import { type Budget, openBudget } from '../budget.js'
import type { Engine } from '../engine.js'
import { filtersOf } from '../filters-of.js'
import { textsFor, wantsOnlyWraps } from '../gate.js'
import { isSubscriptionId, type Message } from '../messages.js'
import type { SlicedTask } from '../queries/index.js'
import type { Client } from '../reading.js'
import type { Tenant } from './room.js'
import { LEAST_FRAME_BYTES } from './round.js'
import { answerTo, type Slices, setOf, sliced } from './slices.js'
import type { SyncSet } from './sync-set.js'
import { BadMessage } from './wire.js'

/** In hex it is short enough for whoever takes messages of 128 kB, as most clients do. */
const FRAME_BYTES = 60_000
/** Of a message around its hex. */
const ENVELOPE_BYTES = 600

const PROTOCOL_ERROR = 'PROTOCOL-ERROR'
const TOO_MANY_RESULTS = 'blocked: too many query results'

class Refusal extends Error {}

/** One NEG-OPEN and what follows. */
interface Reconciliation extends Tenant {
  readonly id: string
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
  private readonly budget: Budget

  constructor(engine: Engine, client: Client) {
    this.engine = engine
    this.client = client
    this.budget = openBudget(engine.settings.limits.subscriptionsPerMinute, engine.clock)
    const room = Math.floor((engine.settings.limits.maxMessageBytes - ENVELOPE_BYTES) / 2)
    this.frameBytes = Math.max(LEAST_FRAME_BYTES, Math.min(FRAME_BYTES, room))
  }

  get ids(): Iterable<string> {
    return this.open.keys()
  }

  /** NEG-OPEN. One of the same name is ended first. */
  begin(message: Message): void {
    const question = this.questionOf(message)
    if (!question) return
    const { id } = question
    this.end(id)
    if (this.open.size >= this.engine.settings.limits.maxSubscriptions)
      return void this.refuse(id, 'blocked: too many reconciliations at once')
    const evict = () => this.refuse(id, 'closed: you took too long to respond')
    const one: Reconciliation = { id, set: undefined, evict }
    this.open.set(id, one)
    this.start(one, this.opened(one, question))
  }

  /** NEG-MSG. */
  goOn([, id, hex]: Message): void {
    if (!this.isName(id)) return void this.client.notice('invalid: NEG-MSG needs a subscription id')
    const one = this.open.get(id)
    if (!one) return void this.refuse(id, 'closed: unknown subscription handle')
    const message = bytesOfHex(hex)
    if (!message || !one.set) return void this.refuse(id, PROTOCOL_ERROR)
    this.engine.room.touch(one)
    this.start(one, answerTo({ set: one.set, frameBytes: this.frameBytes }, message))
  }

  /** NEG-CLOSE. */
  close([, id]: Message): void {
    if (this.isName(id)) this.end(id)
    else this.client.notice('invalid: NEG-CLOSE needs a subscription id')
  }

  /** The connection is gone; the tasks end with it. */
  endAll(): void {
    for (const one of this.open.values()) this.engine.room.leave(one)
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
    this.engine.room.leave(one)
    this.engine.queries.stop(this.client.outbox, keyOf(id))
  }

  private *opened(one: Reconciliation, { filters, message }: Question): Slices<Buffer> {
    const { room, store, settings } = this.engine
    while (!room.mayList(one)) yield
    const options = settings.auth.giftWrapsToRecipient ? { visible: textsFor(this.client) } : {}
    const listing = sliced(store.listSet(filters, settings.negentropy.maxSyncEvents, options))
    let listed = listing.next()
    for (; !listed.done; listed = listing.next()) {
      yield
      room.mayList(one)
    }
    if (listed.value === 'too many') throw new Refusal(TOO_MANY_RESULTS)
    const set = yield* setOf(listed.value)
    if (!room.enter(one, set.size)) throw new Refusal('blocked: too many reconciliations at once')
    one.set = set
    return yield* answerTo({ set, frameBytes: this.frameBytes }, message)
  }

  private start(one: Reconciliation, slices: Slices<Buffer>): void {
    const { outbox } = this.client
    const task: SlicedTask = {
      step: () => {
        const { done, value } = slices.next()
        if (done) outbox.json(['NEG-MSG', one.id, value.toString('hex')])
        return done === true
      },
      failed: (error) => this.failed(one.id, error),
    }
    this.engine.queries.start(outbox, keyOf(one.id), task)
  }

  private failed(id: string, error: unknown): void {
    const { maxSyncEvents } = this.engine.settings.negentropy
    if (error instanceof BadMessage) this.refuse(id, PROTOCOL_ERROR)
    else if (error instanceof Refusal)
      this.refuse(id, error.message, ...(error.message === TOO_MANY_RESULTS ? [maxSyncEvents] : []))
    else {
      this.engine.log.error({ cause: String(error) }, 'stored events cannot be read')
      this.refuse(id, 'error: could not read the stored events')
    }
  }

  /** Undefined: it was answered already. */
  private questionOf([, id, asked, hex]: Message): Question | undefined {
    const { client, engine } = this
    if (!this.isName(id)) return void client.notice('invalid: NEG-OPEN needs a subscription id')
    if (!this.budget.take()) return void this.refuse(id, 'rate-limited: too many subscriptions a minute')
    // A list of filters is what strfry takes too.
    const filters = filtersOf(Array.isArray(asked) ? asked : [asked], engine.settings.limits)
    if (typeof filters === 'string') return void this.refuse(id, `invalid: ${filters}`)
    const message = bytesOfHex(hex)
    if (!message) return void this.refuse(id, PROTOCOL_ERROR)
    if (!engine.settings.auth.giftWrapsToRecipient || client.keys.length > 0 || !wantsOnlyWraps(filters))
      return { id, filters, message }
    client.challenge()
    return void this.refuse(id, 'auth-required: gift wraps are shown to their recipients')
  }

  private isName(id: unknown): id is string {
    return isSubscriptionId(id, this.engine.settings.limits.maxSubscriptionIdLength)
  }
}

/** Apart from the keys of subscriptions, which are their names: none is that long. */
const keyOf = (id: string): string => `NEG ${id}`.padEnd(256)
