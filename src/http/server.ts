// The server under the app: its limits, TLS, and answers to what is not even a request.
import { readFileSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import type { FastifyError, FastifyServerFactory } from 'fastify'
import { messageOf } from '../lib/errors.js'
import { printJson } from './json.js'

// The certificate of a listener with TLS: two PEM files, read at the start and whenever they change.
/** Paths of PEM files: the certificate chain and its private key. */
export interface CertificateFiles {
  readonly cert: string
  readonly key: string
}

export interface Certificate {
  readonly cert: Buffer
  readonly key: Buffer
}

/** Which of the files is at fault, and why. The text never holds what is in them. */
export class CertificateFault extends Error {
  constructor(
    readonly file: keyof CertificateFiles,
    why: string,
  ) {
    super(why)
  }
}

/** Throws CertificateFault when a file cannot be read, is no PEM, or the key is not that of the certificate. */
export function readCertificate(files: CertificateFiles): Certificate {
  const read = (file: keyof CertificateFiles): Buffer => {
    try {
      return readFileSync(files[file])
    } catch (thrown) {
      throw new CertificateFault(file, `cannot be read (${messageOf(thrown)})`)
    }
  }
  const [cert, key] = [read('cert'), read('key')]
  try {
    createSecureContext({ cert })
  } catch {
    throw new CertificateFault('cert', `holds no certificate in PEM form (got "${files.cert}")`)
  }
  try {
    createSecureContext({ key })
  } catch {
    throw new CertificateFault('key', `holds no private key in PEM form, or one with a passphrase (got "${files.key}")`)
  }
  try {
    createSecureContext({ cert, key })
  } catch {
    throw new CertificateFault('key', `is not the key of the certificate in "${files.cert}" (got "${files.key}")`)
  }
  return { cert, key }
}

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
