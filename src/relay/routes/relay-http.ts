// The HTTP surface of the relay: NIP-11 document, landing page, health; everything else is 404.

import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import {
  assetRoutes,
  beginProblem,
  clientRoute,
  healthRoutes,
  openViews,
  PAGE_HEADERS,
  type Readiness,
  STILL_PAGE_POLICY,
  sendProblem,
  type Views,
} from '../../http/index.js'
import type { KindSet } from '../policy/index.js'
import type { RelayInfo } from '../settings.js'
import { type RelayDocumentParts, relayDocument } from './nip11.js'

export interface RelayHttpOptions extends Omit<RelayDocumentParts, 'info' | 'kinds' | 'isManaged'> {
  /** Current relay information; the same object until it changes. */
  readonly info: () => RelayInfo
  /** Accepted kinds. */
  readonly kinds: () => Pick<KindSet, 'has'>
  /** True when the relay has managers. Default: none. */
  readonly isManaged?: () => boolean
  readonly readiness: Readiness
  /** Files of the operator that replace the built-in page: HTML, and bytes of an icon. */
  readonly pages?: RelayLandingOptions['pages']
  /** Default: the templates of the package. */
  readonly views?: Views
  /** Identifies this process; the doctor looks for it through the proxy. */
  readonly process?: string
}

/** CORS headers of the document and its preflight (NIP-11). */
const OPEN_TO_ALL = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-allow-methods': '*',
} as const

/** Preflight of the document and of management requests, which need `Authorization` by name. */
const PREFLIGHT = { ...OPEN_TO_ALL, 'access-control-allow-headers': '*, Authorization' } as const

const DOCUMENT_TYPE = 'application/nostr+json'

const wantsDocument = (accept: string | undefined): boolean => accept?.toLowerCase().includes(DOCUMENT_TYPE) === true

/** Mount on an app of `createApp` with `RELAY_APP`; websockets are taken before it. */
export const relayHttp: FastifyPluginAsync<RelayHttpOptions> = async (app, options) => {
  const { info, kinds, isManaged = () => false, readiness, version, pages, views = openViews(), process = '' } = options
  await app.register(healthRoutes, { version, readiness, adminTokens: [] })
  await app.register(clientRoute, { path: '/health/client', process })
  // Sent as bytes: for text the framework would add a character set, which the type does not have.
  const document = () =>
    Buffer.from(relayDocument({ ...options, info: info(), kinds: kinds(), isManaged: isManaged() }))
  const page = await relayLandingPage(app, { info, views, pages })

  app.get('/', async ({ headers }, reply) => {
    reply.header('vary', 'Accept')
    if (!wantsDocument(headers.accept)) return page(reply)
    return reply.headers(OPEN_TO_ALL).header('content-type', DOCUMENT_TYPE).send(document())
  })
  app.options('/', async (_request, reply) => reply.headers(PREFLIGHT).header('vary', 'Accept').code(204).send())
}

const NOT_FOUND = 404

/** wire: the originals' text. */
const NOTHING = 'Nothing here.'

/** The error handler of the relay's app; also answers unknown routes. */
function sendRelayProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!isNotFound(error)) return sendProblem(error, request, reply)
  beginProblem(error, request, reply)
  return reply.type('text/plain; charset=utf-8').send(NOTHING)
}

const isNotFound = (error: unknown): boolean =>
  error instanceof Error && 'status' in error && error.status === NOT_FOUND

/** Options of `createApp` for the relay. The landing page sets its other headers itself. */
export const RELAY_APP = {
  headers: { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' },
  problem: sendRelayProblem,
} as const

// The landing page for people who open the relay's address in a browser. It does not say what the relay is used for.

/** The operator's own page may bring styles and images. */
const OWN_PAGE_POLICY = "script-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"

const FOUR_WEEKS = 'public, max-age=2419200'

interface RelayLandingOptions {
  readonly info: () => RelayInfo
  readonly views: Views
  readonly pages?: { readonly landing?: string | undefined; readonly favicon?: Buffer | undefined } | undefined
}

/** Returns a handler that sends the page. Registers its assets and the icon. */
async function relayLandingPage(
  app: FastifyInstance,
  { info, views, pages = {} }: RelayLandingOptions,
): Promise<(reply: FastifyReply) => FastifyReply> {
  const { landing, favicon } = pages
  await app.register(assetRoutes, { views })
  if (favicon)
    app.get('/favicon.ico', async (_request, reply) =>
      reply.header('cache-control', FOUR_WEEKS).type('image/x-icon').send(favicon),
    )
  const page = landing === undefined ? cachedBySource(info, (now) => renderLanding(views, now)) : () => landing
  const policy = landing === undefined ? STILL_PAGE_POLICY : OWN_PAGE_POLICY
  return (reply) =>
    reply.headers(PAGE_HEADERS).header('content-security-policy', policy).type('text/html; charset=utf-8').send(page())
}

const renderLanding = (views: Views, { name, description, relayUrls }: RelayInfo): string =>
  views.render('landing/relay', {
    name,
    description,
    address: relayUrls[0],
    style: `/static/${views.assetName('style.css')}`,
    mark: `/static/${views.assetName('mark.svg')}`,
  })

/** Caches a derived value until its source changes. */
function cachedBySource<From, To>(source: () => From, make: (from: From) => To): () => To {
  let last: { readonly from: From; readonly made: To } | undefined
  return () => {
    const from = source()
    if (last?.from !== from) last = { from, made: make(from) }
    return last.made
  }
}
