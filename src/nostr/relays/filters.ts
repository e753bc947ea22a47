// Filters for requests to relays (specification: invoicing, 4.6). Pure.

import { GIFT_WRAP_KIND } from '../event/index.js'

export type RequestFilter = Readonly<Record<string, unknown>>

/** Seconds: wraps are backdated by up to two days; one more day for late ones. */
export const LOOK_BACK_S = 259_200
export const KEYS_PER_FILTER = 300
export const PAGE_LIMIT = 500

/** Live gift wraps of these keys. Back-fill fetches stored ones, so the limit is 1: some relays reject 0. */
export const liveFilters = (pubkeys: Iterable<string>, nowMs: number): RequestFilter[] =>
  chunks([...pubkeys], KEYS_PER_FILTER).map((keys) => ({
    kinds: [GIFT_WRAP_KIND],
    '#p': keys,
    since: seconds(nowMs) - LOOK_BACK_S,
    limit: 1,
  }))

/** One page of stored gift wraps, newest first, `until` included (epoch seconds). */
export const pageFilter = (pubkeys: readonly string[], since: number, until: number | undefined): RequestFilter => ({
  kinds: [GIFT_WRAP_KIND],
  '#p': pubkeys,
  since,
  ...(until === undefined ? {} : { until }),
  limit: PAGE_LIMIT,
})

export const seconds = (ms: number): number => Math.floor(ms / 1000)

function chunks<T>(items: readonly T[], size: number): T[][] {
  const out: T[][] = []
  for (let at = 0; at < items.length; at += size) out.push(items.slice(at, at + size))
  return out
}
