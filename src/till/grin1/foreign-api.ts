// The Foreign API over HTTP, without a server: what a request is answered with (specification: grin-wallet, 7; invoicing, 2.12 and 5.2).
import { GrinpayError, messageOf } from '../../lib/errors.js'
import { answerRpc, badArgument, RPC_INVALID_REQUEST, RpcFailure, rpcCallsIn, rpcError } from '../../lib/json-rpc.js'
import type { Clock, Log } from '../../lib/ports.js'
import { createFixedWindow } from '../../lib/rate-limiter.js'
import { foreignMethods, type InTime, type MethodParts } from './methods.js'

export interface ForeignApiParts extends MethodParts {
  readonly clock: Clock
  readonly log: Pick<Log, 'error'>
  /** False switches the rate limit off. */
  readonly rateLimits?: boolean
}

interface ForeignRequest {
  readonly method: string
  /** Without query. */
  readonly path: string
  /** Reads the body: at most `FOREIGN_BODY_LIMIT` bytes; `cut` when there was more. */
  readonly body: () => Promise<{ readonly bytes: Uint8Array; readonly cut: boolean }>
}

export interface ForeignAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface ForeignApi {
  /** Rejects only when the body cannot be read; whatever a client sends is answered. */
  answer(request: ForeignRequest): Promise<ForeignAnswer>
}

/** The widest slate a block can hold is 1.3 MB as JSON. */
export const FOREIGN_BODY_LIMIT = 1_300_000
const PATH = '/v2/foreign'
/** A stock wallet asks twice for one payment. */
const CALLS_PER_MINUTE = 30
const CALLS_PER_BATCH = 16
/** Stock wallets wait 20 s, the way through Tor included. */
const PATIENCE_MS = 12_000

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'Content-Type, Authorization',
}
const NOT_FOUND: ForeignAnswer = { status: 404, headers: {}, body: '' }

export function createForeignApi(parts: ForeignApiParts): ForeignApi {
  const { clock, log, rateLimits = true } = parts
  // One limit for all payers: behind an onion service they have one address.
  const limit = rateLimits ? CALLS_PER_MINUTE : Number.POSITIVE_INFINITY
  const minute = createFixedWindow({ limit, windowMs: 60_000 }, clock)
  const report = (thrown: unknown): void => log.error({ cause: messageOf(thrown) }, 'foreign API: a call crashed')

  /** Undefined when there is room for so many calls. */
  function refusedFor(calls: number): ForeignAnswer | undefined {
    const delayMs = minute.delayMs('', calls)
    if (delayMs === 0) return undefined
    const seconds = Math.ceil(delayMs / 1000)
    const answer = json(rpcError(RATE_LIMITED, tooOften(CALLS_PER_MINUTE, seconds)), 429)
    return { ...answer, headers: { ...answer.headers, 'retry-after': `${seconds}` } }
  }

  /** All calls of one request share its time. What is late goes on by itself, and its result waits in the store. */
  async function inTime(answerWith: (inTime: InTime) => Promise<object>): Promise<object> {
    const done = new AbortController()
    const late = clock.sleep(PATIENCE_MS, done.signal).then(() => {
      throw stillWorking()
    })
    late.catch(() => undefined)
    try {
      return await answerWith((work) => Promise.race([work, late]))
    } finally {
      done.abort()
    }
  }

  async function post(request: ForeignRequest): Promise<ForeignAnswer> {
    const full = refusedFor(1)
    if (full) return full
    const { bytes, cut } = await request.body()
    if (cut) return json(rpcError(RPC_INVALID_REQUEST, `Invalid request: longer than ${FOREIGN_BODY_LIMIT} bytes`), 413)
    const read = parse(bytes)
    if ('unreadable' in read) return notJson(read.unreadable)
    const more = refusedFor(Math.max(0, Math.min(rpcCallsIn(read.body), CALLS_PER_BATCH) - 1))
    if (more) return more
    const failureOf = (thrown: unknown) => failureFor(thrown, report)
    return json(
      await inTime((within) =>
        answerRpc(read.body, { methods: foreignMethods(parts, within), mostCalls: CALLS_PER_BATCH, failureOf }),
      ),
    )
  }

  return {
    async answer(request) {
      if (request.path !== PATH) return NOT_FOUND
      if (request.method === 'POST') return post(request)
      return request.method === 'OPTIONS' ? json({}) : NOT_FOUND
    },
  }
}

function parse(bytes: Uint8Array): { readonly body: unknown } | { readonly unreadable: string } {
  try {
    return { body: JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')) }
  } catch (error) {
    return { unreadable: messageOf(error) }
  }
}

/** As stock wallets answer it, with our parser's reason. */
const notJson = (reason: string): ForeignAnswer => ({
  status: 500,
  headers: CORS,
  body: `Generic error: Invalid request body: ${reason.slice(0, 120)}`,
})

const json = (value: object, status = 200): ForeignAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...CORS },
  body: JSON.stringify(value, null, 2),
})

// What a payer's wallet shows when the till refuses: a JSON-RPC error with words for people. Stock senders cannot read
// `result.Err`, so there is none (specification: invoicing, 5.2).
const REFUSED = -32_000
const INTERNAL = -32_603

/** The slate is always the first parameter. */
const isUnreadable = ({ code }: GrinpayError): boolean =>
  code === 'SLATE_INVALID' || code === 'SLATE_VERSION_UNSUPPORTED'

/** The failure for anything a method threw. `report` gets internal errors; the client never sees their text. */
function failureFor(thrown: unknown, report: (thrown: unknown) => void): RpcFailure {
  if (!(thrown instanceof GrinpayError)) {
    report(thrown)
    return new RpcFailure(INTERNAL, 'internal error: try again in a minute')
  }
  if (isUnreadable(thrown)) return badArgument('slate', 0, thrown.message)
  const text = thrown.hint === undefined ? thrown.message : `${thrown.message}; ${thrown.hint}`
  return new RpcFailure(thrown.status >= 500 ? INTERNAL : REFUSED, text)
}

/** The slate was taken and is still being worked on; the same request later is answered from the store. */
const stillWorking = (): RpcFailure =>
  new RpcFailure(INTERNAL, 'this takes longer than a wallet waits: send the same again in a minute')

/** The answer beyond the rate limit. */
const tooOften = (perMinute: number, seconds: number): string =>
  `too many requests: at most ${perMinute} a minute are taken; try again in ${seconds} s`

const RATE_LIMITED = REFUSED
