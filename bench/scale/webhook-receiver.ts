// What benchmarked tills call with their webhooks: answers at once, and counts.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface WebhookReceiver {
  readonly url: string
  /** Resolves with the ids of their events when so many have come since the call. */
  next(count: number): Promise<readonly string[]>
}

/** Does not keep the process alive. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  let ids: string[] = []
  let wanted = Number.POSITIVE_INFINITY
  let resolveAll: () => void = () => undefined
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.end()
      ids.push(String(request.headers['webhook-id']))
      if (ids.length >= wanted) resolveAll()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async next(count) {
      ids = []
      wanted = count
      await new Promise<void>((resolve) => {
        resolveAll = resolve
      })
      return ids
    },
  }
}
