// The two strangers a name authority asks: an invoicing service that makes and settles invoices, and a Grin node that knows kernels.
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Bill, NameLog } from './name-log.js'

export const TIP = 5000

export interface StandIns {
  readonly payUrl: string
  readonly nodeUrl: string
  close(): Promise<void>
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** Answers JSON; `undefined` is a 404. */
async function serve(answer: (path: string, body: string, headers: IncomingMessage['headers']) => unknown) {
  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      const reply = answer(request.url ?? '', body, request.headers)
      response.writeHead(reply === undefined ? 404 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(reply ?? { error: 'not found' }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return { server, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` }
}

const close = (server: Server) =>
  new Promise<void>((resolve) => {
    server.closeAllConnections()
    server.close(() => resolve())
  })

/** Both look at the log: what the payers do there is what they say. */
export async function startStandIns({ bills, kernels }: NameLog): Promise<StandIns> {
  const orders = new Map<string, Bill>()
  const shown = ({ id, status }: Bill) => ({ invoice_id: id, pay_url: `https://till.example/pay/${id}`, status })

  /** A repeated order is the same invoice. */
  function order(body: string, repeat: unknown): Bill {
    const known = orders.get(String(repeat))
    if (known) return known
    const { order_ref: ref } = JSON.parse(body) as { order_ref: string }
    const bill: Bill = { id: `inv-${bills.size + 1}`, key: ref.split(':')[1] ?? '', status: 'open' }
    bills.set(bill.id, bill)
    orders.set(String(repeat), bill)
    return bill
  }

  const till = await serve((path, body, headers) => {
    if (path === '/invoice') return shown(order(body, headers['idempotency-key']))
    const bill = bills.get(path.replace('/invoice/', ''))
    return bill && shown(bill)
  })
  const node = await serve((_, body) => {
    const { id, method, params } = JSON.parse(body) as { id: unknown; method: string; params: string[] }
    if (method === 'get_tip') return { id, jsonrpc: '2.0', result: { Ok: { height: TIP, last_block_pushed: 'ab' } } }
    const height = kernels.get(String(params[0]))
    const found = { tx_kernel: { excess: params[0] }, height, mmr_index: 7 }
    return { id, jsonrpc: '2.0', result: height === undefined ? { Err: 'NotFound' } : { Ok: found } }
  })
  return {
    payUrl: till.url,
    nodeUrl: `${node.url}/v2/foreign`,
    close: async () => void (await Promise.all([close(till.server), close(node.server)])),
  }
}
