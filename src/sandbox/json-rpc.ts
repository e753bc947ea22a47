// One HTTP body to the simulated node, answered as a node answers it. Specification: grin-network, 2.
import { messageOf } from '../lib/errors.js'
import { answerRpc, type RpcMethod } from '../lib/json-rpc.js'
import { METHODS, type NodeApiParts } from './foreign-methods.js'
import { createArguments } from './rpc-arguments.js'

/** What goes back over HTTP. */
export interface NodeAnswer {
  readonly status: number
  readonly body: string
  readonly contentType?: string
}

const MOST_CALLS = 1_000

const methodsOver = (parts: NodeApiParts): Readonly<Record<string, RpcMethod>> =>
  Object.fromEntries(
    Object.entries(METHODS).map(([name, { names, call }]) => [
      name,
      { names, call: (values) => call(createArguments(values, names), parts) },
    ]),
  )

/** Never throws for what a client sent. */
export async function answerForeign(text: string, parts: NodeApiParts): Promise<NodeAnswer> {
  let request: unknown
  try {
    request = JSON.parse(text)
  } catch (error) {
    const reason = messageOf(error)
    return { status: 500, body: `Request error: Invalid request body: ${reason}` }
  }
  const answer = await answerRpc(request, { methods: methodsOver(parts), mostCalls: MOST_CALLS })
  return { status: 200, body: JSON.stringify(answer, null, 2), contentType: 'application/json' }
}
