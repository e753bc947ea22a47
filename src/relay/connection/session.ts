// One connected client: its messages and what they are answered (specification: relay, 4).
import { type MessageBudget, openMessageBudget } from '../../lib/token-bucket.js'
import type { EventText } from '../../nostr/event/index.js'
import { Keyring } from '../auth/authenticated-keys.js'
import { maySee } from '../auth/read-access.js'
import { countEvent, countMessage } from '../counters.js'
import type { Engine } from '../engine.js'
import { idOf } from '../ingest/event-form.js'
import type { Answer } from '../ingest/intake.js'
import { Lane, type Origin, type Taken } from '../ingest/pending-event.js'
import { Reconciliations } from '../negentropy/index.js'
import { createOutbox, type Outbox } from '../output/index.js'
import type { Source } from '../ports.js'
import { type Client, Reading } from '../subscriptions/read-requests.js'
import { type Message, messageOf } from './client-message.js'
import type { Connection, Listener } from './connection.js'
import { Inflow, type Recipient } from './inbound-flow.js'
import { Way } from './output-sink.js'
import type { Frame } from './read-throttle.js'

/** RFC 6455, 7.4. */
const POLICY_VIOLATION = 1008

const TOO_MANY = { accepted: false, text: 'rate-limited: too many events a minute' }
const TOO_MANY_BAD = 'rate-limited: too many bad signatures'

/** Takes messages from its connection, and is whom answers are told: the connection's, an event's and a subscription's other end. */
export class Session implements Listener, Origin, Client, Recipient {
  readonly lane = new Lane()
  readonly outbox: Outbox
  private readonly engine: Engine
  private readonly connection: Connection
  private readonly inflow: Inflow
  private readonly keyring: Keyring
  private readonly budget: MessageBudget
  private reading: Reading | undefined = undefined
  private reconciliations: Reconciliations | undefined = undefined

  constructor(engine: Engine, connection: Connection) {
    this.engine = engine
    this.connection = connection
    this.outbox = createOutbox(new Way(engine, connection))
    this.keyring = new Keyring(engine, this)
    this.inflow = new Inflow(engine, connection, this)
    this.budget = openMessageBudget(engine.settings.limits.eventsPerMinute, engine.clock)
    this.challenge()
  }

  take(data: Buffer, isBinary: boolean): void {
    if (this.inflow.isOver) return
    this.engine.tally.bytesIn += data.length
    this.inflow.take({ data, isBinary })
  }

  drained(): void {
    this.outbox.drained()
  }

  gone(): void {
    this.inflow.end()
    this.reading?.endAll()
    this.reconciliations?.endAll()
    this.outbox.close()
    this.engine.left(this)
  }

  /** Takes nothing in any more; what was taken in is still answered. */
  stopTaking(): void {
    this.inflow.end()
  }

  /** The last words before the connection is closed. */
  sayGoodbye(): void {
    for (const id of [...(this.reading?.ids ?? [])]) this.closed(id, 'error: the relay is stopping')
    for (const id of [...(this.reconciliations?.ids ?? [])])
      this.reconciliations?.refuse(id, 'closed: the relay is stopping')
    this.outbox.flush()
  }

  footprint(): number {
    if (this.inflow.isOver) return 0
    const asked = (this.reading?.footprint() ?? 0) + (this.reconciliations?.footprint() ?? 0)
    return this.outbox.pending() + this.lane.heldBytes + this.inflow.postponedBytes + asked
  }

  heapBytes(): number {
    if (this.inflow.isOver) return 0
    const asked = (this.reading?.footprint() ?? 0) + (this.reconciliations?.heapBytes() ?? 0)
    return this.outbox.heapBytes() + this.lane.heldBytes + asked
  }

  drop(reason: string): void {
    this.inflow.end()
    this.outbox.close()
    this.connection.drop(reason)
  }

  get source(): Source {
    const { address } = this.connection
    return { type: address.includes(':') ? 'IP6' : 'IP4', info: address }
  }

  /** Proven keys; 64 hex. */
  get keys(): readonly string[] {
    return this.keyring.keys
  }

  get openFilters(): number {
    return (this.reading?.filters ?? 0) + (this.reconciliations?.filters ?? 0)
  }

  answered(taken: Taken, accepted: boolean, text: string): void {
    const { id, kind } = taken.text.event
    this.ok({ id, accepted, text, kind })
    this.judged()
  }

  proven(taken: Taken, genuine: boolean): void {
    this.keyring.proven(taken, genuine)
    this.judged()
  }

  maySee({ event }: EventText): boolean {
    return !this.engine.settings.auth.giftWrapsToRecipient || maySee(event, this.keys)
  }

  notice(text: string): void {
    this.outbox.json(['NOTICE', text])
  }

  closed(id: string, text: string): void {
    this.reading?.end(id)
    this.outbox.json(['CLOSED', id, text])
  }

  challenge(): void {
    this.keyring.challenge()
  }

  /** What follows an AUTH may need the key that it proves. */
  get mustWait(): boolean {
    return this.keyring.proving > 0
  }

  work({ data, isBinary }: Frame): void {
    const message = messageOf(data, isBinary)
    if (typeof message === 'string') return void this.notice(message)
    countMessage(this.engine.tally, message[0])
    switch (message[0]) {
      case 'EVENT':
        return void this.publish(message)
      case 'REQ':
        return void this.asker().subscribe(message)
      case 'CLOSE':
        return void this.unsubscribe(message)
      case 'COUNT':
        return void this.asker().count(message)
      case 'AUTH':
        return void this.keyring.prove(message)
      case 'NEG-OPEN':
        return void this.reconciler()?.begin(message)
      case 'NEG-MSG':
        return void this.reconciler()?.goOn(message)
      case 'NEG-CLOSE':
        return void this.reconciler()?.close(message)
      default:
        this.notice('invalid: unknown command')
    }
  }

  private publish([, value]: Message): void {
    const answer = this.budget.take() ? this.engine.intake.offer(value, this) : { ...TOO_MANY, id: idOf(value) }
    if (answer) this.ok(answer)
  }

  private unsubscribe([, id]: Message): void {
    if (typeof id === 'string') this.reading?.end(id)
    else this.notice('invalid: CLOSE needs a subscription id')
  }

  private asker(): Reading {
    this.reading ??= new Reading(this.engine, this)
    return this.reading
  }

  /** NIP-77; undefined where it is switched off. */
  private reconciler(): Reconciliations | undefined {
    if (!this.engine.settings.negentropy.enabled) return void this.notice('invalid: negentropy is switched off')
    this.reconciliations ??= new Reconciliations(this.engine, this)
    return this.reconciliations
  }

  private ok({ id, accepted, text, kind }: Answer): void {
    this.outbox.json(['OK', id, accepted, text])
    countEvent(this.engine.tally, kind, text)
    if (!accepted && text.startsWith('auth-required:')) this.challenge()
  }

  /** After one signature was checked. */
  private judged(): void {
    if (!this.inflow.isOver && this.engine.lanes.isSpent(this.lane)) this.giveUp()
    else this.inflow.goOn()
  }

  /** Whoever sends nothing but bad signatures has no more to say. */
  private giveUp(): void {
    this.inflow.end()
    for (const taken of this.engine.lanes.abandon(this.lane)) this.engine.intake.settle(taken, false, TOO_MANY_BAD)
    this.outbox.flush()
    this.connection.pause() // what it still sends is not even read
    this.connection.end(POLICY_VIOLATION, TOO_MANY_BAD)
  }
}
