// A name authority as a relay asks it: who has paid for writing, who holds a name (specification: names, 6; relay, 6).
import { objectOf, parseJson } from '../lib/parse-json.js'
import type { PolicyAuthority } from '../relay/index.js'
import { authorityOdd } from './errors.js'
import { type HttpResponse, httpTransport, type Transport } from './transport.js'

export interface PolicyAuthorityParts {
  /** Without trailing slash. */
  readonly baseUrl: string
  readonly transport?: Transport
}

const TIMEOUT_MS = 3000
const MOST_ANSWER_BYTES = 65_536

/** Keys are 64 hex. Both throw DAEMON_UNREACHABLE, DAEMON_TIMEOUT, and AUTHORITY_ODD for an answer that is none. */
export function createPolicyAuthority({ baseUrl, transport }: PolicyAuthorityParts): PolicyAuthority {
  const send = transport ?? httpTransport(TIMEOUT_MS, MOST_ANSWER_BYTES, 'the name authority')
  const read = (path: string): Promise<HttpResponse> => send({ method: 'GET', url: `${baseUrl}/api/v1/${path}` })

  return {
    async isWritePaid(pubkey) {
      const { status, text } = await read(`paid/${pubkey}`)
      const { paid } = objectOf(parseJson(text))
      if (status !== 200 || typeof paid !== 'boolean') throw authorityOdd('paid', status)
      return paid
    },
    async holdsName(pubkey) {
      const { status, text } = await read(`by-pubkey/${pubkey}`)
      const { name, error } = objectOf(parseJson(text))
      if (status === 200 && typeof name === 'string') return true
      // A server that is no name authority has a 404 of its own.
      if (status === 404 && error === 'not found') return false
      throw authorityOdd('by-pubkey', status)
    },
  }
}
