// Collects garbage after a burst of connections. Node collects only under load: a relay whose clients all came at once and then stay quiet would
// retain half as much memory again per client.

/** New connections that justify the pause of a collection. */
const WORTH = 1000
/** Seconds without a new connection and with few messages. */
const QUIET_SECONDS = 15
const MOST_MESSAGES = 20

export interface Activity {
  /** Since the start. */
  readonly connected: number
  readonly messages: number
}

/** Call the result once a second with the activity. It calls `collect` once after each burst, when the relay is quiet. */
export function createGcAfterBurst(collect: () => void): (activity: Activity) => void {
  let last: Activity = { connected: 0, messages: 0 }
  let tidied = 0
  let quietSeconds = 0

  return (activity) => {
    const isQuiet = activity.connected === last.connected && activity.messages - last.messages <= MOST_MESSAGES
    quietSeconds = isQuiet ? quietSeconds + 1 : 0
    last = activity
    if (quietSeconds < QUIET_SECONDS || activity.connected - tidied < WORTH) return
    tidied = activity.connected
    collect()
  }
}
