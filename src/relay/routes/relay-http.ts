// What the relay answers to ordinary requests: its document for programs, a page for people, health, and nothing else.
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import {
  beginProblem,
  clientRoute,
  healthRoutes,
  openViews,
  type Readiness,
  sendProblem,
  type Views,
} from '../../http/index.js'
import type { RelayInfo } from '../settings.js'
import { type RelayLandingOptions, relayLandingPage } from './landing.js'
import { type RelayDocumentParts, relayDocument } from './nip11.js'

export interface RelayHttpOptions extends Omit<RelayDocumentParts, 'info' | 'kinds' | 'isManaged'> {
  /** What the relay says about itself; the same object until something changes. */
  readonly info: () => RelayInfo
  /** Those that are taken now. */
  readonly kinds: () => ReadonlySet<number>
  /** Whether anybody may manage the relay now; nobody unless told. */
  readonly isManaged?: () => boolean
  readonly readiness: Readiness
  /** Files of the operator instead of what is built in: HTML, and bytes of an icon. */
  readonly pages?: RelayLandingOptions['pages']
  /** Default: the templates of the package. */
  readonly views?: Views
  /** Tells this run of this relay from every other; the doctor looks for it through the proxy. */
  readonly process?: string
}

/** What NIP-11 asks for on its document, and on the answer before it. */
const OPEN_TO_ALL = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-allow-methods': '*',
} as const

/** What browsers ask before they read the document or manage the relay; signed requests need the last header by its name. */
const PREFLIGHT = { ...OPEN_TO_ALL, 'access-control-allow-headers': '*, Authorization' } as const

const DOCUMENT_TYPE = 'application/nostr+json'

const wantsDocument = (accept: string | undefined): boolean => accept?.toLowerCase().includes(DOCUMENT_TYPE) === true

/** Mount on an app of `createApp` with `RELAY_APP`; websockets are taken before it. */
export const relayHttp: FastifyPluginAsync<RelayHttpOptions> = async (app, options) => {
  const { info, kinds, isManaged = () => false, readiness, version, pages, views = openViews(), process = '' } = options
  await app.register(healthRoutes, { version, readiness, adminTokens: [] })
  await app.register(clientRoute, { path: '/health/client', process })
  // Bytes: of a text the framework would tell the character set, which the type does not have.
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

/** Answers any error; for `createApp`, so that also what meets no route is answered like this. */
function sendRelayProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!isNotFound(error)) return sendProblem(error, request, reply)
  beginProblem(error, request, reply)
  return reply.type('text/plain; charset=utf-8').send(NOTHING)
}

const isNotFound = (error: unknown): boolean =>
  error instanceof Error && 'status' in error && error.status === NOT_FOUND

/** What `createApp` is to be given beside the usual; the page sets the rest of its headers itself. */
export const RELAY_APP = {
  headers: { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' },
  problem: sendRelayProblem,
} as const
