// Relays of payers: dialled when there is something to say, a bounded number of them, closed when idle.
import { messageOf } from '../../lib/errors.js'
import { Secret } from '../../lib/secret.js'
import { authEvent } from '../auth/index.js'
import { isSecretKey } from '../keys/index.js'
import type { OpenSocket, RelayClock, RelayRandom } from './ports.js'
import { openSession, type Session } from './session.js'

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
  readonly end: (reason: string) => void
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
    guest.end(reason)
    const [next] = waiting
    if (next) waiting.delete(next)
    next?.()
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
      openSocket,
      clock,
      sign: strangerFor(url, { clock, random }),
      eager: false,
      onAuth: () => undefined,
      onNotice: () => undefined,
      onClosed: gone,
      onFault: () => ++faults > FAULTS_MOST && gone('it misbehaves'),
      onDefect,
    })
    const end = (reason: string) => {
      dialling.abort()
      session.then(
        (open) => open.close(reason),
        () => undefined,
      )
    }
    const guest: Guest = { session, end, users: 0, idleSince: clock.now() }
    session.then(
      (open) => open.start(),
      (thrown) => gone(messageOf(thrown)),
    )
    guests.set(url, guest)
    return guest
  }

  const idle = () => [...guests].filter(([, { users }]) => users === 0)

  /** Makes room for one more connection; false when there was none in time. */
  async function room(timeoutMs: number): Promise<boolean> {
    const [longest] = idle().sort(([, a], [, b]) => a.idleSince - b.idleSince)
    if (guests.size >= OPEN_MOST && longest) remove(...longest, 'idle')
    if (guests.size < OPEN_MOST) return true
    if (waiting.size >= WAITING_MOST) return false
    const timer = new AbortController()
    const freed = await new Promise<boolean>((resolve) => {
      const wake = () => resolve(true)
      waiting.add(wake)
      void clock.sleep(timeoutMs, timer.signal).then(() => {
        waiting.delete(wake)
        resolve(false)
      })
    })
    timer.abort()
    return freed && guests.size < OPEN_MOST
  }

  async function guestAt(url: string, timeoutMs: number): Promise<Guest> {
    const known = guests.get(url)
    if (known) return known
    if (!(await room(timeoutMs))) throw new Error('too many other relays are in use')
    if (life.signal.aborted) throw new Error('closing')
    return guests.get(url) ?? dial(url, timeoutMs)
  }

  function release(guest: Guest): void {
    guest.users--
    guest.idleSince = clock.now()
    const [next] = waiting
    if (guest.users > 0 || !next) return
    const entry = idle().find(([, other]) => other === guest)
    if (entry) remove(...entry, 'somebody else needs the room')
  }

  return {
    async use(url, timeoutMs, act) {
      const guest = await guestAt(url, timeoutMs)
      guest.users++
      try {
        return await act(await guest.session)
      } finally {
        release(guest)
      }
    },
    tick() {
      for (const [url, guest] of idle()) if (clock.now() - guest.idleSince > IDLE_MS) remove(url, guest, 'idle')
      for (const { session } of guests.values()) {
        session.then(
          (open) => open.tick(),
          () => undefined,
        )
      }
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
  return (challenge: string) => {
    const secret = random.bytes(32)
    if (!isSecretKey(secret)) return undefined
    return authEvent({ relay: url, challenge, secret: new Secret(secret), now: clock.now(), random })
  }
}
