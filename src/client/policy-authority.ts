// What a relay's write policy asks of a name authority over HTTP (specification: relay, 6; names, 6).
import { objectOf, parseJson } from '../lib/parse-json.js'
import type { PolicyAuthority } from '../relay/index.js'
import { httpTransport, type Transport } from './transport.js'

export interface PolicyAuthorityParts {
  /** Without trailing slash. */
  readonly baseUrl: string
  readonly transport?: Transport
}

const TIMEOUT_MS = 3_000
const MOST_ANSWER_BYTES = 16 * 1024

/** Every verb rejects when the authority gives no usable answer. */
export function createPolicyAuthority({
  baseUrl,
  transport = httpTransport(TIMEOUT_MS, MOST_ANSWER_BYTES),
}: PolicyAuthorityParts): PolicyAuthority {
  const ask = (path: string) => transport({ method: 'GET', url: `${baseUrl}/api/v1/${path}` })

  return {
    async isWritePaid(pubkey) {
      const { status, text } = await ask(`paid/${pubkey}`)
      return status === 200 ? objectOf(parseJson(text)).paid : `HTTP ${status}`
    },
    async holdsName(pubkey) {
      const { status } = await ask(`by-pubkey/${pubkey}`)
      if (status === 200 || status === 404) return status === 200
      return `HTTP ${status}`
    },
  }
}
