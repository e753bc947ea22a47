// The two kinds of bodies that are read: exact JSON, and forms. Everything else is 415.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { badForm, unsupportedEncoding } from './errors.js'
import { readJson } from './json-reader.js'

/** 64 KiB: a slatepack has at most 30 KiB, and its spaces become one byte each in a form. */
export const BODY_LIMIT = 64 * 1024

/** Bodies of other kinds get 415, encoded ones too. */
export function addBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    refuseEncoded(request)
    return body.length === 0 ? undefined : readJson(body)
  })
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      refuseEncoded(request)
      return readForm(body.toString('utf8'))
    },
  )
}

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
