// How often one client may ask. Counts live in memory for one minute; the number of counted clients is bounded.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type AddressOf, clientKey } from './client-address.js'
import { rateLimited } from './errors.js'
import { createWindows, type Rate } from './sliding-windows.js'

export type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void

/** Requests per minute and client, and how many may run at once (specification: invoicing, 2.12). */
const BUCKETS = {
  api: { perMinute: 600, atOnce: Number.POSITIVE_INFINITY },
  pages: { perMinute: 120, atOnce: Number.POSITIVE_INFINITY },
  paste: { perMinute: 10, atOnce: 3 },
} as const
export type Bucket = keyof typeof BUCKETS
/** One onRequest hook per bucket. */
export type Limits = Readonly<Record<Bucket, Hook>>

const MINUTE = 60_000
const MAX_CLIENTS = 20_000
const free: Hook = (_request, _reply, done) => done()

export interface LimitParts {
  readonly clock: { monotonic(): number }
  readonly addressOf: AddressOf
  readonly enabled: boolean
}

/** The hooks answer 429 with Retry-After; switched off, they let everything pass. */
export function createLimits(parts: LimitParts): Limits {
  if (!parts.enabled) return { api: free, pages: free, paste: free }
  return { api: limit('api', parts), pages: limit('pages', parts), paste: limit('paste', parts) }
}

function limit(bucket: Bucket, { clock, addressOf }: LimitParts): Hook {
  const { perMinute, atOnce } = BUCKETS[bucket]
  const rate = createMinuteCount(clock)
  const running = new Map<string, number>()

  function refuse(reply: FastifyReply, seconds: number, done: (error: Error) => void): void {
    reply.header('retry-after', seconds).header('ratelimit-limit', perMinute)
    reply.header('ratelimit-remaining', 0).header('ratelimit-reset', seconds)
    done(rateLimited())
  }

  return (request, reply, done) => {
    const client = clientKey(addressOf(request.raw))
    const { count, secondsLeft } = rate.add(client)
    if (count > perMinute) return refuse(reply, secondsLeft, done)
    if (atOnce === Number.POSITIVE_INFINITY) return done()

    const now = (running.get(client) ?? 0) + 1
    if (now > atOnce) return refuse(reply, 1, done)
    running.set(client, now)
    reply.raw.once('close', () => {
      const left = (running.get(client) ?? 1) - 1
      if (left === 0) running.delete(client)
      else running.set(client, left)
    })
    done()
  }
}

/** Counts per key within the current minute. Beyond MAX_CLIENTS keys the oldest is forgotten: a flood of addresses must not use up what others may ask. */
function createMinuteCount(clock: { monotonic(): number }) {
  let minute = Number.NaN
  const counts = new Map<string, number>()
  return {
    add(client: string): { readonly count: number; readonly secondsLeft: number } {
      const now = clock.monotonic()
      const current = Math.floor(now / MINUTE)
      if (current !== minute) counts.clear()
      minute = current
      const count = (counts.get(client) ?? 0) + 1
      const [oldest] = counts.keys()
      if (count === 1 && counts.size >= MAX_CLIENTS && oldest !== undefined) counts.delete(oldest)
      counts.set(client, count)
      return { count, secondsLeft: Math.ceil(((current + 1) * MINUTE - now) / 1000) }
    },
  }
}

/** Makes a hook that refuses what is above the rate with an error of the caller's, and Retry-After. */
export type SlidingLimit = (rate: Rate, refusal: () => Error) => Hook

/** Every hook counts for itself: make one per bucket, and share it among the routes of the bucket. */
export const createSlidingLimit =
  ({ clock, addressOf, enabled }: LimitParts): SlidingLimit =>
  (rate, refusal) => {
    if (!enabled) return free
    const windows = createWindows({ ...rate, clock })
    return (request, reply, done) => {
      const seconds = windows.ask(clientKey(addressOf(request.raw)))
      if (seconds === 0) return done()
      reply.header('retry-after', seconds)
      done(refusal())
    }
  }
