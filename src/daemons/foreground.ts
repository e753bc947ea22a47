// Runs a daemon in the foreground: starts it, notifies systemd, stops it at the first stop signal.
import { messageOf } from '../lib/errors.js'
import { collectGarbage, QUIET_MS } from '../lib/heap.js'
import { createNotifier, type Notifier, onStopSignal, type SystemLog, systemClock } from '../system/index.js'
import type { Daemon } from './runtime.js'

export interface ForegroundOptions {
  readonly log: SystemLog
  /** What `systemctl status` shows, e.g. "listening on 127.0.0.1:8080". */
  readonly status: string
  readonly notifier?: Notifier
  /** What makes the daemon useless: it stops, and the error is thrown. */
  readonly failure?: Promise<Error> | undefined
  /** What SIGHUP asks for; stopping by default. */
  readonly reload?: () => Promise<void>
}

/** Starts, waits for SIGTERM, SIGINT or (without `reload`) SIGHUP, stops. Rejects, with everything stopped, when the daemon cannot start. */
export async function runInForeground(daemon: Daemon, options: ForegroundOptions): Promise<void> {
  const { log, status, notifier = createNotifier(), reload } = options
  const stopRequest = new AbortController()
  let failure: Error | undefined
  void options.failure?.then((error) => {
    failure = error
    stopRequest.abort('a failure')
  })
  const forget = onStopSignal((signal) => stopRequest.abort(signal), process, reload && reloading(reload, log))
  try {
    await daemon.start()
    await notifier.ready(status)
    log.info({}, status)
    void staySmall(stopRequest.signal)
    await untilAborted(stopRequest.signal, notifier)
    log.info({ signal: stopRequest.signal.reason }, 'stopping')
    await notifier.stopping()
    if (failure) throw failure
  } finally {
    await daemon.stop()
    forget()
  }
}

/** A reload that fails leaves what was in force. */
const reloading = (reload: () => Promise<void>, log: SystemLog) => (): void => {
  reload().then(
    () => log.info({}, 'reloaded'),
    (thrown: unknown) => log.error({ cause: messageOf(thrown) }, 'could not reload: all stays as it was'),
  )
}

/** Waits for the stop request, feeding systemd's watchdog meanwhile. */
async function untilAborted(signal: AbortSignal, { watchdogMs, alive }: Notifier): Promise<void> {
  const pause = watchdogMs ?? 3_600_000
  while (!signal.aborted) {
    await systemClock.sleep(pause, signal)
    if (watchdogMs !== undefined && !signal.aborted) await alive()
  }
}

const HOUR_MS = 3_600_000

/** An idle till holds a fifth less with this. */
async function staySmall(signal: AbortSignal): Promise<void> {
  for (let pause = QUIET_MS; !signal.aborted; pause = HOUR_MS) {
    await systemClock.sleep(pause, signal)
    if (!signal.aborted) collectGarbage()
  }
}
