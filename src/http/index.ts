export { isRawNumber } from '../lib/exact-json.js'
export { beginProblem, noSuchRoute, PAGE_HEADERS, STILL_PAGE_POLICY, sendProblem } from './answers.js'
export { type AppOptions, createApp } from './app.js'
export { hasBearer, requireBearer, type Tokens } from './bearer.js'
export { readFormBodies } from './body-parsers.js'
export {
  believeNoHeader,
  clientKey,
  createClientAddress,
} from './client-address.js'

export {
  type ClientView,
  clientRoute,
  createReadiness,
  type HealthView,
  healthRoutes,
  type Readiness,
  type ReadinessCheck,
  type ReadyView,
} from './health.js'
export { bodyDigest, createInFlight, idempotencyKeyOf } from './idempotency.js'
export { parseBody, parseQuery } from './input.js'
export { canonicalJson, type Json, printJson, readJson } from './json.js'
export { formatMetrics, type MetricFamily, type MetricSample, metricsRoutes } from './metrics.js'
export { type Answer, type Operation, openapiDocument } from './openapi.js'
export { type ErrorView, preference, problemContentType } from './problem.js'
export type { Hook, Rate } from './rate-limit.js'
export {
  createSendWebhook,
  refusalForTarget,
} from './send-webhook.js'
export { assetRoutes, openViews, type Views } from './views.js'
