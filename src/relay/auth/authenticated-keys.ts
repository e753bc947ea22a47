// The keys that one client has authenticated (NIP-42; specification: relay, 8).
import { eventText, GIFT_WRAP_KIND, kindAt, type NostrEvent, textHasTag } from '../../nostr/event/index.js'
import type { Filter } from '../../nostr/filter/index.js'
import type { ClientMessage } from '../connection/connection.js'
import type { Engine } from '../engine.js'
import { eventOf, idOf } from '../ingest/intake.js'
import type { EventOrigin, PendingEvent } from '../ingest/verify-queue.js'
import type { Outbox } from '../output/outbox.js'
import { newChallenge, refusalForAuth } from './auth-event.js'

/** The owner of the keys. */
export interface KeyHolder extends EventOrigin {
  readonly outbox: Outbox
}

const NO_KEYS: readonly string[] = []

export class AuthenticatedKeys {
  keys = NO_KEYS
  /** AUTH events in signature verification. */
  proving = 0
  private readonly engine: Engine
  private readonly holder: KeyHolder
  private sentChallenge = ''

  constructor(engine: Engine, holder: KeyHolder) {
    this.engine = engine
    this.holder = holder
  }

  /** Sends the challenge, the same one every time. */
  challenge(): void {
    if (!this.engine.settings.auth.enabled) return
    this.sentChallenge ||= newChallenge(this.engine.random)
    this.holder.outbox.json(['AUTH', this.sentChallenge])
  }

  /** Handles AUTH. The signature is checked last; `proven` answers. */
  prove([, value]: ClientMessage): void {
    const { settings, hosts, clock, verifyQueue } = this.engine
    if (!settings.auth.enabled) return void this.refuse(idOf(value), 'invalid: auth not enabled')
    const event = eventOf(value, settings.limits)
    if (typeof event === 'string') return void this.refuse(idOf(value), event)
    const receivedAt = Math.floor(clock.now() / 1000)
    const refusal =
      refusalForAuth(event, { challenge: this.sentChallenge, hosts, now: receivedAt }) ??
      this.refusalForKey(event.pubkey)
    if (refusal !== undefined) return void this.refuse(event.id, refusal)
    const text = eventText(event)
    if (!text) return void this.refuse(event.id, 'invalid: id is not that of the content')
    this.proving++
    verifyQueue.push({ origin: this.holder, text, purpose: 'auth', receivedAt })
  }

  proven({ text }: PendingEvent, genuine: boolean): void {
    const { id, pubkey } = text.event
    this.proving--
    if (!genuine) return void this.refuse(id, 'invalid: bad signature')
    if (!this.keys.includes(pubkey)) this.keys = [...this.keys, pubkey]
    this.holder.outbox.json(['OK', id, true, ''])
  }

  private refusalForKey(key: string): string | undefined {
    const { maxKeys } = this.engine.settings.limits
    const isOneTooMany = !this.keys.includes(key) && this.keys.length >= maxKeys
    return isOneTooMany ? 'invalid: too many keys on this connection' : undefined
  }

  private refuse(id: string, text: string): void {
    this.holder.outbox.json(['OK', id, false, text])
  }
}

// Read access to gift wraps where only their recipients may see them (specification: relay, 9).

/** True when the filters ask for gift wraps only: without an authenticated key such a request is refused. */
export const wantsOnlyWraps = (filters: readonly Filter[]): boolean =>
  filters.length > 0 && filters.every(({ kinds }) => kinds?.length === 1 && kinds[0] === GIFT_WRAP_KIND)

/** True when a client with these keys may see a new event. */
export const maySee = (event: NostrEvent, keys: readonly string[]): boolean =>
  event.kind !== GIFT_WRAP_KIND ||
  event.tags.some(([name, value]) => name === 'p' && value !== undefined && keys.includes(value))

/** The same check for stored events, by their text. It reads the keys late, so a key authenticated meanwhile counts. */
export const textsFor =
  (holder: { readonly keys: readonly string[] }) =>
  (text: Buffer): boolean =>
    kindAt(text, 0) !== GIFT_WRAP_KIND || holder.keys.some((key) => textHasTag(text, 'p', key))
