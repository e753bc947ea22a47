// Estimates what a statement costs, to decide which thread runs it. Measured with a million events on Node 20.
import { type QueryPlan, searchesOf } from '../query/plan.js'

/** Microseconds per range, by table. Ids are looked up, not searched. */
const SEARCH_US: Readonly<Record<QueryPlan['by'], number>> = { id: 0, tag: 3, author: 3, kind: 3, time: 3 }

/**
 * A hand-over costs the main thread 15 µs and both threads 60 µs, more on a busy machine. Rows do not count: to copy texts between threads costs
 * what reading them would save. Measured: 60 searches (profiles) and the newest 500 events relieved the main thread by a quarter to a half, but
 * took up to 40 % more of the processor; 200 searches (a feed) relieved it by 60 % and took no more.
 */
const DEAR_US = 300
/** Below this many events every statement is short. */
export const MANY_EVENTS = 5000

/** Estimated microseconds to search all ranges of a plan. */
export const costOf = (plan: QueryPlan): number => searchesOf(plan) * SEARCH_US[plan.by]

export const isDear = (plan: QueryPlan): boolean => costOf(plan) >= DEAR_US
