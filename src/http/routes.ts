// A route and its description in one declaration: the server mounts it, the OpenAPI document prints it.
import type {
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteGenericInterface,
  RouteHandlerMethod,
} from 'fastify'
import type { Operation } from './openapi.js'
import type { Hook } from './rate-limit.js'

type Handler<Request extends RouteGenericInterface> = RouteHandlerMethod<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  Request
>

export interface ApiRoute<Parts, Request extends RouteGenericInterface> extends Operation {
  /** Runs once, when the route is mounted; the result answers the requests. */
  readonly handler: (parts: Parts, app: FastifyInstance) => Handler<Request>
}

/** Mounts a route on a plugin whose prefix its path begins with. `onRequest` runs before the body is read. */
export function mountRoute<Parts, Request extends RouteGenericInterface>(
  app: FastifyInstance,
  route: Pick<ApiRoute<Parts, Request>, 'method' | 'path' | 'handler'>,
  parts: Parts,
  onRequest: Hook[],
): void {
  const url = routerPath(route.path).slice(app.prefix.length)
  app.route<Request>({ method: route.method, url, onRequest, handler: route.handler(parts, app) })
}

/** `/invoice/{invoice_id}` as the router writes it. */
export const routerPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')
