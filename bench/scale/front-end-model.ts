// How many requests a second so many front ends answer when they, the database and the load generator share the processors of one machine. Pure.

/** Of one request, in milliseconds. */
export interface RequestCosts {
  /** Processor of the front end that answers it. */
  readonly frontEndMs: number
  /** Of that, in the thread of its event loop. */
  readonly loopMs: number
  /** Processor of every front end, for what each of them repeats: a relay applies each event. 0 where nothing is repeated. */
  readonly everywhereMs: number
  /** By the clock: how long one request keeps all others of the same front end waiting. 0 where none waits. */
  readonly turnMs: number
  /** By the clock: how long a request waits for the database when nothing else happens. */
  readonly waitMs: number
  /** Processor of the three database nodes together. */
  readonly databaseMs: number
  /** Processor of the load generator, which is one thread. */
  readonly clientMs: number
}

export interface Machine {
  readonly frontEnds: number
  readonly cores: number
  /** Each sends its next request when it has its answer. */
  readonly clients: number
}

export interface Prediction {
  readonly perSecond: number
  /** What ends it first. */
  readonly limit: 'turns' | 'event loops' | 'processors' | 'load generator'
}

export function predict(costs: RequestCosts, { frontEnds, cores, clients }: Machine): Prediction {
  const { frontEndMs, loopMs, everywhereMs, turnMs, waitMs, databaseMs, clientMs } = costs
  const busy: readonly { readonly limit: Prediction['limit']; readonly ms: number }[] = [
    { limit: 'turns', ms: turnMs / frontEnds },
    // Each front end answers its part, and repeats all of it.
    { limit: 'event loops', ms: loopMs / frontEnds + everywhereMs },
    { limit: 'processors', ms: (frontEndMs + frontEnds * everywhereMs + databaseMs + clientMs) / cores },
    { limit: 'load generator', ms: clientMs },
  ]
  const { limit, ms } = busy.reduce((most, one) => (one.ms > most.ms ? one : most))
  // A client waits until its request's turn has come at the busiest place, and for the database.
  const waits = turnMs > 0 ? 0 : waitMs
  return { perSecond: (clients * 1000) / (clients * ms + waits), limit }
}
