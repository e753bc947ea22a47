// The session of one client: dispatches its messages and sends the answers (specification: relay, 4).
import { type MessageBudget, openMessageBudget } from '../../lib/rate-limiter.js'
import type { EventText } from '../../nostr/event/index.js'
import { AuthenticatedKeys, maySee } from '../auth/authenticated-keys.js'
import { countEvent, countMessage } from '../counters.js'
import type { Engine } from '../engine.js'
import { type EventAnswer, idOf } from '../ingest/intake.js'
import { Backlog, type EventOrigin, type PendingEvent } from '../ingest/verify-queue.js'
import { Reconciliations } from '../negentropy/reconciliations.js'
import type { FrameWriter } from '../output/frame-writer.js'
import { createOutbox, type Outbox, type OutboxParts } from '../output/outbox.js'
import type { EventSource } from '../ports.js'
import { type Client, ReadRequests } from '../subscriptions/read-requests.js'
import {
  type ClientConnection,
  type ClientMessage,
  type ConnectionListener,
  parseClientMessage,
  type UnreadableMessage,
} from './connection.js'
import { InboundFlow, type MessageHandler, type ReceivedFrame } from './inbound-flow.js'

/** RFC 6455, 7.4. */
const POLICY_VIOLATION = 1008

const TOO_MANY = { accepted: false, text: 'rate-limited: too many events a minute' }
const TOO_MANY_BAD = 'rate-limited: too many bad signatures'

/** Receives messages from its connection. Events, subscriptions and reconciliations answer to it. */
export class ClientSession implements ConnectionListener, EventOrigin, Client, MessageHandler {
  readonly backlog = new Backlog()
  readonly outbox: Outbox
  private readonly engine: Engine
  private readonly connection: ClientConnection
  private readonly inboundFlow: InboundFlow
  private readonly authKeys: AuthenticatedKeys
  private readonly rateLimit: MessageBudget
  private readRequests: ReadRequests | undefined = undefined
  private reconciliations: Reconciliations | undefined = undefined

  constructor(engine: Engine, connection: ClientConnection) {
    this.engine = engine
    this.connection = connection
    this.outbox = createOutbox(new OutputSink(engine, connection))
    this.authKeys = new AuthenticatedKeys(engine, this)
    this.inboundFlow = new InboundFlow(engine, connection, this)
    this.rateLimit = openMessageBudget(engine.settings.limits.eventsPerMinute, engine.clock)
    this.challenge()
  }

  take(data: Buffer, isBinary: boolean): void {
    if (this.inboundFlow.isOver) return
    this.engine.counters.bytesIn += data.length
    this.inboundFlow.take({ data, isBinary })
  }

  drained(): void {
    this.outbox.drained()
  }

  disconnected(): void {
    this.inboundFlow.end()
    this.readRequests?.endAll()
    this.reconciliations?.endAll()
    this.outbox.close()
    this.engine.left(this)
  }

  /** Ignores further messages. Accepted events are still answered. */
  stopTaking(): void {
    this.inboundFlow.end()
  }

  /** Ends all subscriptions and reconciliations before the connection is closed. */
  sayGoodbye(): void {
    for (const id of [...(this.readRequests?.ids ?? [])]) this.closed(id, 'error: the relay is stopping')
    for (const id of [...(this.reconciliations?.ids ?? [])])
      this.reconciliations?.refuse(id, 'closed: the relay is stopping')
    this.outbox.flush()
  }

  footprint(): number {
    if (this.inboundFlow.isOver) return 0
    const asked = (this.readRequests?.footprint() ?? 0) + (this.reconciliations?.footprint() ?? 0)
    const read = this.engine.queries.heldBytes(this.outbox)
    return this.outbox.pending() + this.backlog.heldBytes + this.inboundFlow.postponedBytes + asked + read
  }

  heapBytes(): number {
    if (this.inboundFlow.isOver) return 0
    const asked = (this.readRequests?.footprint() ?? 0) + (this.reconciliations?.heapBytes() ?? 0)
    return this.outbox.heapBytes() + this.backlog.heldBytes + asked
  }

  drop(reason: string): void {
    this.inboundFlow.end()
    this.outbox.close()
    this.connection.drop(reason)
  }

  get source(): EventSource {
    const { address } = this.connection
    return { type: address.includes(':') ? 'IP6' : 'IP4', info: address }
  }

  /** Proven keys; 64 hex. */
  get keys(): readonly string[] {
    return this.authKeys.keys
  }

