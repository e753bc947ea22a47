// The two kinds of bodies that are read: exact JSON, and the forms of pages. A route reads one of them; everything else is 415.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { badForm, unsupportedEncoding, unsupportedMediaType } from './errors.js'
import { readJson } from './json.js'

/** 64 KiB: a slatepack has at most 30 KiB, and its spaces become one byte each in a form. */
export const BODY_LIMIT = 64 * 1024

type BodyType = 'application/json' | 'application/x-www-form-urlencoded'

const READERS: Readonly<Record<BodyType, (body: Buffer) => unknown>> = {
  'application/json': (body) => (body.length === 0 ? undefined : readJson(body)),
  'application/x-www-form-urlencoded': (body) => readForm(body.toString('utf8')),
}

/** The routes of this plugin read exact JSON and nothing else. */
export const readJsonBodies = (app: FastifyInstance): void => readBodiesOf('application/json', app)

/** The routes of this plugin read forms and nothing else. */
export const readFormBodies = (app: FastifyInstance): void => readBodiesOf('application/x-www-form-urlencoded', app)

function readBodiesOf(type: BodyType, app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(type, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    refuseEncoded(request)
    return READERS[type](body)
  })
  app.addContentTypeParser('*', async (request: FastifyRequest) => {
    if (isEmpty(request)) return undefined // whatever type a client adds, as curl -d '' does
    if (!request.is404) throw unsupportedMediaType(type) // no route: the refusal is 404 or 405
  })
}

const isEmpty = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0

/** Fields of a form; a field that comes twice is refused, as two readers would pick different ones. */
function readForm(text: string): Readonly<Record<string, string>> {
  const fields: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    if (name in fields) throw badForm(`the field "${name.slice(0, 40)}" is there twice`)
    fields[name] = value
  }
  return fields
}

function refuseEncoded({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') throw unsupportedEncoding(encoding.slice(0, 40))
}
