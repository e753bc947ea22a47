// The page at the root: says what this is and nothing about anybody.
import type { FastifyPluginAsync } from 'fastify'
import type { Views } from '../../http/index.js'
import type { Site } from './site.js'

export const landingPage: FastifyPluginAsync<{ views: Views; site: Site }> = async (app, { views, site }) => {
  const page = views.render('landing/till', { site })
  app.get('/', { onRequest: app.limits.pages }, async (_request, reply) =>
    reply.header('content-security-policy', site.pagePolicy).type('text/html; charset=utf-8').send(page),
  )
}
