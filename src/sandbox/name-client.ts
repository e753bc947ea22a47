// A customer with a Nostr key who asks a name authority for a name, as a wallet does (specification: names, 5, 6 and 13).
import { membersOf } from '../lib/parse-json.js'
import { httpAuthHeader } from '../nostr/http-auth/index.js'
import { freshSecret, publicKeyOf } from '../nostr/keys/index.js'
import type { SystemClock, SystemRandom } from '../system/index.js'
import { type JsonAnswer, request } from './payer-http.js'

export interface NameClientParts {
  /** The authority's base address, no trailing slash. */
  readonly url: string
  readonly clock: SystemClock
  readonly random: SystemRandom
}

/** A customer with a key of its own. Every verb rejects when no answer comes. */
export function createNameClient({ url, clock, random }: NameClientParts) {
  const secret = freshSecret(random)
  const pubkey = publicKeyOf(secret)
  const documentUrl = (name: string): string => `${url}/.well-known/nostr.json?name=${encodeURIComponent(name)}`

  return {
    pubkey,
    documentUrl,
    async isFree(name: string): Promise<boolean> {
      const { members } = await request(`${url}/api/v1/name/${encodeURIComponent(name)}`, {})
      return members.available === true
    },
    /** Signed for this moment; the nonce tells two claims of the same second apart. */
    claim(name: string): Promise<JsonAnswer> {
      const address = `${url}/api/v1/register`
      const body = JSON.stringify({ name, pubkey })
      const nonce = Buffer.from(random.bytes(8)).toString('hex')
      const authorization = httpAuthHeader({
        url: address,
        method: 'POST',
        body: new TextEncoder().encode(body),
        secret,
        now: clock.now(),
        random,
        extraTags: [['nonce', nonce]],
      })
      const headers = { authorization, 'content-type': 'application/json' }
      return request(address, { method: 'POST', headers, body })
    },
    /** The NIP-05 document, and the key that it names. */
    async resolve(name: string): Promise<{ readonly document: string; readonly pubkey: unknown }> {
      const { members } = await request(documentUrl(name), {})
      return { document: JSON.stringify(members), pubkey: membersOf(members.names)[name] }
    },
  }
}
