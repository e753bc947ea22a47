// What thousands of handshakes leave behind is collected only under load: a relay whose clients came all at once, and are quiet now, would keep
// half as much again as it needs for each of them.

/** Connections that make the pause of a collection worth while. */
const WORTH = 1000
/** Seconds without a new connection and with hardly a message. */
const QUIET_SECONDS = 15
const MOST_MESSAGES = 20

export interface Activity {
  /** Since the start. */
  readonly connected: number
  readonly messages: number
}

/** Told of the activity once a second; calls `collect` once after each burst, when it is quiet. */
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
