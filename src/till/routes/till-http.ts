// Everything the till answers over HTTP, as one plugin for the daemon to mount.
import type { FastifyPluginAsync } from 'fastify'
import { type BearerTokens, openViews, type Readiness, type Views } from '../../http/index.js'
import { CHAIN_HEADER } from '../../lib/chains.js'
import type { Clock } from '../../lib/ports.js'
import type { Till } from '../api.js'
import { checkoutPages } from '../pages/checkout.js'
import type { CheckoutContext } from '../pages/checkout-model.js'
import { createCodes, createSite, type Shop, type Site } from '../pages/site.js'
import type { CheckoutMethod, PaymentRail } from '../rail.js'
import { createRails, PAYMENT_RAILS, tabsOf } from '../rails.js'
import { ADMIN_ROUTES } from './admin.js'
import { checkoutStatusRoute } from './checkout-status.js'
import { INVOICE_ROUTES, PAYMENT_ROUTES } from './invoices.js'
import { tillOpenapi } from './openapi.js'
import { mountTillRoutes, type TillRouteParts, viewSettingsOf } from './parts.js'
import { REPORT_ROUTES } from './reports.js'
import { serviceRoutes } from './service.js'
import { USER_ROUTES } from './users.js'
import { WEBHOOK_ROUTES } from './webhooks.js'

export interface TillHttpOptions {
  readonly till: Till
  /** The program's version; /health and the OpenAPI document show it. */
  readonly version: string
  /** Several while one is being replaced; none closes the write API with 503. */
  readonly apiTokens: BearerTokens
  readonly adminTokens: BearerTokens
  readonly readiness: Readiness
  /** What the checkout offers; default only `slatepack`. */
  readonly methods?: readonly CheckoutMethod[]
  /** Default: those of `rails.ts`. */
  readonly paymentRails?: readonly PaymentRail[]
  /** Origins whose scripts may read /pay/{token}/status; default none. */
  readonly statusOrigins?: readonly string[]
  /** Sites that may show the checkout in a frame, e.g. `https://shop.example`; default none. */
  readonly frameAncestors?: readonly string[]
  /** The shop whose customers read the pages; default: no name, address or logo. */
  readonly shop?: Shop
  /** What becomes of members of a request that no route knows; default `refuse`. */
  readonly unknownFields?: TillRouteParts['unknownFields']
  readonly clock: Pick<Clock, 'now'>
  /** Default: the templates of the package. */
  readonly views?: Views
  /** Identifies this run of this till; the doctor looks for it through the proxy. */
  readonly process?: string
}

/** Mount on an app of `createApp`. */
export const tillHttp: FastifyPluginAsync<TillHttpOptions> = async (app, options) => {
  const {
    till,
    apiTokens,
    adminTokens,
    version,
    readiness,
    statusOrigins = [],
    frameAncestors = [],
    process = '',
    unknownFields = 'refuse',
  } = options
  const views = options.views ?? openViews()
  const view = viewSettingsOf(till.settings)
  const parts: TillRouteParts = { till, apiTokens, adminTokens, version, view, unknownFields }
  const site = createSite(till.settings, views, { frameAncestors, shop: options.shop ?? {} })
  const context = contextOf(options, site, parts)

  // For the command line: coins of test chains are worthless, and no JSON member names the chain.
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header(CHAIN_HEADER, till.settings.chain)
    done()
  })
  mountTillRoutes(
    app,
    [...INVOICE_ROUTES, ...PAYMENT_ROUTES, ...ADMIN_ROUTES, ...REPORT_ROUTES, ...USER_ROUTES, ...WEBHOOK_ROUTES],
    parts,
  )
  await app.register(checkoutStatusRoute, { ...parts, statusOrigins })
  await app.register(checkoutPages, { prefix: '/pay', till, views, context })
  const openapi = tillOpenapi(version)
  await app.register(serviceRoutes, { version, adminTokens, readiness, process, views, site, openapi })
}

const contextOf = (
  { till, methods = ['slatepack'], paymentRails = PAYMENT_RAILS, clock }: TillHttpOptions,
  site: Site,
  { view }: TillRouteParts,
): CheckoutContext => ({
  site,
  address: till.identity.address,
  confirmations: till.settings.confirmations,
  chain: till.settings.chain,
  methods,
  tabs: tabsOf(paymentRails),
  can: createRails(paymentRails).can,
  code: createCodes(),
  nprofile: (pubkey) => view.keyTexts(pubkey).nprofile,
  receipts: till.settings.ingest !== false,
  now: () => clock.now(),
})
