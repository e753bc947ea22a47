// The till's HTTP surface over a fake till, on a clock that stands still.
import type { FastifyInstance } from 'fastify'
import { type AppOptions, createApp, createReadiness, type ReadinessCheck } from '../../src/http/index.js'
import { Secret } from '../../src/lib/secret.js'
import { type TillHttpOptions, tillHttp } from '../../src/till/routes/till-http.js'
import { createFakeTill, type FakeTill } from './fake-till.js'
import { NOON } from './till-builders.js'

export const API_TOKEN = `pay_live_${'a'.repeat(64)}`
export const ADMIN_TOKEN = `pay_admin_${'b'.repeat(64)}`
export const API = { authorization: `Bearer ${API_TOKEN}` }
export const ADMIN = { authorization: `Bearer ${ADMIN_TOKEN}` }
export const VERSION = '0.0.0-test'

/** Stands still until a test moves it; sleeping never ends by itself. */
export const stillClock = () => ({
  at: NOON,
  now() {
    return this.at
  },
  monotonic() {
    return this.at
  },
  sleep: (_ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve())),
})

/** Counts up: different every time, and the same in every run. */
export const countingRandom = () => {
  let next = 0
  return { bytes: (length: number) => Uint8Array.from({ length }, () => next++ % 256) }
}

export interface TillAppOptions extends Partial<Omit<TillHttpOptions, 'till'>> {
  readonly till?: FakeTill
  readonly app?: Partial<AppOptions>
  readonly checks?: readonly ReadinessCheck[]
}

export async function tillApp(options: TillAppOptions = {}) {
  const { till = createFakeTill(), app: appOptions, checks = [], ...http } = options
  const clock = stillClock()
  const app: FastifyInstance = createApp({ clock, random: countingRandom(), rateLimits: false, ...appOptions })
  await app.register(tillHttp, {
    till,
    version: VERSION,
    apiTokens: [new Secret(API_TOKEN)],
    adminTokens: [new Secret(ADMIN_TOKEN)],
    clock,
    readiness: createReadiness({ checks: async () => checks, clock }),
    ...http,
  })
  await app.ready()
  return { app, till, clock }
}
