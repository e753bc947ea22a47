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
  /** Processor of the three database nodes together. */
  readonly databaseMs: number
  /** Processor of the load generator, which is one thread. */
  readonly clientMs: number
}

export interface Prediction {
  readonly perSecond: number
  /** What ends it first. */
  readonly limit: 'turns' | 'event loops' | 'processors' | 'load generator'
}

export function predict(costs: RequestCosts, frontEnds: number, cores: number): Prediction {
  const { frontEndMs, loopMs, everywhereMs, turnMs, databaseMs, clientMs } = costs
  const bounds: readonly Prediction[] = [
    { limit: 'turns', perSecond: (frontEnds * 1000) / turnMs },
    // Each front end answers its part, and repeats all of it.
    { limit: 'event loops', perSecond: 1000 / (loopMs / frontEnds + everywhereMs) },
    {
      limit: 'processors',
      perSecond: (cores * 1000) / (frontEndMs + frontEnds * everywhereMs + databaseMs + clientMs),
    },
    { limit: 'load generator', perSecond: 1000 / clientMs },
  ]
  return bounds.reduce((least, bound) => (bound.perSecond < least.perSecond ? bound : least))
}
