// Health, the OpenAPI document, static files and the page at the root. The plugins of `src/http` mount the first and the third on every
// daemon; the descriptions here are those of the till.
import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import {
  assetRoutes,
  clientRoute,
  healthRoutes,
  type Operation,
  ok,
  type Readiness,
  type Views,
} from '../../http/index.js'
import { clientSchema, healthSchema, readySchema } from '../../lib/api-schemas.js'
import { pageBase } from '../pages/checkout-model.js'
import { sendHtml, translatorFor } from '../pages/show.js'
import type { Site } from '../pages/site.js'
import { failing, okPage, type TillRouteParts } from './parts.js'

export interface ServiceOptions extends Pick<TillRouteParts, 'version' | 'adminTokens'> {
  readonly readiness: Readiness
  readonly process: string
  readonly views: Views
  readonly site: Site
  /** The document as text. */
  readonly openapi: string
}

export const SERVICE_OPERATIONS: readonly Operation[] = [
  {
    method: 'get',
    path: '/health',
    id: 'health',
    tag: 'service',
    summary: 'Whether the process answers',
    query: z.object({
      deep: z
        .enum(['1'])
        .optional()
        .describe('`1`: with the checks of `/ready` and their details; needs the admin token.'),
    }),
    responses: { ...ok('It does.', healthSchema), ...failing(401, 503) },
  },
  {
    method: 'get',
    path: '/health/client',
    id: 'client',
    tag: 'service',
    summary: 'Who asks, as the till sees it',
    responses: { ...ok('For `grinpay doctor`, which looks through the proxy.', clientSchema), ...failing(429) },
  },
  {
    method: 'get',
    path: '/ready',
    id: 'ready',
    tag: 'service',
    summary: 'Whether the till can take payments',
    responses: {
      ...ok('It can.', readySchema),
      ...failing(429),
      503: { description: 'It cannot; `error` names the failed checks.', schema: readySchema },
    },
  },
  {
    method: 'get',
    path: '/openapi.json',
    id: 'openapi',
    tag: 'service',
    summary: 'This document',
    responses: { ...ok('OpenAPI 3.1.', z.looseObject({ openapi: z.string() })), ...failing(429) },
  },
  {
    method: 'get',
    path: '/static/{name}',
    id: 'asset',
    tag: 'service',
    summary: 'Style sheet and mark of the pages',
    responses: { 200: { description: 'The file.', schema: z.string(), contentType: 'text/css' }, ...failing(404) },
  },
  {
    method: 'get',
    path: '/',
    id: 'landing',
    tag: 'service',
    summary: 'A plain page that says what this is',
    responses: { ...okPage, ...failing(429) },
  },
]

export const serviceRoutes: FastifyPluginAsync<ServiceOptions> = async (app, options) => {
  const { version, readiness, adminTokens, views, site, openapi } = options
  await app.register(healthRoutes, { version, readiness, adminTokens })
  await app.register(clientRoute, { path: '/health/client', process: options.process })
  await app.register(assetRoutes, { views })
  app.get('/openapi.json', { onRequest: app.limits.api }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(openapi),
  )
  app.get('/', { onRequest: app.limits.pages }, async (request, reply) => {
    const translator = translatorFor(request)
    reply.headers({ 'content-security-policy': site.pagePolicy, vary: 'Accept-Language' })
    const title = translator.text('landingTitle')
    return sendHtml(reply, views.render('landing/till', { ...pageBase(site, translator), title }))
  })
}
