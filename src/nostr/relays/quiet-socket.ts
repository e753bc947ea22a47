// Sockets to relays that a stranger named. All they have to say to us is OK, a challenge now and then, a notice; one that says more
// would cost us memory and arithmetic at its master's will, times the number of connections.
import { createMinuteLimit } from '../../lib/rate-limiter.js'
import type { OpenSocket, RelayClock } from './ports.js'

const MAX_FRAME_BYTES = 16_384
const MINUTE_FRAMES = 1200
const MINUTE_CHARS = 1024 * 1024

export interface QuietSocketParts {
  readonly openSocket: OpenSocket
  readonly clock: Pick<RelayClock, 'monotonic'>
  /** It said too much; nothing more is heard of it. May be called again. */
  readonly onNoise: () => void
}

/** An opener whose sockets pass on short frames only, and few of them. */
export const quietSocket =
  ({ openSocket, clock, onNoise }: QuietSocketParts): OpenSocket =>
  (request, listener) => {
    const [frames, chars] = [createMinuteLimit(MINUTE_FRAMES, clock), createMinuteLimit(MINUTE_CHARS, clock)]
    const isTooMuch = (length: number): boolean => [frames(), chars(length)].some(Boolean)
    return openSocket(
      { ...request, maxFrameBytes: Math.min(request.maxFrameBytes, MAX_FRAME_BYTES) },
      { ...listener, frame: (text) => (isTooMuch(text.length) ? onNoise() : listener.frame(text)) },
    )
  }
