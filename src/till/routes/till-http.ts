// Everything the till answers over HTTP, as one plugin for the daemon to mount.
import type { FastifyPluginAsync } from 'fastify'
import {
  assetRoutes,
  clientRoute,
  healthRoutes,
  openViews,
  type Readiness,
  type Tokens,
  type Views,
} from '../../http/index.js'
import { CHAIN_HEADER } from '../../lib/chain-header.js'
import type { Till } from '../api.js'
import {
  type CheckoutContext,
  type CheckoutMethod,
  checkoutPages,
  createSite,
  landingPage,
  type Shop,
  type Site,
} from '../pages/index.js'
import { adminMoneyRoutes } from './admin-money.js'
import { adminUserRoutes } from './admin-users.js'
import { adminWebhookRoutes } from './admin-webhooks.js'
import { checkoutStatusRoute } from './checkout-status.js'
import { invoiceRoutes } from './invoice.js'
import { tillOpenapi } from './openapi.js'
import { type RouteParts, viewSettingsOf } from './parts.js'
import { paymentRoutes } from './payment.js'

export interface TillHttpOptions {
  readonly till: Till
  /** Of the package; shown by /health and in the OpenAPI document. */
  readonly version: string
  /** Several while one is being replaced; none closes the write API with 503. */
  readonly apiTokens: Tokens
  readonly adminTokens: Tokens
  readonly readiness: Readiness
  /** Ways to pay that work now, in the order of their tabs; default only `slatepack`. */
  readonly methods?: readonly CheckoutMethod[]
  /** Origins whose scripts may read /pay/{token}/status; default none. */
  readonly statusOrigins?: readonly string[]
  /** Sites that may show the checkout in a frame, e.g. `https://shop.example`; default none. */
  readonly frameAncestors?: readonly string[]
  /** Whose customers read the pages; default nothing of it. */
  readonly shop?: Shop
  readonly clock: { now(): number }
  /** Default: the templates of the package. */
  readonly views?: Views
  /** Tells this run of this till from every other; the doctor looks for it through the proxy. */
  readonly process?: string
}

/** Mount on an app of `createApp`. */
export const tillHttp: FastifyPluginAsync<TillHttpOptions> = async (app, options) => {
  const { till, apiTokens, adminTokens, version, readiness, statusOrigins = [], frameAncestors = [] } = options
  const views = options.views ?? openViews()
  const parts: RouteParts = { till, apiTokens, adminTokens, version, view: viewSettingsOf(till.settings) }
  const site = createSite(till.settings, views, { frameAncestors, shop: options.shop ?? {} })
  const context = contextOf(options, site, parts)

  // For the command line: amounts of other chains are worth nothing, and their answers have no member for it.
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header(CHAIN_HEADER, till.settings.chain)
    done()
  })
  await app.register(healthRoutes, { version, readiness, adminTokens })
  await app.register(clientRoute, { path: '/health/client', process: options.process ?? '' })
  for (const routes of [invoiceRoutes, paymentRoutes, adminMoneyRoutes, adminWebhookRoutes, adminUserRoutes])
    await app.register(routes, parts)
  await app.register(checkoutStatusRoute, { ...parts, statusOrigins })
  await app.register(checkoutPages, { prefix: '/pay', till, views, context })
  await app.register(assetRoutes, { views })
  await app.register(landingPage, { views, site })

  const openapi = tillOpenapi(version)
  app.get('/openapi.json', { onRequest: app.limits.api }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(openapi),
  )
}

const contextOf = ({ till, methods, clock }: TillHttpOptions, site: Site, { view }: RouteParts): CheckoutContext => ({
  site,
  address: till.identity.address,
  confirmations: till.settings.confirmations,
  chain: till.settings.chain,
  methods: methods ?? ['slatepack'],
  nprofile: (pubkey) => view.keyTexts(pubkey).nprofile,
  receipts: till.settings.ingest !== false,
  now: () => clock.now(),
})
