// JSON-RPC 2.0 as Grin's own servers speak it: envelopes, batches, parameters by place or by name, and the errors before a
// method runs. Specification: grin-wallet, 7; grin-network, 2. No transport, no knowledge of methods.

/** A failure that the caller reads, with JSON-RPC's code. */
export class RpcFailure extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

export const RPC_INVALID_REQUEST = -32_600
const METHOD_NOT_FOUND = -32_601
const INVALID_PARAMS = -32_602

export interface RpcMethod {
  /** Every parameter, in order; all of them must be given. */
  readonly names: readonly string[]
  /** `values` in the order of `names`. What it answers becomes `result`. */
  call(values: readonly unknown[]): unknown
}

export interface RpcServer {
  readonly methods: Readonly<Record<string, RpcMethod>>
  /** Calls in one body; a longer batch is refused whole. */
  readonly mostCalls: number
  /** The answer to any other error that a method threw; undefined: the error is thrown on. */
  readonly failureOf?: (thrown: unknown) => RpcFailure | undefined
}

type Members = Readonly<Record<string, unknown>>
interface Request extends Members {
  readonly method: string
}

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An id is echoed, so it must be something small and flat: `undefined` for a notification. */
const isId = (id: unknown): boolean =>
  id === undefined || id === null || typeof id === 'string' || typeof id === 'number'

const isRequest = (value: unknown): value is Request =>
  isObject(value) &&
  typeof value.method === 'string' &&
  isId(value.id) &&
  (value.jsonrpc === undefined || value.jsonrpc === '2.0')

/** The answer to a body that holds no request. */
export const rpcError = (code: number, message: string) => ({ error: { code, message }, id: null })

/** How many calls a body holds; anything that is no list counts as one. */
export const rpcCallsIn = (body: unknown): number => (Array.isArray(body) ? body.length : 1)

/** Orders the parameters of a request by the names of the method. Throws RpcFailure. */
function orderedArguments(params: unknown, names: readonly string[]): readonly unknown[] {
  if (isObject(params)) {
    const missing = names.find((name) => !Object.hasOwn(params, name))
    if (missing !== undefined) throw new RpcFailure(INVALID_PARAMS, `MissingNamedParameter ${missing}`)
    return names.map((name) => params[name])
  }
  const given = Array.isArray(params) ? params : []
  if (given.length !== names.length)
    throw new RpcFailure(INVALID_PARAMS, `WrongNumberOfArgs. Expected ${names.length}. Actual ${given.length}`)
  return given
}

/** The value of one parameter has the wrong shape; `why` follows the words every Grin server uses. */
export const badArgument = (name: string, position: number, why?: string): RpcFailure =>
  new RpcFailure(
    INVALID_PARAMS,
    `InvalidArgStructure "${name}" at position ${position}.${why === undefined ? '' : ` ${why}`}`,
  )

async function call({ method, params }: Request, { methods }: RpcServer): Promise<unknown> {
  const known = Object.hasOwn(methods, method) ? methods[method] : undefined
  if (!known) throw new RpcFailure(METHOD_NOT_FOUND, 'Method not found')
  return known.call(orderedArguments(params, known.names))
}

async function outcome(request: Request, server: RpcServer): Promise<Members> {
  try {
    return { result: await call(request, server) }
  } catch (thrown) {
    const failure = thrown instanceof RpcFailure ? thrown : server.failureOf?.(thrown)
    if (!failure) throw thrown
    return { error: { code: failure.code, message: failure.message } }
  }
}

/** A notification is neither run nor answered: no reader waits for its result. */
async function answerOne(request: unknown, server: RpcServer): Promise<readonly object[]> {
  if (!isRequest(request)) return [rpcError(RPC_INVALID_REQUEST, 'Invalid request')]
  if (!Object.hasOwn(request, 'id')) return []
  const version = request.jsonrpc === undefined ? {} : { jsonrpc: request.jsonrpc }
  return [{ ...(await outcome(request, server)), id: request.id, ...version }]
}

/** Answers one parsed body: an object, or a list for a batch, one call after the other. Rejects only for what `failureOf` passes on. */
export async function answerRpc(body: unknown, server: RpcServer): Promise<object> {
  if (!Array.isArray(body)) return (await answerOne(body, server))[0] ?? []
  const { mostCalls } = server
  if (body.length > mostCalls)
    return rpcError(RPC_INVALID_REQUEST, `Invalid request: ${body.length} calls in one batch, at most ${mostCalls}`)
  const answers: object[] = []
  for (const one of body) answers.push(...(await answerOne(one, server)))
  return answers
}
