// The payer's side of the wire: the checkout page it pays at, and the simulated node it pushes to.
import { GrinpayError, messageOf } from '../lib/errors.js'
import { fetchBounded } from '../lib/http-request.js'
import { membersOf, parseJson } from '../lib/parse-json.js'
import { checkoutRefused, controlRefused, pushRefused, sandboxNodeUnreachable } from './errors.js'

const TIMEOUT_MS = 30_000
/** A simulated node answers with all that waits in its pool. */
const MOST_BYTES = 32 * 1024 * 1024

type Members = ReturnType<typeof membersOf>

export interface JsonAnswer {
  readonly ok: boolean
  readonly status: number
  readonly members: Members
}

/** A JSON request with a bound on time and size. Throws NoAnswer; a redirect is no answer that it understands. */
export async function request(url: string, init: RequestInit): Promise<JsonAnswer> {
  const { status, text, isCut } = await fetchBounded(url, init, { timeoutMs: TIMEOUT_MS, mostBytes: MOST_BYTES })
  const members = isCut ? {} : membersOf(parseJson(text))
  return { ok: status >= 200 && status < 300, status, members }
}

const refusalIn = ({ error }: Members): string => (typeof error === 'string' ? error : 'the answer was not understood')

async function statusAt(payUrl: string): Promise<Members> {
  const { ok, members } = await request(`${payUrl}/status`, { headers: { accept: 'application/json' } }).catch(
    unreached,
  )
  if (!ok) throw checkoutRefused(refusalIn(members))
  return members
}

/** What the page at `payUrl` asks for, in nanogrin. Throws CHECKOUT_REFUSED. */
export async function amountAsked(payUrl: string): Promise<bigint> {
  const { expected_amount: amount, ...rest } = await statusAt(payUrl)
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount)) throw checkoutRefused(refusalIn(rest))
  return BigInt(amount)
}

/** The id of the invoice whose page is at `payUrl`. Throws CHECKOUT_REFUSED. */
export async function invoiceIdAt(payUrl: string): Promise<string> {
  const { invoice_id: id, ...rest } = await statusAt(payUrl)
  if (typeof id !== 'string') throw checkoutRefused(refusalIn(rest))
  return id
}

/** Pastes a slatepack as a customer's browser does; answers the reply. Throws CHECKOUT_REFUSED. */
export async function pasteSlatepack(payUrl: string, slatepack: string): Promise<string> {
  const { members } = await request(`${payUrl}/slatepack`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ slatepack }).toString(),
  }).catch(unreached)
  if (members.ok !== true || typeof members.slatepack !== 'string') throw checkoutRefused(refusalIn(members))
  return members.slatepack
}

function unreached(cause: unknown): never {
  throw checkoutRefused(messageOf(cause))
}

/** A refusal of the sandbox with its own code, words and hint. */
function refusalOf({ status, members }: JsonAnswer): GrinpayError {
  const { code, hint } = members
  if (typeof code !== 'string') return controlRefused(refusalIn(members))
  return new GrinpayError(code, refusalIn(members), status, typeof hint === 'string' ? hint : undefined)
}

/** One of the sandbox's own controls; answers the node's state. Throws SANDBOX_NODE_UNREACHABLE and what the sandbox refuses. */
export async function steer(nodeUrl: string, action: string, body: object): Promise<Members> {
  const answer = await request(`${nodeUrl}/sandbox/${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch((cause: unknown) => {
    throw sandboxNodeUnreachable(nodeUrl, messageOf(cause))
  })
  if (!answer.ok) throw refusalOf(answer)
  return answer.members
}

async function callRpc(url: string, method: string, params: readonly unknown[]): Promise<Members> {
  const { members } = await request(`${url}/v2/foreign`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return members
}

const callNode = (nodeUrl: string, method: string, params: readonly unknown[]): Promise<Members> =>
  callRpc(nodeUrl, method, params).catch((cause: unknown) => {
    throw sandboxNodeUnreachable(nodeUrl, messageOf(cause))
  })

/** Asks a wallet's Foreign API, as a stock sender reads it: `error` first, then `result.Ok`. Rejects when no answer comes. */
export async function callForeign(
  url: string,
  method: string,
  params: readonly unknown[],
): Promise<{ readonly ok: unknown } | { readonly refusal: string }> {
  const { error, result } = await callRpc(url, method, params)
  const { message } = membersOf(error)
  if (error !== undefined && error !== null)
    return { refusal: typeof message === 'string' ? message : 'no reason given' }
  const { Ok: ok } = membersOf(result)
  return ok === undefined ? { refusal: 'the answer was not understood' } : { ok }
}

/** Which of these commitments (hex) can be spent: outputs in the pool or on the chain. Throws SANDBOX_NODE_UNREACHABLE. */
export async function spendable(nodeUrl: string, commits: readonly string[]): Promise<(commit: string) => boolean> {
  // The pool first: what a block takes in between is then on the chain.
  const pool = await callNode(nodeUrl, 'get_unconfirmed_transactions', [])
  const outputs = await callNode(nodeUrl, 'get_outputs', [commits, null, null, false, false])
  const text = JSON.stringify([pool.result, outputs.result])
  return (commit) => text.includes(`"${commit}"`)
}

/** Pushes a transaction with fluff. A node that has it already counts as success. Throws PUSH_REFUSED. */
export async function pushTransaction(nodeUrl: string, transaction: object): Promise<void> {
  const members = await callNode(nodeUrl, 'push_transaction', [transaction, true])
  const text = JSON.stringify(members.result ?? members.error ?? null)
  if (text !== '{"Ok":null}' && !text.includes('Duplicate tx')) throw pushRefused(text)
}
