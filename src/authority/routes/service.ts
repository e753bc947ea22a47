// Health and the OpenAPI document below /api/v1, and the page at the root.
import type { FastifyPluginAsync } from 'fastify'
import { assetRoutes, PAGE_HEADERS, STILL_PAGE_POLICY, type Views } from '../../http/index.js'
import type { AuthoritySettings } from '../api.js'
import type { AuthorityOperation, AuthorityRoute } from './parts.js'

export const API_HEALTH: AuthorityRoute = {
  method: 'get',
  path: '/api/v1/health',
  id: 'apiHealth',
  tag: 'service',
  summary: 'Whether the API answers',
  describe: (docs) => ({
    responses: {
      200: { description: 'It does.', schema: docs.z.literal('ok'), contentType: 'text/plain' },
      ...docs.failing(400),
    },
  }),
  handler: () => (_request, reply) => reply.type('text/plain; charset=utf-8').send('ok'),
}

/** Mounted by `clientRoute` of `src/http`. */
export const CLIENT: AuthorityOperation = {
  method: 'get',
  path: '/api/v1/health/client',
  id: 'client',
  tag: 'service',
  summary: 'Who asks, as the authority sees it',
  describe: (docs) => ({
    responses: {
      ...docs.ok(
        'For `grinpay doctor`, which looks through the proxy.',
        docs.z.strictObject({ address: docs.z.string(), process: docs.z.string() }),
      ),
      ...docs.failing(400, 429),
    },
  }),
}

export const OPENAPI: AuthorityRoute = {
  method: 'get',
  path: '/api/v1/openapi.json',
  id: 'openapi',
  tag: 'service',
  summary: 'This document',
  describe: (docs) => ({
    responses: { ...docs.ok('OpenAPI 3.1.', docs.z.looseObject({ openapi: docs.z.string() })), ...docs.failing(400) },
  }),
  handler:
    ({ openapi }) =>
    async (_request, reply) =>
      reply.type('application/json; charset=utf-8').send(await openapi()),
}

interface LandingOptions {
  readonly settings: AuthoritySettings
  readonly views: Views
}

/** The page at the root, for people who opened the address of a name in a browser. It names no key and no name. */
export const authorityLandingPage: FastifyPluginAsync<LandingOptions> = async (app, { settings, views }) => {
  const { domain, baseUrl, relays } = settings
  const mount = new URL(baseUrl).pathname.replace(/\/+$/, '')
  const page = views.render('landing/nameauth', {
    domain,
    relay: relays[0],
    style: `${mount}/static/${views.assetName('style.css')}`,
    mark: `${mount}/static/${views.assetName('mark.svg')}`,
  })
  await app.register(assetRoutes, { views })
  app.get('/', async (_request, reply) =>
    reply
      .headers(PAGE_HEADERS)
      .header('content-security-policy', STILL_PAGE_POLICY)
      .type('text/html; charset=utf-8')
      .send(page),
  )
}
