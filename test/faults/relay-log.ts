// What the clients of a relay know: everything they sent, and the replies. The checker holds it against the database and the relay's
// answers, so nothing here comes from the relay's own code.
import { type Signed, sha256 } from './relay-people.js'

/** What a client reads in an OK. */
export interface OkReply {
  readonly accepted: boolean
  readonly text: string
}

/** One time that an event was sent. Ticks of the log order what happened; what ended before another thing began happened before it. */
export interface Attempt {
  readonly sentAt: number
  /** Infinity while it is under way; without an answer, when its connection was known to be gone. */
  endedAt: number
  reply: OkReply | undefined
}

/** One event, however often it was sent; without its content, because there are many. */
export interface Sent extends Omit<Signed, 'content' | 'sig'> {
  /** Of the whole event. */
  readonly digest: string
  /** A relay that follows the rules takes it, whatever came before; deletions and newer versions aside. */
  readonly good: boolean
  readonly attempts: Attempt[]
}

/** What the operator had removed. */
interface Order {
  readonly takes: (event: Pick<Signed, 'pubkey' | 'created_at' | 'kind'>) => boolean
  readonly sentAt: number
  endedAt: number
  done: boolean
}

export interface RelayLog {
  readonly sent: Map<string, Sent>
  readonly orders: Order[]
  /** What went wrong under the clients' eyes. */
  readonly faults: string[]
  /** Events that may be sent again, the newest last. */
  readonly recent: Signed[]
  /** Ids that deletions name, whoever signed these. */
  readonly named: Set<string>
  tick(): number
  begin(event: Signed, good: boolean): Attempt
  order(takes: Order['takes']): Order
  /** The relay is dead: nothing is under way any more. */
  settle(): void
}

const RECENT = 1500
const DELETION = 5

/** The text that a relay has to keep: members in the order of NIP-01's id, without blanks. */
const digestOf = ({ id, pubkey, created_at, kind, tags, content, sig }: Signed): string =>
  sha256(JSON.stringify({ id, pubkey, created_at, kind, tags, content, sig })).toString('base64')

export function emptyRelayLog(): RelayLog {
  let ticks = 0
  const under = new Set<Attempt | Order>()
  const begun = <T extends Attempt | Order>(one: T): T => {
    under.add(one)
    return one
  }
  const log: RelayLog = {
    sent: new Map(),
    orders: [],
    faults: [],
    recent: [],
    named: new Set(),
    tick: () => ++ticks,
    begin(event, good) {
      const attempt = begun<Attempt>({ sentAt: log.tick(), endedAt: Number.POSITIVE_INFINITY, reply: undefined })
      const known = log.sent.get(event.id)
      if (known) known.attempts.push(attempt)
      else log.sent.set(event.id, noted(event, good, attempt))
      if (!known) log.recent.push(event)
      if (event.kind === DELETION) for (const [, value = ''] of event.tags) log.named.add(value)
      if (log.recent.length > 2 * RECENT) log.recent.splice(0, RECENT)
      return attempt
    },
    order(takes) {
      const order = begun<Order>({ takes, sentAt: log.tick(), endedAt: Number.POSITIVE_INFINITY, done: false })
      log.orders.push(order)
      return order
    },
    settle() {
      const at = log.tick()
      for (const one of under) one.endedAt = Math.min(one.endedAt, at)
      under.clear()
    },
  }
  return log
}

const noted = (event: Signed, good: boolean, attempt: Attempt): Sent => {
  const { id, pubkey, created_at, kind, tags } = event
  return { id, pubkey, created_at, kind, tags, digest: digestOf(event), good, attempts: [attempt] }
}

/** Every event that was acknowledged at some time, duplicates included. */
export const acknowledged = (log: RelayLog): readonly Sent[] =>
  [...log.sent.values()].filter(({ attempts }) => attempts.some(({ reply }) => reply?.accepted))
