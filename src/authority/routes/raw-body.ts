// Bodies as bytes, whatever they claim to be: a signature covers the bytes, and no type is ever refused (specification: names, 4).
import type { FastifyInstance } from 'fastify'

/** 16 KiB. */
const BODY_LIMIT = 16 * 1024

/** For the routes of this plugin alone. */
export function takeRawBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
    done(null, body),
  )
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    // The framework would refuse one that is none; most requests have none, and deleting costs.
    if (raw.headers['content-type'] !== undefined) delete raw.headers['content-type']
    done()
  })
}
