// A server on this machine that does one thing, and is gone after the test.
import { createServer, type RequestListener } from 'node:http'
import { onTestFinished } from 'vitest'

/** Answers its address. */
export async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}
