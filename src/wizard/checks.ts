// Looks at the world before anything is written. A failed check is a warning: the world may be up later.
import { type HttpResponse, httpTransport, type Transport } from '../client/index.js'
import { messageOf } from '../lib/errors.js'
import { createOpenWebSocket } from '../system/index.js'

export interface NodeCheck {
  readonly url: string
  readonly height: number | undefined
  readonly detail: string
}

const TIMEOUT_MS = 8_000
const TIP = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'get_tip', params: [] })

/** Asks every node for its tip, all at the same time. The till's node settings leave `path` out. Never throws. */
export const checkNodes = (
  urls: readonly string[],
  transport: Transport = httpTransport(TIMEOUT_MS),
  path = '/v2/foreign',
): Promise<readonly NodeCheck[]> => Promise.all(urls.map((url) => checkNode(url, path, transport)))

export interface RelayReachability {
  readonly url: string
  readonly ok: boolean
  readonly detail: string
}

/** Greets every relay, all at the same time. Whether it carries payments is for `grinpay doctor`. Never throws. */
export const checkRelays = (urls: readonly string[]): Promise<readonly RelayReachability[]> =>
  Promise.all(urls.map(checkRelay))

const DEAF = { frame: () => undefined, ping: () => undefined, pong: () => undefined, closed: () => undefined }
const MAX_FRAME_BYTES = 262_144

async function checkRelay(url: string): Promise<RelayReachability> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const request = { url, timeoutMs: TIMEOUT_MS, maxFrameBytes: MAX_FRAME_BYTES, publicOnly: false, signal }
  try {
    const socket = await createOpenWebSocket()(request, DEAF)
    socket.close()
    return { url, ok: true, detail: 'answers' }
  } catch (error) {
    return { url, ok: false, detail: messageOf(error) }
  }
}

async function checkNode(url: string, path: string, transport: Transport): Promise<NodeCheck> {
  try {
    const headers = { 'content-type': 'application/json' }
    const answer = await transport({ method: 'POST', url: `${url}${path}`, headers, body: TIP, who: 'the node' })
    const height = heightIn(answer)
    return {
      url,
      height,
      detail: height === undefined ? `answers ${answer.status}, but not as a node` : `at height ${height}`,
    }
  } catch (error) {
    return { url, height: undefined, detail: messageOf(error) }
  }
}

function heightIn({ text }: HttpResponse): number | undefined {
  try {
    const height: unknown = JSON.parse(text)?.result?.Ok?.height
    return typeof height === 'number' ? height : undefined
  } catch {
    return undefined // not JSON: not a node
  }
}
