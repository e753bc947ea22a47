// One connected client: its messages and what they are answered (specification: relay, 4).
import type { EventText } from '../nostr/event/index.js'
import { Budget } from './budget.js'
import type { Connection, Listener } from './connection.js'
import type { Engine } from './engine.js'
import { idOf } from './event-form.js'
import { maySee } from './gate.js'
import type { Refusal } from './intake.js'
import { Keyring } from './keyring.js'
import { Lane } from './lanes.js'
import type { LargeReader } from './large-line.js'
import { type Message, messageOf } from './messages.js'
import { Reconciliations } from './negentropy/index.js'
import { createOutbox, type Outbox } from './output/index.js'
import { type Frame, Pace } from './pace.js'
import type { Source } from './ports.js'
import { type Client, Reading } from './reading.js'
import type { Origin, Taken } from './taken.js'
import { countEvent, countMessage } from './tally.js'
import { Way } from './way.js'

/** RFC 6455, 7.4. */
const POLICY_VIOLATION = 1008

const TOO_MANY = { accepted: false, text: 'rate-limited: too many events a minute' }
const TOO_MANY_BAD = 'rate-limited: too many bad signatures'

export class Session implements Listener, Origin, Client, LargeReader {
  readonly lane = new Lane()
  readonly outbox: Outbox
  private readonly engine: Engine
  private readonly connection: Connection
  private readonly pace: Pace
  private readonly keyring: Keyring
  private reading: Reading | undefined = undefined
  private reconciliations: Reconciliations | undefined = undefined
  private budget: Budget | undefined = undefined
  private isEnding = false
  private isInLine = false

  constructor(engine: Engine, connection: Connection) {
    this.engine = engine
    this.connection = connection
    this.outbox = createOutbox(new Way(engine, connection))
    this.pace = new Pace(connection, this.lane)
    this.keyring = new Keyring(engine, this)
    this.challenge()
  }

  take(data: Buffer, isBinary: boolean): void {
    if (this.isEnding) return
    this.engine.tally.bytesIn += data.length
    this.pace.postpone({ data, isBinary })
    this.goOn()
  }

  drained(): void {
    this.outbox.drained()
  }

  gone(): void {
    this.isEnding = true
    this.pace.forget()
    this.reading?.endAll()
    this.reconciliations?.endAll()
    this.outbox.close()
    this.engine.left(this)
  }

  /** The turn of the event loop in which it was busy is over. */
  turnEnded(): void {
    this.pace.turnEnded()
    this.goOn()
  }

  /** Takes nothing in any more; what was taken in is still answered. */
  stopTaking(): void {
    this.isEnding = true
  }

  /** The last words before the connection is closed. */
  sayGoodbye(): void {
    for (const id of [...(this.reading?.ids ?? [])]) this.closed(id, 'error: the relay is stopping')
    for (const id of [...(this.reconciliations?.ids ?? [])])
      this.reconciliations?.refuse(id, 'closed: the relay is stopping')
    this.outbox.flush()
  }

  get subscriptions(): number {
    return this.reading?.size ?? 0
  }

  footprint(): number {
    if (this.isEnding) return 0
    return this.outbox.pending() + this.lane.heldBytes + this.pace.postponedBytes + (this.reading?.footprint() ?? 0)
  }

  drop(reason: string): void {
    this.isEnding = true
    this.pace.forget()
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

  private read({ data, isBinary }: Frame): void {
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
    const refusal = this.mayPublish() ? this.engine.intake.offer(value, this) : { ...TOO_MANY, id: idOf(value) }
    if (refusal) this.ok(refusal)
  }

  private unsubscribe([, id]: Message): void {
    if (typeof id === 'string') this.reading?.end(id)
    else this.notice('invalid: CLOSE needs a subscription id')
  }

  /** Works on what has come, as far as it is this connection's turn. What follows an AUTH waits for it: it may need the key. */
  private goOn(): void {
    while (this.mayRead && !this.pace.hasLargeNext && this.readNext());
    if (this.mayRead && this.pace.hasLargeNext) {
      this.isInLine = true
      this.engine.large.wait(this)
    }
    if (!this.isEnding) this.pace.adjust(this.keyring.proving > 0 || this.isInLine)
  }

  /** Its turn in the line of large messages. */
  readLarge(): void {
    this.isInLine = false
    if (this.mayRead) this.readNext()
    this.goOn()
  }

  private get mayRead(): boolean {
    return !this.isEnding && !this.isInLine && this.keyring.proving === 0 && this.pace.mayGoOn
  }

  /** False: there is none. */
  private readNext(): boolean {
    const frame = this.pace.next()
    if (!frame) return false
    if (this.pace.count(frame)) this.engine.busy(this)
    this.read(frame)
    return true
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

  private ok({ id, accepted, text, kind }: Refusal): void {
    this.outbox.json(['OK', id, accepted, text])
    countEvent(this.engine.tally, kind, text)
    if (!accepted && text.startsWith('auth-required:')) this.challenge()
  }

  private mayPublish(): boolean {
    const { eventsPerMinute } = this.engine.settings.limits
    if (eventsPerMinute === undefined) return true
    const now = this.engine.clock.now()
    this.budget ??= new Budget(eventsPerMinute, now)
    return this.budget.take(now)
  }

  /** After one signature was checked. */
  private judged(): void {
    if (!this.isEnding && this.engine.lanes.isSpent(this.lane)) this.giveUp()
    else this.goOn()
  }

  /** Whoever sends nothing but bad signatures has no more to say. */
  private giveUp(): void {
    this.isEnding = true
    this.pace.forget()
    for (const taken of this.engine.lanes.abandon(this.lane)) this.engine.intake.settle(taken, false, TOO_MANY_BAD)
    this.outbox.flush()
    this.connection.pause() // what it still sends is not even read
    this.connection.end(POLICY_VIOLATION, TOO_MANY_BAD)
  }
}
