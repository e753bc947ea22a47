export { isRawNumber } from '../lib/exact-json.js'
export { beginProblem, noSuchRoute, PAGE_HEADERS, STILL_PAGE_POLICY, sendProblem } from './answers.js'
export { type AppOptions, createApp } from './app.js'
export { hasBearer, requireBearer, type Tokens } from './bearer.js'
export { readFormBodies } from './body-parsers.js'
export {
  type AddressHeader,
  type AddressOf,
  believeNoHeader,
  clientKey,
  createClientAddress,
} from './client-address.js'
export type { FieldError } from './errors.js'
export {
  type ClientView,
  clientRoute,
  createReadiness,
  type HealthOptions,
  type HealthView,
  healthRoutes,
  type Readiness,
  type ReadinessCheck,
  type ReadyView,
} from './health.js'
export { bodyDigest, createInFlight, idempotencyKeyOf } from './idempotency.js'
export { parseBody, parseQuery } from './input.js'
export { canonicalJson, type Json, printJson, readJson } from './json.js'
export { formatMetrics, type MetricFamily, type MetricSample, type MetricsOptions, metricsRoutes } from './metrics.js'
export { type Answer, type ApiDescription, type Operation, openapiDocument } from './openapi.js'
export { type ErrorView, preference, problemContentType } from './problem.js'
export type { Hook, Limits, Rate, SlidingLimit } from './rate-limit.js'
export {
  createSendWebhook,
  refusalForTarget,
  type SenderOptions,
  type WebhookAnswer,
  type WebhookRequest,
} from './send-webhook.js'
export { assetRoutes, openViews, type Views } from './views.js'
