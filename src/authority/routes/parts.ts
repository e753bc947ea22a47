// What the route plugins get, and how they read a request.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Hook, Rate } from '../../http/index.js'
import type { Authority, Caller } from '../api.js'
import { limitReached, nothingHere } from '../errors.js'

/** One hook per bucket; the routes of a bucket count together (specification: names, 4). */
export type Buckets = Readonly<Record<'read' | 'register' | 'release' | 'quote' | 'transfer', Hook>>

export interface RouteParts {
  readonly authority: Authority
  readonly buckets: Buckets
}

/** A body as it came, of whatever type. */
export interface RawBody {
  Body: Buffer | undefined
}

export function createBuckets(app: FastifyInstance, rates: { readonly read: Rate; readonly write: Rate }): Buckets {
  const read = app.slidingLimit(rates.read, limitReached)
  const write = () => app.slidingLimit(rates.write, limitReached)
  return { read, register: write(), release: write(), quote: write(), transfer: write() }
}

/** A parameter of the path, decoded. Throws NOT_FOUND for an empty one: the router takes `/x/` for `/x/:name`. */
export function parameter(value: string): string {
  if (value === '') throw nothingHere()
  return value
}

/** What a DELETE is signed with: a body that came with it does not count (specification: names, 6). */
export const NO_BODY = new Uint8Array(0)

export const bodyOf = ({ body }: FastifyRequest<RawBody>): Uint8Array => body ?? NO_BODY

/** Who signed the request; `path` as the server understood it. `body`: the one that counts, default the one that came. */
export const callerOf = (
  authority: Authority,
  request: FastifyRequest<RawBody>,
  path: string,
  body = bodyOf(request),
): Promise<Caller> =>
  authority.authorize({ authorization: request.headers.authorization, method: request.method, path, body })
