// Liveness and readiness. `/health` says that the process answers; `/ready` asks the parts.
import type { FastifyPluginAsync } from 'fastify'
import type { ClientView, HealthView, ReadyView } from '../lib/api-schemas.js'
import { messageOf } from '../lib/errors.js'
import { momentText } from '../lib/moment-text.js'
import type { Clock } from '../lib/ports.js'
import { type BearerTokens, hasBearer, requireBearer } from './bearer.js'

/** What one part says of itself. */
export interface ReadinessCheck {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
  /** True: shown, but a failure does not make the daemon unready. */
  readonly informative?: boolean
  /** What is wrong with this daemon's own settings, and the remedy: fixed public texts, without hosts and secrets. */
  readonly fault?: SettingsFault
}

/** A fault that only a change of settings fixes. */
interface SettingsFault {
  readonly reason: string
  readonly hint: string
}

type Finding = ReadinessCheck & { readonly since: number }

const MAX_AGE = 2_000 // the route is public; the parts are asked at most this often
const PATIENCE = 5_000

export interface ReadinessParts {
  /** Asks all parts; it may reject or take too long, both make the daemon unready. */
  readonly checks: () => Promise<readonly ReadinessCheck[]>
  readonly clock: Pick<Clock, 'now' | 'sleep'>
}

/** Asks the parts, and records since when each one has its state. */
export function createReadiness({ checks, clock }: ReadinessParts) {
  let last: { readonly at: number; readonly findings: Promise<readonly Finding[]> } | undefined
  const before = new Map<string, Finding>()

  function remember(check: ReadinessCheck): Finding {
    const same = before.get(check.name)
    const since = same?.ok === check.ok ? same.since : clock.now()
    const finding = { ...check, since }
    before.set(check.name, finding)
    return finding
  }

  async function ask(): Promise<readonly Finding[]> {
    const patience = new AbortController()
    const tooLong = clock.sleep(PATIENCE, patience.signal).then(() => unanswered('no answer in 5 s'))
    const answer = await Promise.race([checks().catch((error) => unanswered(messageOf(error))), tooLong])
    patience.abort()
    return answer.map(remember)
  }

  return {
    findings(): Promise<readonly Finding[]> {
      const now = clock.now()
      // The clock may have been set back since.
      if (!last || now < last.at || now - last.at >= MAX_AGE) last = { at: now, findings: ask() }
      return last.findings
    },
  }
}
export type Readiness = ReturnType<typeof createReadiness>

const unanswered = (detail: string): readonly ReadinessCheck[] => [{ name: 'checks', ok: false, detail }]

const show = (findings: readonly Finding[], withDetail: boolean): ReadyView['checks'] =>
  findings.map(({ name, ok, since, detail, fault }) => ({
    name,
    status: ok ? 'ok' : 'failed',
    since: momentText(since),
    ...(withDetail && { detail }),
    ...(!ok && fault),
  }))

export interface HealthOptions {
  readonly version: string
  readonly readiness: Readiness
  readonly adminTokens: BearerTokens
}

export const healthRoutes: FastifyPluginAsync<HealthOptions> = async (app, { version, readiness, adminTokens }) => {
  const health: HealthView = { status: 'ok', version }
  const guard = requireBearer('admin', adminTokens)

  app.get<{ Querystring: { deep?: string } }>(
    '/health',
    { onRequest: (request, reply, done) => (request.query.deep === '1' ? guard(request, reply, done) : done()) },
    async ({ query }): Promise<HealthView> =>
      query.deep === '1' ? { ...health, checks: show(await readiness.findings(), true) } : health,
  )

  app.get('/ready', { onRequest: app.limits.api }, async (request, reply): Promise<ReadyView> => {
    const findings = await readiness.findings()
    const checks = show(findings, hasBearer(request.headers.authorization, adminTokens))
    const failed = findings.filter(({ ok, informative }) => !ok && !informative).map(({ name }) => name)
    if (failed.length === 0) return { ready: true, checks }
    reply.code(503)
    return { ready: false, checks, error: `not ready: ${failed.join(', ')}`, code: 'NOT_READY' }
  })
}

export interface ClientOptions {
  readonly path: string
  readonly process: string
}

/** What the doctor asks through the proxy and past it. */
export const clientRoute: FastifyPluginAsync<ClientOptions> = async (app, { path, process }) => {
  app.get(
    path,
    { onRequest: app.limits.api },
    async ({ raw }): Promise<ClientView> => ({
      address: app.addressOf(raw),
      process,
    }),
  )
}
