// The server under the app: its limits, TLS, and answers to what is not even a request.
import { STATUS_CODES } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyServerFactory } from 'fastify'
import { messageOf } from '../lib/errors.js'
import type { Certificate } from './certificate.js'
import { printJson } from './json.js'

const HEADER_SECONDS = 10
const REQUEST_SECONDS = 30
/** All headers of a request together, in bytes. */
export const MAX_HEADERS = 16_384
export const REQUEST_TIMEOUT = REQUEST_SECONDS * 1000

/** Options of Node's own server; slow clients are looked for every second. */
export const SERVER_LIMITS = {
  headersTimeout: HEADER_SECONDS * 1000,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: MAX_HEADERS,
}

/** The same limits over TLS; a factory's servers get none from fastify. */
export function secureServers(certificate: Certificate): FastifyServerFactory {
  const limits = { ...SERVER_LIMITS, requestTimeout: REQUEST_TIMEOUT }
  return (handler) => createSecureServer({ ...limits, ...certificate, minVersion: 'TLSv1.2' }, handler)
}

const CONNECTION_ERRORS: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }

/** Answers bytes that are not HTTP, and headers that are too large or too slow. No request exists yet, so the answer is written by hand. */
export function answerBrokenRequest(error: FastifyError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status = CONNECTION_ERRORS[error.code] ?? 400
  const title = STATUS_CODES[status] ?? 'Bad Request'
  const body = printJson({
    error: title.toLowerCase(),
    code: 'BROKEN_REQUEST',
    type: 'about:blank',
    title,
    status,
    detail: messageOf(error),
    instance: '',
  })
  const head = ['Content-Type: application/json; charset=utf-8', `Content-Length: ${Buffer.byteLength(body)}`]
  socket.end(`HTTP/1.1 ${status} ${title}\r\n${head.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`)
}
