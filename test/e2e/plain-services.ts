// The two services that a name authority may ask, as small as they can be: an invoicing service and a Grin node, on this machine.
import { createServer, type IncomingMessage, type Server } from 'node:http'

interface Listening {
  readonly url: string
  close(): Promise<void>
}

type Asked = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}
type Said = { readonly status: number; readonly json: unknown }

async function listen(answer: (asked: Asked) => Said): Promise<Listening> {
  const server: Server = createServer(async (request, reply) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url: path = '', headers } = request
    const { status, json } = answer({ method, path, headers, body: Buffer.concat(chunks).toString('utf8') })
    reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export const SERVICE_TOKEN = 'token of the plain service'

export interface PlainInvoicing extends Listening {
  /** Bodies of POST /invoice, in order. */
  readonly orders: Record<string, unknown>[]
  /** By invoice id; what is not here is 404. */
  readonly statuses: Map<string, string>
  down: boolean
}

/** POST and GET /invoice with nothing but `invoice_id`, `pay_url` and `status`; it knows no Idempotency-Key. */
export async function startPlainInvoicing(): Promise<PlainInvoicing> {
  const orders: Record<string, unknown>[] = []
  const statuses = new Map<string, string>()
  const shown = (id: string) => ({ invoice_id: id, pay_url: `https://pay.example/${id}`, status: statuses.get(id) })

  const answer = ({ method, path, headers, body }: Asked): Said => {
    if (service.down) return { status: 500, json: { error: 'down' } }
    if (headers.authorization !== `Bearer ${SERVICE_TOKEN}`) return { status: 401, json: { error: 'unauthorized' } }
    if (method === 'POST' && path === '/invoice') {
      orders.push(JSON.parse(body))
      const id = `invoice-${orders.length}`
      statuses.set(id, 'open')
      return { status: 200, json: shown(id) }
    }
    const id = path.replace('/invoice/', '')
    return statuses.has(id) ? { status: 200, json: shown(id) } : { status: 404, json: { error: 'not found' } }
  }
  const service: PlainInvoicing = { orders, statuses, down: false, ...(await listen(answer)) }
  return service
}

export interface PlainNode extends Listening {
  tip: number
  /** Height by excess. */
  readonly kernels: Map<string, number>
}

/** `get_kernel` and `get_tip` of a foreign API. */
export async function startPlainNode(): Promise<PlainNode> {
  const kernels = new Map<string, number>()
  const answer = ({ body }: Asked): Said => {
    const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: string[] }
    const height = kernels.get(params[0] ?? '')
    const kernel =
      height === undefined
        ? { Err: 'NotFound' }
        : { Ok: { tx_kernel: { features: 'Plain', excess: params[0], excess_sig: '00' }, height, mmr_index: 7 } }
    const tip = { Ok: { height: node.tip, last_block_pushed: 'aa', prev_block_to_last: 'bb', total_difficulty: 1 } }
    return { status: 200, json: { jsonrpc: '2.0', id, result: method === 'get_tip' ? tip : kernel } }
  }
  const node: PlainNode = { tip: 1000, kernels, ...(await listen(answer)) }
  return node
}
