// A shop's webhook endpoint that trusts no sender: it recomputes every signature with Node's own HMAC.
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedEvent {
  readonly body: string
  readonly json: { event_id: string; event_type: string; invoice_id: string | null; payment: Record<string, unknown> }
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

export interface HookReceiver {
  readonly url: string
  readonly events: readonly ReceivedEvent[]
  /** What was wrong with requests so far; empty when all verified. */
  readonly faults: readonly string[]
  waitFor(type: string, invoiceId: string, ms?: number): Promise<ReceivedEvent>
  close(): Promise<void>
}

const hmac = (key: string | Buffer, text: string, encoding: 'hex' | 'base64') =>
  createHmac('sha256', key).update(text).digest(encoding)

function faultsOf(secret: string, body: string, headers: ReceivedEvent['headers']): string[] {
  const hex = `sha256=${hmac(secret, body, 'hex')}`
  const id = String(headers['webhook-id'])
  const signed = `${id}.${String(headers['webhook-timestamp'])}.${body}`
  const standard = `v1,${hmac(Buffer.from(secret.replace(/^whsec_/, ''), 'base64'), signed, 'base64')}`
  const expected: Readonly<Record<string, string>> = {
    'x-pay-signature': hex,
    'x-goblinpay-signature': hex,
    'x-pay-delivery': id,
    'x-goblinpay-delivery': id,
    'webhook-signature': standard,
    'content-type': 'application/json',
  }
  return Object.entries(expected).flatMap(([name, value]) =>
    headers[name] === value ? [] : [`${name}: ${String(headers[name])} instead of ${value}`],
  )
}

/** Keeps what came, in order, and answers 200 to it, unless `answers` says that the sender hears nothing. */
export async function startHookReceiver(secret: string, answers: () => boolean = () => true): Promise<HookReceiver> {
  const events: ReceivedEvent[] = []
  const faults: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      faults.push(...faultsOf(secret, body, request.headers))
      events.push({ body, json: JSON.parse(body) as ReceivedEvent['json'], headers: request.headers })
      if (answers()) response.end('ok')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    events,
    faults,
    async waitFor(type, invoiceId, ms = 30_000) {
      for (let waited = 0; waited <= ms; waited += 50) {
        const found = events.find(({ json }) => json.event_type === type && json.invoice_id === invoiceId)
        if (found) return found
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      throw new Error(`no ${type} for ${invoiceId} within ${ms} ms; got ${events.map(({ json }) => json.event_type)}`)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
