// The console as one server: mounts every page, action and stream of the areas behind the same guards.
import type { FastifyInstance } from 'fastify'
import { type AppOptions, assetRoutes, createApp, PAGE_HEADERS, readFormBodies } from '../../http/index.js'
import { roleMayNot } from '../errors.js'
import { mountAction } from './actions.js'
import { type ConsoleContext, type ConsoleOptions, createContext } from './context.js'
import { mountEnter } from './enter.js'
import { errorPages } from './error-page.js'
import { guard, hostGuard, signedInOf } from './guard.js'
import { mountPage } from './pages.js'
import { mountPasskeys } from './passkeys.js'
import { createStreams } from './streams.js'

/** Pages of other sites load nothing of it, not even a picture. */
const HEADERS = { ...PAGE_HEADERS, 'cross-origin-resource-policy': 'same-origin' }

/** A server that is ready to listen; the caller closes it. */
export async function createConsoleApp(
  options: ConsoleOptions & Pick<AppOptions, 'log' | 'trustedProxies' | 'addressHeader' | 'rateLimits'>,
): Promise<FastifyInstance> {
  const context = createContext(options)
  const app = createApp({ ...options, headers: HEADERS, problem: errorPages(context) })
  readFormBodies(app)
  app.addHook('onRequest', hostGuard(context))
  await app.register(assetRoutes, { views: options.views })
  app.get('/', (_request, reply) => reply.redirect('/console/', 303))
  await app.register(async (scope) => mountConsole(scope, context), { prefix: '/console' })
  await app.ready()
  return app
}

function mountConsole(app: FastifyInstance, context: ConsoleContext): void {
  mountEnter(app, context)
  mountPasskeys(app, context)
  const mountStream = createStreams(app, context)
  for (const { pages, actions = [], streams = [] } of context.areas) {
    for (const page of pages) mountPage(app, context, page)
    for (const action of actions) mountAction(app, context, action)
    for (const stream of streams) mountStream(stream)
  }
  app.get('/', { onRequest: guard(context, 'anyone') }, async (request, reply) => {
    const { role } = signedInOf(request, context).session
    const start = context.frame.startOf(role)
    if (start === undefined) throw roleMayNot(role)
    return reply.redirect(start, 303)
  })
}
