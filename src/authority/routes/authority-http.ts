// Everything the authority answers over HTTP, as one plugin: in its own process, or inside a relay.
import type { FastifyPluginAsync } from 'fastify'
import { clientRoute, healthRoutes, openViews, type Rate, type Readiness, type Views } from '../../http/index.js'
import type { Authority } from '../api.js'
import { NAME_ROUTES, READ_ROUTES } from './names.js'
import { PAID_ROUTES } from './paid.js'
import {
  API_HEADERS,
  addPreflight,
  createRouteLimits,
  mountAuthorityRoutes,
  openToAll,
  readRawBodies,
  sendAuthorityProblem,
} from './parts.js'
import { API_HEALTH, authorityLandingPage, CLIENT, OPENAPI } from './service.js'
import { TRANSFER_ROUTES } from './transfers.js'

export interface AuthorityHttpOptions {
  readonly authority: Authority
  /** Per client: all reads together, and each kind of write by itself. */
  readonly rates: { readonly read: Rate; readonly write: Rate }
  /** The program's version. */
  readonly version: string
  /** Of its own process: then there are /health and /ready. */
  readonly readiness?: Readiness
  /** Whether there is a page at the root; default true. */
  readonly landing?: boolean
  /** Default: the templates of the package. */
  readonly views?: Views
  /** Identifies this run of this authority; the doctor looks for it through the proxy. */
  readonly process?: string
}

/** Options of `createApp` for an authority in its own process. */
export const AUTHORITY_APP = {
  addressHeader: 'x-real-ip',
  headers: API_HEADERS,
  problem: sendAuthorityProblem,
} as const

/** Mount on an app of `createApp`. */
export const authorityHttp: FastifyPluginAsync<AuthorityHttpOptions> = async (app, options) => {
  const { authority, rates, version, readiness, landing = true, process = '' } = options
  if (landing)
    await app.register(authorityLandingPage, { settings: authority.settings, views: options.views ?? openViews() })
  if (readiness) await app.register(healthRoutes, { version, readiness, adminTokens: [] })
  await app.register(apiRoutes, { authority, version, process, rates })
}

type ApiOptions = Pick<AuthorityHttpOptions, 'authority' | 'version' | 'rates'> & { readonly process: string }

const apiRoutes: FastifyPluginAsync<ApiOptions> = async (app, { authority, version, process, rates }) => {
  app.setErrorHandler(sendAuthorityProblem)
  openToAll(app)
  readRawBodies(app)
  /** Made for the first request that asks for it: its schemas cost start-up time, and printing takes ten milliseconds. */
  let openapi: Promise<string> | undefined
  const parts = {
    authority,
    openapi() {
      openapi ??= import('./openapi.js').then(({ authorityOpenapi }) => authorityOpenapi(version))
      return openapi
    },
  }
  const limits = createRouteLimits(app, rates)
  const routes = [...READ_ROUTES, ...NAME_ROUTES, ...PAID_ROUTES, API_HEALTH, OPENAPI]
  const { transfers } = authority
  mountAuthorityRoutes(app, routes, parts, limits)
  if (transfers) mountAuthorityRoutes(app, TRANSFER_ROUTES, { ...parts, transfers }, limits)
  await app.register(clientRoute, { path: CLIENT.path, process })
  addPreflight(app, [...routes, CLIENT, ...(transfers ? TRANSFER_ROUTES : [])])
}
