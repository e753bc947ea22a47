// A way to a server that can be cut and mended, on real sockets.
import { connect, createServer, type Socket } from 'node:net'
import { freePort } from './till-process.js'

export async function cableTo(target: number) {
  const port = await freePort()
  const ends = new Set<Socket>()
  const server = createServer((from) => {
    const to = connect(target, '127.0.0.1')
    for (const end of [from, to]) {
      ends.add(end)
      end.on('error', () => end.destroy())
      end.on('close', () => ends.delete(end))
    }
    from.pipe(to).pipe(from)
  })
  const mend = () => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  function cut(): void {
    server.close()
    for (const end of ends) end.destroy()
  }
  await mend()
  return { port, cut, mend }
}

export type Cable = Awaited<ReturnType<typeof cableTo>>
