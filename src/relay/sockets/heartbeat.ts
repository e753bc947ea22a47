// Pings every client once per round. Pings are spread evenly over the round, without a timer for each client.

export interface Pinged {
  /** Set by every message and pong; cleared by each ping. */
  isHeard: boolean
  /** The second of the round in which it is pinged. */
  place: number
  ping(): void
  /** The client did not answer the last ping. */
  lost(): void
  /** The relay does not read from this client now, so no pong can arrive. */
  isDeaf(): boolean
}

export interface Heartbeat<P extends Pinged> {
  add(peer: P): void
  remove(peer: P): void
  /** Once a second. */
  tick(): void
}

/** `seconds`: the length of a round, which is also the time limit for an answer. */
export function createHeartbeat<P extends Pinged>(seconds: number): Heartbeat<P> {
  const places = Array.from({ length: Math.max(1, seconds) }, () => new Set<P>())
  let at = 0

  return {
    add(peer) {
      peer.place = at
      places[at]?.add(peer)
    },
    remove: (peer) => void places[peer.place]?.delete(peer),
    tick() {
      at = (at + 1) % places.length
      for (const peer of places[at] ?? []) {
        if (!peer.isHeard && !peer.isDeaf()) peer.lost()
        else {
          peer.isHeard = false
          peer.ping()
        }
      }
    },
  }
}
