// A connection that can be cut as a network is: nothing is closed, and nothing arrives.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  readonly port: number
  cut(): void
  /** Connections of before stay dead, as after a firewall forgot them; new ones work. */
  heal(): void
  close(): void
}

export async function openProxy(target: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    sockets.add(near)
    near.on('error', () => undefined)
    if (isCut) return void near.pause()
    const far = connect(target, '127.0.0.1')
    sockets.add(far)
    far.on('error', () => undefined)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.pipe(to)
      from.on('close', () => !isCut && to.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    heal() {
      isCut = false
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
