// The landing page for people who open the relay's address in a browser. It does not say what the relay is used for.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { assetRoutes, PAGE_HEADERS, STILL_PAGE_POLICY, type Views } from '../../http/index.js'
import type { RelayInfo } from '../settings.js'

/** The operator's own page may bring styles and images. */
const OWN_PAGE_POLICY = "script-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"

const FOUR_WEEKS = 'public, max-age=2419200'

export interface RelayLandingOptions {
  readonly info: () => RelayInfo
  readonly views: Views
  readonly pages?: { readonly landing?: string | undefined; readonly favicon?: Buffer | undefined } | undefined
}

/** Returns a handler that sends the page. Registers its assets and the icon. */
export async function relayLandingPage(
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
