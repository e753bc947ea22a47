// The page at the root: says what this is and nothing about anybody.
import type { FastifyPluginAsync } from 'fastify'
import type { Views } from '../../http/index.js'
import { pageBase } from './checkout-model.js'
import { sendHtml, wordsFor } from './show.js'
import type { Site } from './site.js'

export const tillLandingPage: FastifyPluginAsync<{ views: Views; site: Site }> = async (app, { views, site }) => {
  app.get('/', { onRequest: app.limits.pages }, async (request, reply) => {
    const words = wordsFor(request)
    reply.headers({ 'content-security-policy': site.pagePolicy, vary: 'Accept-Language' })
    return sendHtml(
      reply,
      views.render('landing/till', { ...pageBase(site, words), title: words.text('landingTitle') }),
    )
  })
}
