// Relays of payers: dialled when there is something to say, a bounded number of them, closed when idle.
import { messageOf } from '../../lib/errors.js'
import { createMinuteLimit } from '../../lib/rate-limiter.js'
import { authEvent } from '../auth/index.js'
import { freshSecret } from '../keys/index.js'
import type { OpenSocket, RelayClock, RelayRandom } from './ports.js'
import { openSession, type Session } from './session.js'

// Sockets to relays that a stranger named. All they have to say to us is OK, a challenge now and then, a notice; one that says more
// would cost us memory and arithmetic at its master's will, times the number of connections.
const MAX_FRAME_BYTES = 16_384
const MINUTE_FRAMES = 1200
const MINUTE_CHARS = 1024 * 1024

interface QuietSocketParts {
  readonly openSocket: OpenSocket
  readonly clock: Pick<RelayClock, 'monotonic'>
  /** It said too much; nothing more is heard of it. May be called again. */
  readonly onNoise: () => void
}

/** An opener whose sockets pass on short frames only, and few of them. */
export const quietSocket =
  ({ openSocket, clock, onNoise }: QuietSocketParts): OpenSocket =>
  (request, listener) => {
    const [frames, chars] = [createMinuteLimit(MINUTE_FRAMES, clock), createMinuteLimit(MINUTE_CHARS, clock)]
    const isTooMuch = (length: number): boolean => [frames(), chars(length)].some(Boolean)
    return openSocket(
      { ...request, maxFrameBytes: Math.min(request.maxFrameBytes, MAX_FRAME_BYTES) },
      { ...listener, frame: (text) => (isTooMuch(text.length) ? onNoise() : listener.frame(text)) },
    )
  }

const OPEN_MOST = 16
const WAITING_MOST = 500
const DIAL_MS = 6000
const IDLE_MS = 30_000
const FAULTS_MOST = 5

export interface ForeignParts {
  readonly openSocket: OpenSocket
  readonly clock: RelayClock
  readonly random: RelayRandom
  readonly onDefect: (thrown: unknown) => void
}

export interface ForeignRelays {
  /** Does something over a connection to this relay. Rejects with an Error whose message says why there is none. */
  use<T>(url: string, timeoutMs: number, act: (session: Session) => Promise<T>): Promise<T>
  tick(): void
  count(): number
  close(): void
}

interface Guest {
  readonly session: Promise<Session>
  open: Session | undefined
  /** Ends the attempt. */
  readonly dialling: AbortController
  users: number
  idleSince: number
}

/** Foreign relays only ever get to see a fresh key when they insist on authentication: it ties nothing to the till. */
export function createForeignRelays({ openSocket, clock, random, onDefect }: ForeignParts): ForeignRelays {
  const guests = new Map<string, Guest>()
  const waiting = new Set<() => void>()
  const life = new AbortController()

  function remove(url: string, guest: Guest, reason: string): void {
    if (guests.get(url) !== guest) return
    guests.delete(url)
    guest.dialling.abort()
    // Not politely: a relay that takes its time would be one more than allowed.
    guest.open?.terminate(reason)
    wakeOne()
  }

  function wakeOne(): void {
    const [next] = waiting
    if (!next) return
    waiting.delete(next)
    next()
  }

  function dial(url: string, timeoutMs: number): Guest {
    const dialling = new AbortController()
    let faults = 0
    const gone = (reason: string) => remove(url, guest, reason)
    const session = openSession({
      url,
      publicOnly: true,
      timeoutMs: Math.min(timeoutMs, DIAL_MS),
      signal: dialling.signal,
      openSocket: quietSocket({ openSocket, clock, onNoise: () => gone('it says too much') }),
      clock,
      sign: strangerFor(url, { clock, random }),
      eager: false,
      onAuth: () => undefined,
      onNotice: () => undefined,
      onClosed: gone,
      onFault: () => ++faults > FAULTS_MOST && gone('it misbehaves'),
      onDefect,
    })
    const guest: Guest = { session, open: undefined, dialling, users: 0, idleSince: clock.monotonic() }
    session.then(
      (open) => {
        // Ended in the moment in which it opened.
        if (dialling.signal.aborted) return open.terminate('closing')
        guest.open = open
        open.start()
      },
      (thrown) => gone(messageOf(thrown)),
    )
    guests.set(url, guest)
    return guest
  }

  const idle = () => [...guests].filter(([, { users }]) => users === 0)

  /** The connection to a relay, taken into use in the same step: nothing may come between looking for room and taking it. */
  function take(url: string, timeoutMs: number): Guest | undefined {
    const [longest] = idle().sort(([, a], [, b]) => a.idleSince - b.idleSince)
    if (!guests.has(url) && guests.size >= OPEN_MOST && longest)
      remove(...longest, 'another relay needs the connection')
    const guest = guests.get(url) ?? (guests.size < OPEN_MOST ? dial(url, timeoutMs) : undefined)
    if (guest) guest.users++
    return guest
  }

  async function guestAt(url: string, timeoutMs: number): Promise<Guest> {
    const until = clock.monotonic() + timeoutMs
    for (;;) {
      if (life.signal.aborted) throw new Error('closing')
      const guest = take(url, timeoutMs)
      if (guest) return guest
      const waitMs = until - clock.monotonic()
      if (waitMs <= 0 || waiting.size >= WAITING_MOST) throw new Error('too many other relays are in use')
      await roomWithin(waitMs)
    }
  }

  async function roomWithin(ms: number): Promise<void> {
    const timer = new AbortController()
    await new Promise<void>((resolve) => {
      waiting.add(resolve)
      void clock.sleep(ms, timer.signal).then(() => {
        waiting.delete(resolve)
        resolve()
      })
    })
    timer.abort()
  }

  function release(guest: Guest): void {
    guest.users--
    guest.idleSince = clock.monotonic()
    if (guest.users === 0) wakeOne()
  }

  return {
    async use(url, timeoutMs, act) {
      const guest = await guestAt(url, timeoutMs)
      try {
        return await act(await guest.session)
      } finally {
        release(guest)
      }
    },
    tick() {
      for (const [url, guest] of idle()) if (clock.monotonic() - guest.idleSince > IDLE_MS) remove(url, guest, 'idle')
      for (const { open } of guests.values()) open?.tick()
    },
    count: () => guests.size,
    close() {
      life.abort()
      for (const wake of waiting) wake()
      waiting.clear()
      for (const [url, guest] of guests) remove(url, guest, 'closing')
    },
  }
}

function strangerFor(url: string, { clock, random }: Pick<ForeignParts, 'clock' | 'random'>) {
  return (challenge: string) =>
    authEvent({ relay: url, challenge, secret: freshSecret(random), now: clock.now(), random })
}
