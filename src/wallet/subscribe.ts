// Subscriptions: events instead of polling by hand. A subscription holds one state, the last that its listener knows: what happens while
// the listener is busy becomes one set of events, so nothing piles up.
import { backoff } from '../lib/backoff.js'
import type { WebAbortSignal } from '../lib/web-types.js'
import { eventsBetween, type WalletEvent, type WalletEventType } from './events.js'
import type { WalletState } from './ledger.js'
import type { WalletNode } from './node/node.js'
import type { WalletParts } from './parts.js'
import type { RefreshOptions } from './verbs/refresh.js'

/** Hears one event after the other: the next when its promise resolves. What it throws surfaces by itself, and ends nothing. */
export type WalletListener = (event: WalletEvent) => unknown

/** Which events, and who asks for them. */
export interface SubscribeOptions {
  readonly listener: WalletListener
  /** Default: all. */
  readonly events?: readonly WalletEventType[]
  /** Asked again and again; without one, what others refresh is heard. */
  readonly node?: WalletNode
  /**
   * Milliseconds between two looks, 1,000 … 3,600,000; default 15,000 with a node. After failures up to ten times as long. Without a node and with a
   * number, the storage is looked at: for other processes whose storage has no signal.
   */
  readonly everyMs?: number
  /** Ends the subscription, as the returned function does. */
  readonly signal?: WebAbortSignal
}

const EVERY_MS = 15_000
const LEAST_EVERY_MS = 1000
const MOST_EVERY_MS = 3_600_000
const MOST_BACKOFF = 10
/** Subscriptions of one wallet at a time. */
const MOST_SUBSCRIPTIONS = 1000

type Refresh = (options: RefreshOptions) => Promise<unknown>

/** `subscribe` of one wallet. Throws RangeError for a time out of bounds, and for one subscription too many. */
export function createSubscribe(
  parts: WalletParts,
  refresh: Refresh,
): (to: WalletListener | SubscribeOptions) => () => void {
  let count = 0
  return (to) => {
    const options = typeof to === 'function' ? { listener: to } : to
    const { everyMs, signal } = options
    if (everyMs !== undefined && !(everyMs >= LEAST_EVERY_MS && everyMs <= MOST_EVERY_MS))
      throw new RangeError(`everyMs: ${everyMs}, ${LEAST_EVERY_MS} to ${MOST_EVERY_MS} are possible`)
    if (count >= MOST_SUBSCRIPTIONS) throw new RangeError(`subscriptions: at most ${MOST_SUBSCRIPTIONS} at a time`)
    if (signal?.aborted) return () => undefined
    count += 1
    const end = start(parts, refresh, options, () => {
      count -= 1
      signal?.removeEventListener('abort', end)
    })
    signal?.addEventListener('abort', end)
    return end
  }
}

function start(parts: WalletParts, refresh: Refresh, options: SubscribeOptions, ended: () => void): () => void {
  const { node, everyMs } = options
  const stop = new AbortController()
  const notifier = createNotifier(parts, options, stop.signal)
  const unwatch = parts.ledger.subscribe(() => void notifier.notify())
  // The first read is in the queue before every verb that is called from now on, so their changes become events.
  void notifier.notify()
  if (node || everyMs !== undefined) void poll(parts, { refresh, node, everyMs, notifier }, stop.signal)
  return () => {
    if (stop.signal.aborted) return
    stop.abort()
    unwatch()
    ended()
  }
}

interface Notifier {
  /** Calls the listener with what changed since the last call, and with this failure. */
  notify(failure?: { readonly error: unknown }): Promise<void>
}

function createNotifier(
  { ledger }: WalletParts,
  { listener, events }: SubscribeOptions,
  signal: WebAbortSignal,
): Notifier {
  let last: WalletState | undefined
  let failed: { readonly error: unknown } | undefined
  let isDue = false
  let running: Promise<void> | undefined

  async function deliver(event: WalletEvent): Promise<void> {
    if (signal.aborted || (events && !events.includes(event.type))) return
    try {
      await listener(event)
    } catch (thrown) {
      queueMicrotask(() => {
        throw thrown
      })
    }
  }

  async function step(): Promise<void> {
    const failure = failed
    failed = undefined
    if (failure) await deliver({ type: 'failed', error: failure.error })
    const state = await ledger.read()
    const happened = last ? eventsBetween(last, state) : []
    last = state
    for (const event of happened) await deliver(event)
  }

  async function run(): Promise<void> {
    while (isDue && !signal.aborted) {
      isDue = false
      await step().catch((error: unknown) => deliver({ type: 'failed', error }))
    }
  }

  return {
    notify(failure) {
      failed = failure ?? failed
      isDue = true
      running ??= run().finally(() => {
        running = undefined
      })
      return running
    },
  }
}

interface Polling {
  readonly refresh: Refresh
  readonly node: WalletNode | undefined
  readonly everyMs: number | undefined
  readonly notifier: Notifier
}

async function poll(
  { sleep }: WalletParts,
  { refresh, node, everyMs = EVERY_MS, notifier }: Polling,
  signal: WebAbortSignal,
): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    const failure = node ? await failureOf(refresh({ node, signal })) : undefined
    failures = failure ? failures + 1 : 0
    if (signal.aborted) return
    await notifier.notify(failure)
    await sleep(backoff(failures + 1, everyMs, failures === 0 ? everyMs : MOST_BACKOFF * everyMs), signal)
  }
}

const failureOf = (job: Promise<unknown>): Promise<{ readonly error: unknown } | undefined> =>
  job.then(
    () => undefined,
    (error: unknown) => ({ error }),
  )

/** Resolves after so many milliseconds, or when the signal ends it. */
export function sleepByTimer(ms: number, signal: WebAbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}
