// Sends one webhook request and reports the outcome (specification: invoicing, 8.3). It never throws for what a receiver does.

import type { IncomingMessage } from 'node:http'
import { rootCertificates } from 'node:tls'
import { messageOf } from '../lib/errors.js'
import { inTime, openRequest } from '../lib/http-request.js'
import { isPrivateHost } from '../lib/private-host.js'
import { parseUrl } from '../lib/url.js'

export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as these UTF-8 bytes. */
  readonly body: string
  /** For everything: connection, answer, its body. */
  readonly timeoutMs: number
}

export interface WebhookAnswer {
  /** Null when no answer came. */
  readonly httpStatus: number | null
  /** Null for every 2xx; otherwise the cause in one line, without path, address or secret. */
  readonly error: string | null
  /** The first 512 bytes of the answer as text, control characters blanked. */
  readonly answerHead: string
}

export interface SenderOptions {
  /** Allows plain http to public addresses. */
  readonly allowPlainHttp?: boolean
  /** Certificates (PEM) that are trusted besides the system's. */
  readonly ca?: string
}

const READ_MOST = 4096
const HEAD = 512

/** A sender; every request has its own connection, redirects are never followed. */
export function createSendWebhook({ allowPlainHttp = false, ca }: SenderOptions = {}) {
  return async (request: WebhookRequest): Promise<WebhookAnswer> => {
    const refusal = refusalForTarget(request.url, allowPlainHttp)
    if (refusal !== undefined) return noAnswer(refusal)
    const options = ca === undefined ? {} : { ca: [...rootCertificates, ca] }
    try {
      return await inTime(request, async (signal) => {
        const response = await openRequest({ ...request, method: 'POST', options }, signal)
        const httpStatus = response.statusCode ?? 0
        const error = isSuccess(httpStatus) ? null : `HTTP ${httpStatus}`
        return { httpStatus, error, answerHead: await headOf(response) }
      })
    } catch (thrown) {
      return noAnswer(messageOf(thrown))
    }
  }
}

/** Why nothing may be sent to this address, or undefined. Also for checking a setting. */
export function refusalForTarget(address: string, allowPlainHttp = false): string | undefined {
  if (parseUrl(address) === undefined) return 'the webhook address is no URL'
  const { protocol, username, password, hostname } = new URL(address)
  if (protocol !== 'http:' && protocol !== 'https:') return 'the webhook address must begin with https:// or http://'
  if (username !== '' || password !== '') return 'the webhook address must not contain a user or password'
  if (protocol === 'http:' && !allowPlainHttp && !isPrivateHost(hostname))
    return 'plain http is only for receivers on this machine or a private network; use https'
  return undefined
}

/** The start of the body. The status decides the outcome, so a body that breaks off changes nothing. */
async function headOf(response: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of response) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= READ_MOST) break
    }
  } catch {
    chunks.push(Buffer.from(' [broken off]'))
  }
  const head = Buffer.concat(chunks).subarray(0, HEAD)
  return head.toString('utf8').replace(/[^\P{Cc}\n\t]/gu, ' ')
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300

const noAnswer = (error: string): WebhookAnswer => ({ httpStatus: null, error, answerHead: '' })
