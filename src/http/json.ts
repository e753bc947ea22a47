// JSON for money. Reading keeps every number that a double would change, and refuses what two readers could understand differently
// (a member twice, ill-formed text). Printing writes bigints as plain digits, and one text per value for digests.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { causedBy, messageOf } from '../lib/errors.js'
import {
  isRawNumber,
  type JsonOf,
  type RawNumber,
  rawNumber,
  rawText,
  readExactJson,
  strictText,
} from '../lib/parse-json.js'
import { badForm, badJson, unsupportedEncoding, unsupportedMediaType } from './errors.js'

export type Json = JsonOf<number | RawNumber>

const WHOLE = /^(?:0|-?[1-9]\d*)$/

function numberOf(token: string): number | RawNumber {
  const value = Number(token)
  return WHOLE.test(token) && Number.isSafeInteger(value) ? value : rawNumber(token)
}

/** Reads one JSON value from UTF-8 bytes. Objects have no prototype. Throws INVALID_JSON. */
export function readJson(bytes: Uint8Array): Json {
  const text = decode(bytes)
  try {
    return readExactJson(text, { numberOf })
  } catch (error) {
    throw error instanceof SyntaxError ? badJson(messageOf(error)) : error
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return strictText(bytes)
  } catch (cause) {
    throw causedBy(badJson('it is not UTF-8'), cause)
  }
}

/** One text per value: members sorted, no spaces, numbers as they were sent. For digests. */
export function canonicalJson(value: Json): string {
  if (isRawNumber(value)) return rawText(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}

/** Like JSON.stringify, and writes a bigint as its digits. */
export function printJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (error instanceof TypeError) return printExact(value) // the rare answer that holds a bigint
    throw error
  }
}

function printExact(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return `[${value.map(printExact).join(',')}]`
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${printExact(member)}`).join(',')}}`
}

// The two kinds of bodies that are read: exact JSON, and the forms of pages. A route reads one of them; everything else is 415.
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
