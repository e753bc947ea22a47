// A client of a relay over a real socket, for tests: sends anything at all, and waits for answers in their order.
import { type ClientOptions, WebSocket } from 'ws'

export interface RelayClient {
  readonly socket: WebSocket
  /** A list becomes JSON; texts and bytes are sent as they are. */
  send(message: readonly unknown[] | string | Buffer): void
  /** The next message that the relay sends. */
  next(): Promise<readonly unknown[]>
  /** All messages up to the first of this kind, that one included. */
  until(verb: string): Promise<readonly (readonly unknown[])[]>
  /** Close code, once the connection has ended. */
  readonly ended: Promise<number>
  close(): void
}

export async function relayClient(url: string, options: ClientOptions = {}): Promise<RelayClient> {
  const socket = new WebSocket(url, { perMessageDeflate: false, ...options })
  const arrived: (readonly unknown[])[] = []
  const waiting: ((message: readonly unknown[]) => void)[] = []
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as readonly unknown[]
    const next = waiting.shift()
    if (next) next(message)
    else arrived.push(message)
  })
  const ended = new Promise<number>((resolve) => socket.on('close', resolve))
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))

  const next = (): Promise<readonly unknown[]> =>
    new Promise((resolve) => {
      const message = arrived.shift()
      if (message) resolve(message)
      else waiting.push(resolve)
    })

  return {
    socket,
    send: (message) => socket.send(Array.isArray(message) ? JSON.stringify(message) : (message as string | Buffer)),
    next,
    async until(verb) {
      const seen: (readonly unknown[])[] = []
      for (;;) {
        const message = await next()
        seen.push(message)
        if (message[0] === verb) return seen
      }
    },
    ended,
    close: () => socket.terminate(),
  }
}
