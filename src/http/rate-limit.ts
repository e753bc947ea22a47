// How often one client may ask: the hooks that count requests per client and refuse with 429 and Retry-After.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientKey } from '../lib/ip-network.js'
import type { Clock } from '../lib/ports.js'
import { createFixedWindow, createSlidingWindow } from '../lib/rate-limiter.js'
import type { AddressOf } from './client-address.js'
import { rateLimited } from './errors.js'

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
/** Clients counted at once, by each limit. */
const MAX_CLIENTS = 20_000
const free: Hook = (_request, _reply, done) => done()

export interface LimitParts {
  readonly clock: Pick<Clock, 'monotonic'>
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
  const minute = createFixedWindow({ limit: perMinute, windowMs: MINUTE, maxKeys: MAX_CLIENTS }, clock)
  const running = new Map<string, number>()

  function refuse(reply: FastifyReply, seconds: number, done: (error: Error) => void): void {
    reply.header('retry-after', seconds).header('ratelimit-limit', perMinute)
    reply.header('ratelimit-remaining', 0).header('ratelimit-reset', seconds)
    done(rateLimited())
  }

  return (request, reply, done) => {
    const client = clientKey(addressOf(request.raw))
    const delayMs = minute.delayMs(client)
    if (delayMs > 0) return refuse(reply, Math.ceil(delayMs / 1000), done)
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

/** Requests per client in each stretch of `windowSeconds`. */
export interface Rate {
  readonly max: number
  readonly windowSeconds: number
}

/** Makes a hook that refuses what is above the rate with an error of the caller's, and Retry-After. */
export type SlidingLimit = (rate: Rate, refusal: () => Error) => Hook

/** Every hook counts for itself: make one per bucket, and share it among the routes of the bucket. */
export const createSlidingLimit =
  ({ clock, addressOf, enabled }: LimitParts): SlidingLimit =>
  ({ max, windowSeconds }, refusal) => {
    if (!enabled) return free
    const window = createSlidingWindow({ limit: max, windowMs: windowSeconds * 1000, maxKeys: MAX_CLIENTS }, clock)
    return (request, reply, done) => {
      const delayMs = window.delayMs(clientKey(addressOf(request.raw)))
      if (delayMs === 0) return done()
      reply.header('retry-after', Math.ceil(delayMs / 1000))
      done(refusal())
    }
  }
