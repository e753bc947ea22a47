// JSON-RPC 2.0 as a Grin node speaks it: envelopes, batches, and the errors before a method runs. Specification: grin-network.md 2.
import { type ForeignParts, METHODS } from './foreign-methods.js'
import { createArguments, orderedArguments, RpcFailure } from './rpc-arguments.js'

/** What goes back over HTTP. */
export interface HttpAnswer {
  readonly status: number
  readonly body: string
  readonly contentType?: string
}

type Request = Readonly<Record<string, unknown>>

const INVALID_REQUEST = { error: { code: -32_600, message: 'Invalid request' }, id: null }
const METHOD_NOT_FOUND = -32_601
const MOST_REQUESTS = 1_000

const isRequest = (value: unknown): value is Request =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && 'method' in value

async function call(method: string, params: unknown, parts: ForeignParts) {
  const known = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined
  if (!known) throw new RpcFailure(METHOD_NOT_FOUND, 'Method not found')
  const values = orderedArguments(params, known.names)
  return known.call(createArguments(values, known.names), parts)
}

async function outcome(request: Request, parts: ForeignParts): Promise<object> {
  try {
    return { result: await call(String(request.method), request.params, parts) }
  } catch (failure) {
    if (!(failure instanceof RpcFailure)) throw failure
    return { error: { code: failure.code, message: failure.message } }
  }
}

/** Members in alphabetical order, as a node prints them; nothing for a notification. */
async function answerOne(request: unknown, parts: ForeignParts): Promise<readonly object[]> {
  if (!isRequest(request)) return [INVALID_REQUEST]
  if (!('id' in request)) return []
  const members = {
    ...(await outcome(request, parts)),
    id: request.id,
    ...('jsonrpc' in request ? { jsonrpc: request.jsonrpc } : {}),
  }
  return [Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)))]
}

const json = (value: unknown): HttpAnswer => ({
  status: 200,
  body: JSON.stringify(value, null, 2),
  contentType: 'application/json',
})

/** Answers one HTTP body. Never throws for what a client sent. */
export async function answerForeign(text: string, parts: ForeignParts): Promise<HttpAnswer> {
  let request: unknown
  try {
    request = JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { status: 500, body: `Request error: Invalid request body: ${reason}` }
  }
  if (!Array.isArray(request)) {
    const [answer] = await answerOne(request, parts)
    return json(answer ?? [])
  }
  const answers: object[] = []
  for (const one of request.slice(0, MOST_REQUESTS)) answers.push(...(await answerOne(one, parts)))
  return json(answers)
}
