// Everything the authority answers over HTTP, as one plugin: in its own process, or inside a relay.
import type { FastifyPluginAsync } from 'fastify'
import { clientRoute, healthRoutes, openViews, type Rate, type Readiness, type Views } from '../../http/index.js'
import type { Authority } from '../api.js'
import { API_HEADERS, addPreflight, openToAll, sendAuthorityProblem } from './answers.js'
import { landingPage } from './landing.js'
import { nameRoutes } from './names.js'
import { paidRoutes } from './paid.js'
import { createBuckets, type RouteParts } from './parts.js'
import { PATHS, TRANSFER_PATHS } from './paths.js'
import { takeRawBodies } from './raw-body.js'
import { readRoutes } from './reads.js'
import { transferRoutes } from './transfers.js'

export interface AuthorityHttpOptions {
  readonly authority: Authority
  /** Per client: all reads together, and each kind of write by itself. */
  readonly rates: { readonly read: Rate; readonly write: Rate }
  /** Of the package. */
  readonly version: string
  /** Of the process it has to itself: then there are /health and /ready. */
  readonly readiness?: Readiness
  /** Whether there is a page at the root; true unless told. */
  readonly landing?: boolean
  /** Default: the templates of the package. */
  readonly views?: Views
  /** Tells this run of this authority from every other; the doctor looks for it through the proxy. */
  readonly process?: string
}

/** What `createApp` is to be given beside the usual, where the authority has the process to itself. */
export const AUTHORITY_APP = {
  addressHeader: 'x-real-ip',
  headers: API_HEADERS,
  problem: sendAuthorityProblem,
} as const

/** Mount on an app of `createApp`. */
export const authorityHttp: FastifyPluginAsync<AuthorityHttpOptions> = async (app, options) => {
  const { authority, rates, version, readiness, landing = true, process = '' } = options
  if (landing) await app.register(landingPage, { settings: authority.settings, views: options.views ?? openViews() })
  if (readiness) await app.register(healthRoutes, { version, readiness, adminTokens: [] })
  await app.register(apiRoutes, { authority, version, process, buckets: createBuckets(app, rates) })
}

interface ApiParts {
  readonly version: string
  readonly process: string
}

const apiRoutes: FastifyPluginAsync<RouteParts & ApiParts> = async (app, parts) => {
  app.setErrorHandler(sendAuthorityProblem)
  openToAll(app)
  takeRawBodies(app)
  for (const routes of [readRoutes, nameRoutes, paidRoutes]) await app.register(routes, parts)
  const { transfers } = parts.authority
  if (transfers) await app.register(transferRoutes, { ...parts, transfers })
  addPreflight(app, [...Object.values(PATHS), ...(transfers ? Object.values(TRANSFER_PATHS) : [])])

  await app.register(clientRoute, { path: PATHS.client, process: parts.process })
  app.get(PATHS.health, (_request, reply) => reply.type('text/plain; charset=utf-8').send('ok'))
  /** Made once, for whoever asks first: its schemas cost start-up time, and to print it takes ten milliseconds. */
  let openapi: Promise<string> | undefined
  app.get(PATHS.openapi, async (_request, reply) => {
    openapi ??= import('./openapi.js').then(({ authorityOpenapi }) => authorityOpenapi(parts.version))
    return reply.type('application/json; charset=utf-8').send(await openapi)
  })
}
