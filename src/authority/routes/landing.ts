// The page at the root, for people who opened the address of a name in a browser. It says nothing about anybody.
import type { FastifyPluginAsync } from 'fastify'
import { assetRoutes, PAGE_HEADERS, STILL_PAGE_POLICY, type Views } from '../../http/index.js'
import type { AuthoritySettings } from '../api.js'

export interface LandingOptions {
  readonly settings: AuthoritySettings
  readonly views: Views
}

export const landingPage: FastifyPluginAsync<LandingOptions> = async (app, { settings, views }) => {
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