  get openFilters(): number {
    return (this.readRequests?.filters ?? 0) + (this.reconciliations?.filters ?? 0)
  }

  answered(pending: PendingEvent, accepted: boolean, text: string): void {
    const { id, kind } = pending.text.event
    this.ok({ id, accepted, text, kind })
    this.afterVerification()
  }

  proven(pending: PendingEvent, genuine: boolean): void {
    this.authKeys.proven(pending, genuine)
    this.afterVerification()
  }

  maySee({ event }: EventText): boolean {
    return !this.engine.settings.auth.giftWrapsToRecipient || maySee(event, this.keys)
  }

  notice(text: string): void {
    this.outbox.json(['NOTICE', text])
  }

  closed(id: string, text: string): void {
    this.readRequests?.end(id)
    this.outbox.json(['CLOSED', id, text])
  }

  challenge(): void {
    this.authKeys.challenge()
  }

  /** Messages after an AUTH may depend on its key. */
  get mustWait(): boolean {
    return this.authKeys.proving > 0
  }

  handle({ data, isBinary }: ReceivedFrame): void {
    const message = parseClientMessage(data, isBinary)
    if ('why' in message) return void this.refuseUnreadable(message)
    countMessage(this.engine.counters, message[0])
    switch (message[0]) {
      case 'EVENT':
        return void this.publish(message)
      case 'REQ':
        return void this.reader().subscribe(message)
      case 'CLOSE':
        return void this.unsubscribe(message)
      case 'COUNT':
        return void this.reader().count(message)
      case 'AUTH':
        return void this.authKeys.prove(message)
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

  private refuseUnreadable({ why, eventId: id }: UnreadableMessage): void {
    if (id === undefined) return void this.notice(why)
    countMessage(this.engine.counters, 'EVENT')
    this.ok({ id, ...(this.rateLimit.take() ? { accepted: false, text: why } : TOO_MANY) })
  }

  private publish([, value]: ClientMessage): void {
    const answer = this.rateLimit.take() ? this.engine.intake.offer(value, this) : { ...TOO_MANY, id: idOf(value) }
    if (answer) this.ok(answer)
  }

  private unsubscribe([, id]: ClientMessage): void {
    if (typeof id === 'string') this.readRequests?.end(id)
    else this.notice('invalid: CLOSE needs a subscription id')
  }

  private reader(): ReadRequests {
    this.readRequests ??= new ReadRequests(this.engine, this)
    return this.readRequests
  }

  /** The reconciliations of the client (NIP-77); undefined when switched off. */
  private reconciler(): Reconciliations | undefined {
    if (!this.engine.settings.negentropy.enabled) return void this.notice('invalid: negentropy is switched off')
    this.reconciliations ??= new Reconciliations(this.engine, this)
    return this.reconciliations
  }

  private ok({ id, accepted, text, kind }: EventAnswer): void {
    this.outbox.json(['OK', id, accepted, text])
    countEvent(this.engine.counters, kind, text)
    if (!accepted && text.startsWith('auth-required:')) this.challenge()
  }

  /** Called after each signature check. */
  private afterVerification(): void {
    if (!this.inboundFlow.isOver && this.engine.verifyQueue.isSpent(this.backlog)) this.endForBadSignatures()
    else this.inboundFlow.proceed()
  }

  /** Disconnects a client that sends too many bad signatures. */
  private endForBadSignatures(): void {
    this.inboundFlow.end()
    for (const pending of this.engine.verifyQueue.abandon(this.backlog))
      this.engine.intake.settle(pending, false, TOO_MANY_BAD)
    this.outbox.flush()
    this.connection.pause() // what it still sends is not even read
    this.connection.end(POLICY_VIOLATION, TOO_MANY_BAD)
  }
}

// Connects an outbox with its connection.

/** A class, because there may be ten thousand. */
class OutputSink implements OutboxParts {
  private readonly engine: Engine
  private readonly connection: ClientConnection

  constructor(engine: Engine, connection: ClientConnection) {
    this.engine = engine
    this.connection = connection
  }

  get frameWriter(): FrameWriter {
    return this.engine.frameWriter
  }

  get maxPendingBytes(): number {
    return this.engine.settings.limits.maxPendingBytes
  }

  write(frames: Buffer): boolean {
    this.engine.counters.bytesOut += frames.length
    return this.connection.write(frames)
  }

  pendingBytes(): number {
    return this.connection.pendingBytes()
  }

  grew(bytes: number): void {
    this.engine.memoryLimit.grew(bytes)
  }

  drop(reason: string): void {
    this.connection.drop(reason)
  }
}
