// What the till needs beyond its database: the Grin chain, prices, and a way to send webhooks.

export interface Tip {
  readonly height: number
  readonly hash: string
  /** In its header, epoch milliseconds; where the node tells. */
  readonly time?: number | undefined
}

/** What one node says of one payment. */
export type Witness =
  | {
      /** Host and port. */
      readonly host: string
      readonly tip: number
      readonly kernelHeight: number | undefined
      readonly outputThere: boolean
    }
  /** It failed, lags or stands still. */
  | { readonly host: string; readonly failure: string }

/** The Grin chain through the best of the configured nodes. Rejects with `NODE_UNAVAILABLE` when none is usable. */
export interface Chain {
  tip(): Promise<Tip>
  /** Of the newest block that a node has shown, also one that is not usable, epoch milliseconds. As last seen, without asking. */
  newestBlockTime(): number | undefined
  /** Height of the block that holds the kernel, or undefined. Never searches below `minHeight`. */
  kernelHeight(excess: Uint8Array, minHeight: number): Promise<number | undefined>
  /** Which of these commitments are unspent outputs, as lower-case hex. */
  unspent(commitments: readonly Uint8Array[]): Promise<ReadonlySet<string>>
  /** What every node says that answers, also one that another's tip leaves far behind; one entry a host. Never rejects for what a node does. */
  witnesses(
    payment: { readonly excess: Uint8Array; readonly commitment: Uint8Array },
    minHeight: number,
  ): Promise<readonly Witness[]>
  /** Whether a node is left out only because another claims a tip far ahead of it: one of the two is wrong. */
  isDisputed(): boolean
  /** Excesses (hex) of kernels in the pools of at least so many nodes, 1 by default: the first usable one. A node that does not tell has none. */
  poolExcesses(nodes?: number): Promise<ReadonlySet<string>>
  /**
   * Hands a signed transaction (JSON as push_transaction takes it) to a node. A repeat of one that is there already counts as pushed.
   * `fluff`: broadcast to all peers at once, else by Dandelion. `refused` is the node's own text.
   */
  push(transaction: string, fluff: boolean): Promise<'pushed' | { readonly refused: string }>
}

/** Fiat per GRIN as decimal text, and when it was asked for (`at`, epoch milliseconds). */
interface Rate {
  readonly rate: string
  readonly source: string
  readonly at: number
}

export interface Rates {
  /** Rejects with `RATE_UNAVAILABLE` when there is no fresh and no allowed stale rate, with `RATE_DISPUTED` when sources contradict. */
  rate(currency: string): Promise<Rate>
  /** The one that `rate` would answer without asking a source over the network; undefined: there is none. Never rejects. */
  known(currency: string): Promise<Rate | undefined>
  /** What an operator must know of the prices, while it holds. */
  alarms(): readonly string[]
}

/** One webhook request; never throws for what the receiver does. */
export type SendWebhook = (request: {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutMs: number
}) => Promise<{ readonly httpStatus: number | null; readonly error: string | null; readonly answerHead: string }>
