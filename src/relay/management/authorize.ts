// Authorizes management requests: signed for this relay (NIP-98) by a listed key, each signature used once.
import { checkHttpAuth, MAX_AHEAD_SECONDS, type ProvenRequest } from '../../nostr/http-auth/index.js'
import type { ManagementParts } from './methods.js'

export interface ManagementRequest {
  readonly authorization: string | undefined
  readonly body: Uint8Array
}

export type Authorized = { readonly pubkey: string } | { readonly status: 401 | 403; readonly refusal: string }

/** Seconds for which a signature is valid. */
const MAX_AGE = 60
/** Limit of remembered signatures. Beyond it further requests in the same minute are refused. */
const MOST_USED = 10_000
const MOST_URLS = 16
const TOO_OLD = `auth event is older than this process: sign it again ${MAX_AHEAD_SECONDS} seconds after the relay started`
const OTHER_PLACE = 'auth event url mismatch'

const REPLAYED: Authorized = { status: 401, refusal: 'auth event replayed' }

type Parts = Pick<ManagementParts, 'relayUrls' | 'admins' | 'lists' | 'clock' | 'claimUse'>

/** The signature also covers the body. A check costs about a millisecond, so the caller limits the rate of requests. */
export function createManagerCheck({
  relayUrls,
  admins,
  lists,
  clock,
  claimUse,
}: Parts): (request: ManagementRequest) => Promise<Authorized> {
  const urls = relayUrls.flatMap(formsOf).slice(0, MOST_URLS)
  const isUsed = createOnce(clock)
  const isAdmin = (key: string) => admins.includes(key) || lists.current().admins.has(key)
  const firstSafe = Math.ceil(clock.now() / 1000) + MAX_AHEAD_SECONDS

  /**
   * A new process does not know the signatures that the previous one used. That process may have accepted signatures up to its last moment, and
   * `MAX_AHEAD_SECONDS` more where a client's clock was ahead.
   */
  const isOld = ({ createdAt }: ProvenRequest) => createdAt < firstSafe

  return async (request) => {
    const now = secondsOf(clock.now())
    const proven = proofOf(request, urls, now)
    if ('refusal' in proven) return { status: 401, refusal: proven.refusal }
    if (!isAdmin(proven.pubkey)) return { status: 403, refusal: 'restricted: this key does not manage the relay' }
    if (isOld(proven)) return { status: 401, refusal: TOO_OLD }
    if (isUsed(proven)) return REPLAYED
    if (claimUse && !(await claimUse(proven.id, validUntil(proven)))) return REPLAYED
    return { pubkey: proven.pubkey }
  }
}

/** Epoch seconds after which the signature is refused as old. */
const validUntil = ({ createdAt }: Pick<ProvenRequest, 'createdAt'>): number => createdAt + MAX_AGE + MAX_AHEAD_SECONDS

const secondsOf = (ms: number): number => Math.floor(ms / 1000)

/** NIP-86 names the relay's address. Clients write it as websocket address or as HTTP address. */
const formsOf = (url: string): readonly string[] => [url, url.replace(/^ws/i, 'http')]

function proofOf(
  { authorization, body }: ManagementRequest,
  urls: readonly string[],
  now: number,
): ProvenRequest | { readonly refusal: string } {
  let outcome: ReturnType<typeof checkHttpAuth> = { refusal: 'this relay has no address to sign requests for' }
  for (const url of urls) {
    outcome = checkHttpAuth({ authorization, method: 'POST', url, body, now, maxAge: MAX_AGE })
    if (!('refusal' in outcome) || outcome.refusal !== OTHER_PLACE) return outcome
  }
  return outcome
}

/** True for a signature that was used before, and for every signature when the memory for them is full. */
function createOnce({ now }: Parts['clock']): (proven: ProvenRequest) => boolean {
  const used = new Map<string, number>()
  return ({ id, createdAt }) => {
    const moment = secondsOf(now())
    if (used.size >= MOST_USED) for (const [known, until] of used) if (until < moment) used.delete(known)
    if (used.has(id) || used.size >= MOST_USED) return true
    used.set(id, validUntil({ createdAt }))
    return false
  }
}
