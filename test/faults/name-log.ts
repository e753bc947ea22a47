// What the clients, the payers and the operator of a name authority know: everything they sent, and the answers. The checker
// holds it against the database, so nothing here comes from the authority's own code.

/** One process from start to kill; its settings decide what its changes cost. */
export interface Life {
  readonly cooldownMs: number
  /** Whether it sells names. */
  readonly isPaid: boolean
}

/** One time that a request was sent. Times are epoch milliseconds. */
export interface Attempt {
  readonly life: Life
  readonly sentAt: number
  /** Infinity while it is under way; of one without an answer, when the connection was gone. */
  endedAt: number
  /** Undefined: no answer came. */
  status: number | undefined
  error: string | undefined
}

export type Verb = 'claim' | 'release' | 'lodge' | 'revoke' | 'buy'

/** What is sent each time. */
export interface Wire {
  readonly method: 'POST' | 'DELETE'
  readonly path: string
  readonly body: string | undefined
  readonly authorization: string
}

/** One signed request, however often it was sent. */
export interface Asked {
  /** Of the NIP-98 event. */
  readonly id: string
  /** Unix seconds, as signed. */
  readonly createdAt: number
  readonly verb: Verb
  readonly key: string
  readonly name: string
  readonly offer?: string
  readonly excess?: string
  readonly wire: Wire
  readonly attempts: Attempt[]
}

export type OrderVerb = 'assign' | 'evict' | 'release' | 'suspend' | 'resume' | 'reserve' | 'unreserve' | 'void-grant'

/** One command of the operator. */
export interface Order {
  readonly verb: OrderVerb
  /** Null for a grant. */
  readonly name: string | null
  readonly sentAt: number
  endedAt: number
  /** Undefined: killed, or under way. */
  outcome: 'done' | 'refused' | undefined
}

/** An invoice of the invoicing service. */
export interface Bill {
  readonly id: string
  readonly key: string
  status: 'open' | 'paid' | 'confirmed' | 'expired'
}

export interface NameLog {
  readonly maxAgeSeconds: number
  readonly asked: Asked[]
  readonly orders: Order[]
  readonly bills: Map<string, Bill>
  /** Payments on the chain: height by excess. */
  readonly kernels: Map<string, number>
}

export const emptyNameLog = (maxAgeSeconds: number): NameLog => ({
  maxAgeSeconds,
  asked: [],
  orders: [],
  bills: new Map(),
  kernels: new Map(),
})

/** What says that the request itself was not looked at. */
const UNHEARD = ['auth event replayed', 'auth event expired or post-dated', 'rate_limited']

/** An answer that follows only an accepted event; also when the invoicing service was away. */
export const isUsedUp = ({ status, error }: Attempt): boolean =>
  status !== undefined && status !== 500 && !UNHEARD.includes(error ?? '')

/** What became of it is not known: no answer, or one that says so. */
export const isOpen = ({ status }: Attempt): boolean => status === undefined || status === 500

const DONE: Readonly<Record<Verb, number>> = { claim: 201, release: 200, lodge: 201, revoke: 200, buy: 201 }

/** Whether the authority said that it changed something. */
export const isDone = (verb: Verb, { status }: Attempt): boolean => status === DONE[verb]
