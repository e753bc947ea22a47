// Figures for Prometheus on a listener of their own. It is the first part to start, so that it also tells what keeps the others from
// being ready.
import type { Bind } from '../../config/index.js'
import { createApp, type MetricFamily, metricsRoutes } from '../../http/index.js'
import { openProcessFigures, type SystemClock, type SystemRandom } from '../../system/index.js'
import type { Part } from '../runtime.js'
import type { ReadProcess } from './metrics.js'
import { createWebPart } from './web.js'

export interface MetricsListenerParts {
  readonly bind: Bind
  /** Must not reject. */
  readonly collect: (process: ReadProcess) => Promise<readonly MetricFamily[]>
  readonly clock: SystemClock
  readonly random: SystemRandom
}

/** Listening throws ADDRESS_IN_USE. */
export async function createMetricsListener({ bind, collect, clock, random }: MetricsListenerParts): Promise<Part> {
  const figures = openProcessFigures()
  const app = createApp({ clock, random, rateLimits: false })
  await app.register(metricsRoutes, { collect: () => collect({ process: figures.read(), now: clock.now() }) })
  await app.ready()
  const web = createWebPart({ app, ...bind, name: 'metrics' })
  return {
    ...web,
    async stop() {
      await web.stop()
      figures.close()
    },
  }
}
