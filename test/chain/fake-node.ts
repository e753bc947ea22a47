// A node with scripted answers, over real HTTP on a free port of this machine.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Reply =
  | { readonly ok: unknown }
  | { readonly err: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }
  | { readonly status: number; readonly body: string; readonly headers?: Record<string, string> }
  | 'hang'
  | 'reset'

export interface Call {
  readonly method: string
  readonly params: readonly unknown[]
  readonly authorization: string | undefined
  readonly path: string | undefined
}

/** `reply` is asked for every request; `calls` remembers them. */
export async function startNode(reply: (call: Call) => Reply) {
  const calls: Call[] = []
  const server = createServer(async (request, response) => {
    const { method, params } = JSON.parse(await bodyOf(request))
    const call = { method, params, authorization: request.headers.authorization, path: request.url }
    calls.push(call)
    answer(response, reply(call))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    calls,
    host: `127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}`,
    /** Closes kept-alive connections, as a restart does. */
    dropConnections: () => server.closeIdleConnections(),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}

function answer(response: ServerResponse, reply: Reply): void {
  if (reply === 'hang') return
  if (reply === 'reset') return void response.socket?.destroy()
  if ('status' in reply) return void response.writeHead(reply.status, reply.headers).end(reply.body)
  const result = 'ok' in reply ? { result: { Ok: reply.ok } } : 'err' in reply ? { result: { Err: reply.err } } : reply
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ id: 1, jsonrpc: '2.0', ...result }))
}

/** Answers of a healthy node at this height; `hash` is derived from it. */
export function healthy(height: number, timestamp = '2026-11-21T12:00:00+00:00') {
  const hash = height.toString(16).padStart(64, '0')
  return (call: Call): Reply => {
    if (call.method === 'get_tip') return { ok: { height, last_block_pushed: hash } }
    if (call.method === 'get_header') return { ok: { height, hash, timestamp } }
    return { err: 'NotFound' }
  }
}
