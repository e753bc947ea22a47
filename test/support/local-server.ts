// A server on this machine that does one thing, and is gone after the test.
import { createServer, type RequestListener, type Server } from 'node:http'
import { onTestFinished } from 'vitest'

/** Answers its address. */
export async function serving(listener: RequestListener): Promise<string> {
  const { url, close } = await lasting(listener)
  onTestFinished(close)
  return url
}

/** The same for several tests, until it is closed. */
export async function lasting(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: addressOf(server), close: () => void server.close().closeAllConnections() }
}

function addressOf(server: Server): string {
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}
