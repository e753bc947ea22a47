// Resource use of this process, and the delay of its event loop.
import { monitorEventLoopDelay } from 'node:perf_hooks'

export interface ProcessFigures {
  /** User and system time together since the start, all threads. */
  readonly cpuSeconds: number
  readonly residentBytes: number
  readonly heapBytes: number
  /** Over the last whole minute; before the first one is over, since the measuring began. */
  readonly lag: EventLoopLag
  readonly uptimeSeconds: number
}

interface EventLoopLag {
  readonly meanSeconds: number
  readonly p99Seconds: number
  readonly maxSeconds: number
}

const RESOLUTION_MS = 20
const WINDOW_MS = 60_000

/** Begins to measure the event loop; `close` ends that. Reading changes nothing, so all readers see the same delays. */
export function openProcessFigures() {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  /** The histogram counts its own interval as delay; before the first sample there is no value. */
  const seconds = (nanoseconds: number): number =>
    Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000) : 0

  function readLag(): EventLoopLag {
    const [mean, p99, max] = delays.count === 0 ? [0, 0, 0] : [delays.mean, delays.percentile(99), delays.max]
    return { meanSeconds: seconds(mean), p99Seconds: seconds(p99), maxSeconds: seconds(max) }
  }

  let lastMinute: EventLoopLag | undefined
  const windows = setInterval(() => {
    lastMinute = readLag()
    delays.reset()
  }, WINDOW_MS)
  windows.unref()

  return {
    read(): ProcessFigures {
      const { user, system } = process.cpuUsage()
      const { rss, heapUsed } = process.memoryUsage()
      return {
        cpuSeconds: (user + system) / 1e6,
        residentBytes: rss,
        heapBytes: heapUsed,
        lag: lastMinute ?? readLag(),
        uptimeSeconds: process.uptime(),
      }
    },
    close(): void {
      clearInterval(windows)
      delays.disable()
    },
  }
}
