// The Authorization header of a signed request (NIP-98).

import { createHash } from 'node:crypto'
import type { RandomBytes } from '../../lib/random-bytes.js'
import type { Secret } from '../../lib/secret.js'
import { HTTP_AUTH_KIND, signEvent } from '../event/index.js'

/** The authentication scheme of the header. */
export const SCHEME = 'Nostr '

export interface RequestToSign {
  /** The complete address as the server knows it, without query. */
  readonly url: string
  readonly method: string
  /** The event contains its hash, if present. */
  readonly body?: Uint8Array
  readonly secret: Secret<Uint8Array>
  /** Epoch milliseconds. */
  readonly now: number
  readonly random: RandomBytes
  readonly extraTags?: readonly (readonly string[])[]
}

/** 64 lower-case hex. */
export const payloadHash = (body: Uint8Array): string => createHash('sha256').update(body).digest('hex')

/** The value of the Authorization header. */
export function httpAuthHeader({ url, method, body, secret, now, random, extraTags = [] }: RequestToSign): string {
  const payload = body && body.length > 0 ? [['payload', payloadHash(body)]] : []
  const tags = [['u', url], ['method', method], ...payload, ...extraTags]
  const created_at = Math.floor(now / 1000)
  const event = signEvent({ kind: HTTP_AUTH_KIND, created_at, tags, content: '' }, secret, random)
  return `${SCHEME}${Buffer.from(JSON.stringify(event)).toString('base64')}`
}
