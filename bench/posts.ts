// Requests that are written ahead, over connections that stay open: the load must not cost more than what it measures.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Server } from './load.js'

type Headers = Readonly<Record<string, string>>

/** One POST as it goes over the wire. */
export const postOf = (server: Server, path: string, headers: Headers, body: string): Buffer =>
  wireOf(server, `POST ${path}`, { 'content-length': String(Buffer.byteLength(body)), ...headers }, body)

/** One GET as it goes over the wire. */
export const getOf = (server: Server, path: string, headers: Headers): Buffer => wireOf(server, `GET ${path}`, headers)

function wireOf({ url }: Server, line: string, headers: Headers, body = ''): Buffer {
  const lines = Object.entries({ host: new URL(url).host, ...headers })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.from(`${line} HTTP/1.1\r\n${head}\r\n${body}`)
}

/** Sends all of them, each client the next one once it has its answer. Gives answers per second; throws when one is neither 200 nor 201. */
export async function sendAll({ url }: Server, posts: readonly Buffer[], clients: number): Promise<number> {
  const { hostname, port } = new URL(url)
  const sockets = Array.from({ length: clients }, () => connect(Number(port), hostname).setNoDelay())
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  const waiting = [...posts].reverse()
  const begun = performance.now()
  try {
    await Promise.all(sockets.map((socket) => serve(socket, () => waiting.pop())))
    return posts.length / ((performance.now() - begun) / 1000)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

/** Resolves when there is no next request; rejects at the first answer that is neither 200 nor 201. */
function serve(socket: Socket, next: () => Buffer | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = ''
    const send = (): void => {
      const post = next()
      if (post) socket.write(post)
      else resolve()
    }
    socket.setEncoding('latin1')
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the server hung up')))
    socket.on('data', (chunk: string) => {
      text += chunk
      if (!isWhole(text)) return
      if (!/^HTTP\/1\.1 20[01]/.test(text)) return reject(new Error(text))
      text = ''
      send()
    })
    send()
  })
}

function isWhole(answer: string): boolean {
  const head = answer.indexOf('\r\n\r\n')
  const length = /content-length: (\d+)/i.exec(answer)?.[1]
  return head !== -1 && answer.length >= head + 4 + Number(length)
}
