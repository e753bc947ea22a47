// Websockets through the proxy: whether one opens, carries the largest message, and may be silent.
import { toHex } from '../../lib/bytes.js'
import { messageOf } from '../../lib/errors.js'
import { openRelayClient } from '../../nostr/relays/index.js'
import { PATIENCE_MS } from '../ask.js'
import { type Finding, fail, pass } from '../finding.js'
import { PROXY, type RelayCheck, type RelayDoctorContext } from './context.js'

/** As wallets may send. */
const LARGE_BYTES = 131_072
/** A 64-digit id in quotes, and a comma. */
const ID_BYTES = 67

/** A websocket, and the largest question through it. */
export async function shakeHands(context: RelayDoctorContext, url: string): Promise<readonly Finding[]> {
  let end: string | undefined
  const answered = new AbortController()
  const onClosed = (reason: string) => {
    end = reason
    answered.abort()
  }
  try {
    const client = await openRelayClient({ ...context, url, timeoutMs: PATIENCE_MS, onClosed })
    client.start()
    const question = largeQuestion(context)
    let isAnswered = false
    const answer = () => {
      isAnswered = true
      answered.abort()
      return true
    }
    client.subs.open('doctor', [question], { event: answer, eose: answer, closed: answer })
    await context.clock.sleep(PATIENCE_MS, answered.signal)
    client.terminate('the examination is over')
    const size = `${Math.floor(JSON.stringify(['REQ', 'doctor', question]).length / 1024)} KB`
    if (isAnswered) return [pass(`a websocket opens, and carries ${size}`)]
    const why = end ?? `no answer within ${PATIENCE_MS / 1000} s`
    return [fail(`a websocket opens, but a message of ${size} does not get through: ${why}`, PROXY)]
  } catch (thrown) {
    return [
      fail(`no websocket opens at the public address: ${messageOf(thrown)}`, `the proxy must pass Upgrade: ${PROXY}`),
    ]
  }
}

function largeQuestion({ config, random }: RelayDoctorContext) {
  const { maxMessageBytes, maxFilterValues } = config.relay.limits
  const room = Math.floor((Math.min(maxMessageBytes, LARGE_BYTES) - 100) / ID_BYTES)
  const ids = Array.from({ length: Math.min(room, maxFilterValues) }, () => toHex(random.bytes(32)))
  return { ids, limit: 1 }
}

/** Somewhat longer than the relay is silent itself, but no longer than most people wait. */
const AFTER_PING_MS = 5000
const LONGEST_MS = 65_000
const MOST_FRAME = 1_048_576

export const idleCheck: RelayCheck = {
  name: 'idle',
  limitMs: 90_000,
  applies: ({ relay }) => relay.info.relayUrls.length > 0,
  async run(context) {
    const [url = ''] = context.config.relay.info.relayUrls
    const closing = new AbortController()
    let why: string | undefined
    // Not the relay client: that one pings.
    const request = {
      url,
      timeoutMs: PATIENCE_MS,
      maxFrameBytes: MOST_FRAME,
      publicOnly: false,
      signal: context.signal,
    }
    const ignore = () => undefined
    const closed = ({ reason }: { readonly reason: string }) => {
      why = reason
      closing.abort()
    }
    const socket = await context
      .openSocket(request, { frame: ignore, ping: ignore, pong: ignore, closed })
      .catch(ignore)
    if (socket === undefined) return [] // the check of the address reports it
    const ms = Math.min(context.config.relay.limits.pingSeconds * 1000 + AFTER_PING_MS, LONGEST_MS)
    const since = context.clock.now()
    await context.clock.sleep(ms, closing.signal)
    socket.terminate()
    if (why === undefined) return [pass(`a silent websocket stays open for ${Math.round(ms / 1000)} s`)]
    const seconds = Math.round((context.clock.now() - since) / 1000)
    return [
      fail(
        `a silent websocket is closed after ${seconds} s: ${why}`,
        `in nginx proxy_read_timeout 1h and proxy_send_timeout 1h: ${PROXY}`,
      ),
    ]
  },
}
