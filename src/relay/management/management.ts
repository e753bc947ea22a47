// Management over HTTP (NIP-86): authorization, method, answer; and what the relay says about itself.
import { GrinpayError } from '../../lib/errors.js'
import { objectOf, parseJsonBytes } from '../../lib/parse-json.js'
import type { ListSource, OperatorLists } from '../policy/index.js'
import type { RelayInfo } from '../settings.js'
import { createManagerCheck, type ManagementRequest } from './authorize.js'
import { MANAGEMENT_METHODS, type ManagementParts } from './methods.js'

interface ManagementAnswer {
  readonly status: number
  readonly body: { readonly result: unknown } | { readonly error: string }
}

export type Management = (request: ManagementRequest) => Promise<ManagementAnswer>

const refused = (status: number, error: string): ManagementAnswer => ({ status, body: { error } })

/** Throws only internal errors. Errors of the manager are answered with status 200, as NIP-86 requires. */
export function createManagement(parts: ManagementParts): Management {
  const authorize = createManagerCheck(parts)

  return async (request) => {
    const who = await authorize(request)
    if ('refusal' in who) return refused(who.status, who.refusal)
    const call = readCall(request.body)
    if ('refusal' in call) return refused(400, call.refusal)
    const { method, params } = call
    const run = Object.hasOwn(MANAGEMENT_METHODS, method) ? MANAGEMENT_METHODS[method] : undefined
    if (!run) return refused(200, `unsupported method: ${method.slice(0, 40)}`)
    try {
      return { status: 200, body: { result: await run(parts, params, who.pubkey) } }
    } catch (error) {
      if (error instanceof GrinpayError && error.status < 500) return refused(200, `invalid: ${error.message}`)
      throw error
    }
  }
}

interface Call {
  readonly method: string
  readonly params: readonly unknown[]
}

/** What a request asks for. Clients that speak JSON-RPC add `id` and `jsonrpc`; any other member is a misspelt one. */
function readCall(body: Uint8Array): Call | { readonly refusal: string } {
  const { method, params = [], jsonrpc: _version, id: _id, ...others } = objectOf(parseJsonBytes(body))
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) return { refusal: `invalid: unknown member ${JSON.stringify(unknown.slice(0, 40))}` }
  const isCall = typeof method === 'string' && Array.isArray(params)
  return isCall ? { method, params } : { refusal: 'invalid: expected method and params' }
}

/** Settings overlaid with what managers set. Returns the same object until the lists change; an empty text restores the setting. */
export function createInfo(settings: RelayInfo, lists: ListSource): () => RelayInfo {
  let seen: OperatorLists['info'] | undefined
  let info = settings
  return () => {
    const now = lists.current().info
    if (now !== seen) {
      seen = now
      const { name, description, icon } = now
      info = { ...settings, ...(name && { name }), ...(description && { description }), ...(icon && { icon }) }
    }
    return info
  }
}
