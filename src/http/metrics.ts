// Metrics in the text format of Prometheus, version 0.0.4: a small writer instead of a library.
import type { FastifyPluginAsync } from 'fastify'

export interface MetricSample {
  readonly labels?: Readonly<Record<string, string>>
  /** Null: not known now; the sample is left out. */
  readonly value: number | bigint | boolean | null
}

export interface MetricFamily {
  /** Letters, digits and underscores, with the unit at its end: `grinpay_webhook_queue_oldest_seconds`. */
  readonly name: string
  readonly type: 'gauge' | 'counter'
  /** One sentence. */
  readonly help: string
  readonly samples: readonly MetricSample[]
}

const HELP_ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n' }
const LABEL_ESCAPES: Readonly<Record<string, string>> = { ...HELP_ESCAPES, '"': '\\"' }

const escaped = (text: string, escapes: Readonly<Record<string, string>>): string =>
  text.replace(/[\\\n"]/g, (character) => escapes[character] ?? character)

/** The whole page. Families without a known sample are left out. */
export const formatMetrics = (families: readonly MetricFamily[]): string =>
  families
    .map(({ name, type, help, samples }) => {
      const lines = samples.flatMap((sample) => lineOf(name, sample))
      if (lines.length === 0) return ''
      return `# HELP ${name} ${escaped(help, HELP_ESCAPES)}\n# TYPE ${name} ${type}\n${lines.join('\n')}\n`
    })
    .join('')

function lineOf(name: string, { labels = {}, value }: MetricSample): readonly string[] {
  if (value === null) return []
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text, LABEL_ESCAPES)}"`)
  return [`${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${printed(value)}`]
}

function printed(value: number | bigint | boolean): string {
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (value === Number.POSITIVE_INFINITY) return '+Inf'
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value)
}

export interface MetricsOptions {
  /** Asked at every request; must not reject. */
  readonly collect: () => Promise<readonly MetricFamily[]>
}

/** GET /metrics. It requires no token: mount it on a listener of its own. */
export const metricsRoutes: FastifyPluginAsync<MetricsOptions> = async (app, { collect }) => {
  app.get('/metrics', async (_request, reply) => {
    reply.header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
    return formatMetrics(await collect())
  })
}
