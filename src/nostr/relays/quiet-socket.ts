// Sockets to relays that a stranger named. All they have to say to us is OK, a challenge now and then, a notice; one that says more
// would cost us memory and arithmetic at its master's will, times the number of connections.
import type { OpenSocket, RelayClock } from './ports.js'

const MAX_FRAME_BYTES = 16_384
const MINUTE_MS = 60_000
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
    let [since, frames, chars] = [clock.monotonic(), 0, 0]
    const isTooMuch = (length: number): boolean => {
      if (clock.monotonic() - since > MINUTE_MS) [since, frames, chars] = [clock.monotonic(), 0, 0]
      frames++
      chars += length
      return frames > MINUTE_FRAMES || chars > MINUTE_CHARS
    }
    return openSocket(
      { ...request, maxFrameBytes: Math.min(request.maxFrameBytes, MAX_FRAME_BYTES) },
      { ...listener, frame: (text) => (isTooMuch(text.length) ? onNoise() : listener.frame(text)) },
    )
  }
