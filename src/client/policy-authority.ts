// The relay's client of a name authority: paid write access and name holders (specification: names, 6; relay, 6).
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

/** Keys are 64 hex. Both throw DAEMON_UNREACHABLE, DAEMON_TIMEOUT, and AUTHORITY_ODD for an invalid response. */
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
      // The 404 of another server does not count.
      if (status === 404 && error === 'not found') return false
      throw authorityOdd('by-pubkey', status)
    },
  }
}
