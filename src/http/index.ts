export type { ErrorView, HealthView, ViewOf } from '../lib/api-schemas.js'
export { isRawNumber } from '../lib/parse-json.js'
export { beginProblem, noSuchRoute, PAGE_HEADERS, STILL_PAGE_POLICY, sendProblem } from './answers.js'
export { type AppOptions, createApp } from './app.js'
export { type BearerTokens, hasBearer, requireBearer } from './bearer.js'
export {
  believeNoHeader,
  createClientAddress,
} from './client-address.js'
export {
  clientRoute,
  createReadiness,
  healthRoutes,
  type Readiness,
  type ReadinessCheck,
} from './health.js'
export { bodyDigest, createInFlight, createUnknownCheck, idempotencyKeyOf, parseBody, parseQuery } from './input.js'
export { canonicalJson, type Json, printJson, readFormBodies, readJson } from './json.js'
export { formatMetrics, type MetricFamily, type MetricSample, metricsRoutes } from './metrics.js'
export {
  type ApiRoute,
  errorResponses,
  mountRoute,
  type Operation,
  ok,
  openapiDocument,
  type Responses,
  routerPath,
  type WebhookDescription,
} from './openapi.js'
export { preference, problemContentType } from './problem.js'
export type { Bucket, Hook, Rate } from './rate-limit.js'
export {
  createSendWebhook,
  refusalForTarget,
} from './send-webhook.js'
export { type Certificate, CertificateFault, type CertificateFiles, readCertificate } from './server.js'
export { assetRoutes, openViews, templatesOf, type Views } from './views.js'
