// One connected client: its messages and what they are answered (specification: relay, 4).
import { type EventText, eventText } from '../nostr/event/index.js'
import { newChallenge, refusalForAuth } from './auth.js'
import { Budget } from './budget.js'
import type { Connection, Listener } from './connection.js'
import type { Engine } from './engine.js'
import { eventOf, idOf } from './event-form.js'
import { maySee } from './gate.js'
import { Lane } from './lanes.js'
import { type Message, messageOf } from './messages.js'
import { Reconciliations } from './negentropy/index.js'
import { createOutbox, type Outbox } from './output/index.js'
import type { Source } from './ports.js'
import { type Client, Reading } from './reading.js'
import type { Origin, Taken } from './taken.js'
import { countEvent, countMessage } from './tally.js'
import { Way } from './way.js'

/** Events of one connection that are not answered yet: with more it is not read until half of them are. */
const MOST_HELD = 256
const MOST_HELD_BYTES = 2_097_152
/** Messages of one connection in one turn of the event loop; then the others have theirs. */
const MOST_IN_A_TURN = 128
/** RFC 6455, 7.4. */
const POLICY_VIOLATION = 1008

const NO_KEYS: readonly string[] = []
const TOO_MANY_BAD = 'rate-limited: too many bad signatures'

export class Session implements Listener, Origin, Client {
  readonly source: Source
  readonly lane = new Lane()
  readonly outbox: Outbox
  keys = NO_KEYS
  private readonly engine: Engine
  private readonly connection: Connection
  private reading: Reading | undefined = undefined
  private reconciliations: Reconciliations | undefined = undefined
  private sentChallenge = ''
  private budget: Budget | undefined = undefined
  private inThisTurn = 0
  private isPaused = false
  private isEnding = false
  /** AUTH events whose signature is being checked. What comes meanwhile waits: it may need the key. */
  private proving = 0
  private postponed: { readonly data: Buffer; readonly isBinary: boolean }[] | undefined = undefined

  constructor(engine: Engine, connection: Connection) {
    this.engine = engine
    this.connection = connection
    this.source = { type: connection.address.includes(':') ? 'IP6' : 'IP4', info: connection.address }
    this.outbox = createOutbox(new Way(engine, connection))
    this.challenge()
  }

  take(data: Buffer, isBinary: boolean): void {
    if (this.isEnding) return
    this.engine.tally.bytesIn += data.length
    if (this.inThisTurn++ === 0) this.engine.busy(this)
    if (this.proving === 0) this.read(data, isBinary)
    else {
      this.postponed ??= []
      this.postponed.push({ data, isBinary })
    }
    this.pace()
  }

  drained(): void {
    this.outbox.drained()
  }

  gone(): void {
    this.isEnding = true
    this.postponed = undefined
    this.reading?.endAll()
    this.reconciliations?.endAll()
    this.outbox.close()
    this.engine.left(this)
  }

  /** The turn of the event loop in which it was busy is over. */
  turnEnded(): void {
    this.inThisTurn = 0
    this.pace()
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

  answered(taken: Taken, accepted: boolean, text: string): void {
    const { id, kind } = taken.text.event
    this.ok(id, accepted, text, kind)
    this.pace()
    if (!this.isEnding && this.engine.lanes.isSpent(this.lane)) this.giveUp()
  }

  proven(taken: Taken, genuine: boolean): void {
    const { id, pubkey } = taken.text.event
    this.proving--
    if (genuine && !this.keys.includes(pubkey)) this.keys = [...this.keys, pubkey]
    this.ok(id, genuine, genuine ? '' : 'invalid: bad signature')
    this.readPostponed()
    this.pace()
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
    if (!this.engine.settings.auth.enabled) return
    this.sentChallenge ||= newChallenge(this.engine.random)
    this.outbox.json(['AUTH', this.sentChallenge])
  }

  private read(data: Buffer, isBinary: boolean): void {
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
        return void this.prove(message)
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
    if (!this.mayPublish()) return void this.ok(idOf(value), false, 'rate-limited: too many events a minute')
    const refusal = this.engine.intake.offer(value, this)
    if (refusal) this.ok(refusal.id, refusal.accepted, refusal.text, refusal.kind)
  }

  private unsubscribe([, id]: Message): void {
    if (typeof id === 'string') this.reading?.end(id)
    else this.notice('invalid: CLOSE needs a subscription id')
  }

  /** NIP-42 (specification: relay, 8). */
  private prove([, value]: Message): void {
    const { settings, hosts, clock, lanes } = this.engine
    if (!settings.auth.enabled) return void this.ok(idOf(value), false, 'invalid: auth not enabled')
    const event = eventOf(value, settings.limits)
    if (typeof event === 'string') return void this.ok(idOf(value), false, event)
    const receivedAt = Math.floor(clock.now() / 1000)
    const refusal = refusalForAuth(event, { challenge: this.sentChallenge, hosts, now: receivedAt })
    if (refusal !== undefined) return void this.ok(event.id, false, refusal)
    if (!this.keys.includes(event.pubkey) && this.keys.length >= settings.limits.maxKeys)
      return void this.ok(event.id, false, 'invalid: too many keys on this connection')
    const text = eventText(event)
    if (!text) return void this.ok(event.id, false, 'invalid: id is not that of the content')
    this.proving++
    lanes.push({ origin: this, text, purpose: 'auth', receivedAt })
  }

  private readPostponed(): void {
    while (this.proving === 0 && !this.isEnding) {
      const next = this.postponed?.shift()
      if (!next) return
      this.read(next.data, next.isBinary)
    }
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

  /** `kind` is that of an event which was to be published. */
  private ok(id: string, accepted: boolean, text: string, kind?: number): void {
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

  /** Reads on, or does not, whichever is right now. */
  private pace(): void {
    if (this.isEnding || this.isPaused === this.hasEnough()) return
    this.isPaused = !this.isPaused
    if (this.isPaused) this.connection.pause()
    else this.connection.resume()
  }

  private hasEnough(): boolean {
    const part = this.isPaused ? 0.5 : 1
    const { held, heldBytes } = this.lane
    return (
      held >= MOST_HELD * part ||
      heldBytes >= MOST_HELD_BYTES * part ||
      this.inThisTurn >= MOST_IN_A_TURN ||
      this.proving > 0
    )
  }

  /** Whoever sends nothing but bad signatures has no more to say. */
  private giveUp(): void {
    this.isEnding = true
    for (const taken of this.engine.lanes.abandon(this.lane)) this.engine.intake.settle(taken, false, TOO_MANY_BAD)
    this.outbox.flush()
    this.connection.end(POLICY_VIOLATION, TOO_MANY_BAD)
  }
}
