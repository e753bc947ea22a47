// One connection to one relay, with what the doctor does on it: listen, wait for one event, publish, ask.
import type { Secret } from '../lib/secret.js'
import { GIFT_WRAP_KIND, type NostrEvent, parseEvent } from '../nostr/event/index.js'
import { authEvent, LOOK_BACK_S, openRelayClient } from '../nostr/relays/index.js'
import type { TillDoctorContext } from './check.js'

const DIAL_MS = 8000
export const ANSWER_MS = 8000
/** Some relays never say OK to an authentication. */
const AUTH_MS = 3000

/** What became of a subscription: it stands, was never answered, or was refused with these words. */
export type Heard = 'listening' | 'silent' | { readonly refused: string }

interface Arrival {
  readonly event: NostrEvent
  readonly at: number
}

export interface Talk {
  /** Whether the relay asked who we are, and whether it took the answer. */
  challenged(): boolean
  authenticated(): boolean
  /** Subscribes to gift wraps of one key. */
  listen(sub: string, pubkey: string): Promise<Heard>
  /** The event with this id and when it came (epoch ms), also when that was before; undefined when it does not come in time. */
  arrival(id: string, ms: number): Promise<Arrival | undefined>
  publish(event: NostrEvent): Promise<{ readonly accepted: boolean; readonly message: string }>
  ask(filter: Readonly<Record<string, unknown>>): Promise<readonly NostrEvent[]>
  close(): void
}

export interface TalkParts extends Pick<TillDoctorContext, 'clock' | 'random' | 'openSocket' | 'signal'> {
  readonly url: string
  /** Who we are when the relay asks. */
  readonly key: Secret<Uint8Array>
  /** Answer every challenge, as the till does; otherwise only when something is refused for want of it, as wallets do. */
  readonly eager: boolean
}

/** Rejects with an Error whose message says in one line why there is no connection. */
export async function openTalk(parts: TalkParts): Promise<Talk> {
  const { url, key, eager, clock, random, openSocket, signal } = parts
  const arrived = new Map<string, Arrival>()
  const waiting = new Map<string, () => void>()
  let challenged = false
  let waited: Promise<unknown> | undefined
  const client = await openRelayClient({
    url,
    timeoutMs: DIAL_MS,
    signal,
    openSocket,
    clock,
    eager,
    sign: (challenge) => authEvent({ relay: url, challenge, secret: key, now: clock.now(), random }),
    onAuth: () => {
      challenged = true
    },
  })
  client.start()

  function note(value: unknown): boolean {
    const event = parseEvent(value)
    if (event) arrived.set(event.id, { event, at: clock.now() })
    if (event) waiting.get(event.id)?.()
    return true
  }

  /** One REQ and its answer. */
  function subscribe(sub: string, pubkey: string): Promise<Heard> {
    const since = Math.floor(clock.now() / 1000) - LOOK_BACK_S
    const answered = new AbortController()
    return new Promise<Heard>((resolve) => {
      client.subs.open(sub, [{ kinds: [GIFT_WRAP_KIND], '#p': [pubkey], since, limit: 1 }], {
        event: note,
        eose: () => resolve('listening'),
        closed: (refused) => resolve({ refused }),
      })
      void clock.sleep(ANSWER_MS, answered.signal).then(() => resolve('silent'))
    }).finally(() => answered.abort())
  }

  return {
    challenged: () => challenged,
    authenticated: client.isAuthenticated,
    async listen(sub, pubkey) {
      const first = await subscribe(sub, pubkey)
      if (!challenged) return first
      // A relay that asks who reads may judge a subscription by what it knew when the REQ came.
      waited ??= client.authenticate(AUTH_MS)
      await waited
      // Under another name: some relays do not answer a REQ that they have already.
      return subscribe(`${sub}-again`, pubkey)
    },
    async arrival(id, ms) {
      const came = new AbortController()
      waiting.set(id, () => came.abort())
      if (!arrived.has(id)) await clock.sleep(ms, came.signal)
      waiting.delete(id)
      return arrived.get(id)
    },
    publish: (event) => client.publish(event, ANSWER_MS),
    ask: (filter) => client.ask(filter, ANSWER_MS),
    close: () => client.close('the examination is over'),
  }
}
