// Websockets through the proxy: whether one opens, carries the largest message, and may be silent.
import { toHex } from '../../lib/bytes.js'
import { messageOf } from '../../lib/errors.js'
import { PATIENCE_MS } from '../ask.js'
import { type Finding, fail, pass } from '../finding.js'
import { PROXY, type RelayCheck, type RelayDoctorContext } from './context.js'

const MOST_FRAME = 1_048_576
/** As wallets may send. */
const LARGE_BYTES = 131_072
/** A 64-digit id in quotes, and a comma. */
const ID_BYTES = 67

interface Line {
  send(frame: string): void
  /** The first frame that has this in it; undefined when the time is over or the line is closed. */
  heard(text: string, ms: number): Promise<string | undefined>
  /** Why it ended; undefined while it stands. */
  ended(): string | undefined
  /** Waits so long, or until it ends. */
  hold(ms: number): Promise<void>
  close(): void
}

/** Rejects with an Error whose message says in one line why there is no connection. */
async function openLine({ openSocket, clock, signal }: RelayDoctorContext, url: string): Promise<Line> {
  const frames: string[] = []
  let end: string | undefined
  let wake = new AbortController()
  const stir = () => {
    wake.abort()
    wake = new AbortController()
  }
  const socket = await openSocket(
    { url, timeoutMs: PATIENCE_MS, maxFrameBytes: MOST_FRAME, publicOnly: false, signal },
    {
      frame(text) {
        frames.push(text)
        stir()
      },
      ping: () => undefined,
      pong: () => undefined,
      closed({ reason }) {
        end = reason
        stir()
      },
    },
  )
  const over = (ms: number) => clock.now() + ms
  return {
    send: (frame) => socket.send(frame),
    async heard(text, ms) {
      const until = over(ms)
      for (;;) {
        const found = frames.find((frame) => frame.includes(text))
        const left = until - clock.now()
        if (found !== undefined || end !== undefined || left <= 0) return found
        await clock.sleep(left, wake.signal)
      }
    },
    ended: () => end,
    async hold(ms) {
      const until = new AbortController()
      const time = clock.sleep(ms, until.signal).then(() => true)
      while (end === undefined) {
        const stirred = new Promise<boolean>((resolve) =>
          wake.signal.addEventListener('abort', () => resolve(false), { once: true }),
        )
        if (await Promise.race([time, stirred])) break
      }
      until.abort()
    },
    close: () => socket.terminate(),
  }
}

/** A websocket, and the largest question through it. */
export async function shakeHands(context: RelayDoctorContext, url: string): Promise<readonly Finding[]> {
  try {
    const line = await openLine(context, url)
    try {
      return [await largeFinding(line, context)]
    } finally {
      line.close()
    }
  } catch (thrown) {
    return [
      fail(`no websocket opens at the public address: ${messageOf(thrown)}`, `the proxy must pass Upgrade: ${PROXY}`),
    ]
  }
}

async function largeFinding(line: Line, { config, random }: RelayDoctorContext): Promise<Finding> {
  const { maxMessageBytes, maxFilterValues } = config.relay.limits
  const room = Math.floor((Math.min(maxMessageBytes, LARGE_BYTES) - 100) / ID_BYTES)
  const ids = Array.from({ length: Math.min(room, maxFilterValues) }, () => toHex(random.bytes(32)))
  const question = JSON.stringify(['REQ', 'doctor', { ids, limit: 1 }])
  line.send(question)
  const size = `${Math.floor(question.length / 1024)} KB`
  if ((await line.heard('"doctor"', PATIENCE_MS)) !== undefined) return pass(`a websocket opens, and carries ${size}`)
  const why = line.ended() ?? `no answer within ${PATIENCE_MS / 1000} s`
  return fail(`a websocket opens, but a message of ${size} does not get through: ${why}`, PROXY)
}

/** Somewhat longer than the relay is silent itself, but no longer than most people wait. */
const AFTER_PING_MS = 5000
const LONGEST_MS = 65_000

export const idleCheck: RelayCheck = {
  name: 'idle',
  limitMs: 90_000,
  applies: ({ relay }) => relay.info.relayUrls.length > 0,
  async run(context) {
    const [url = ''] = context.config.relay.info.relayUrls
    const line = await openLine(context, url).catch(() => undefined)
    if (line === undefined) return [] // the check of the address reports it
    const ms = Math.min(context.config.relay.limits.pingSeconds * 1000 + AFTER_PING_MS, LONGEST_MS)
    const since = context.clock.now()
    await line.hold(ms)
    const why = line.ended()
    line.close()
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
