// Who is still there? Everybody is asked once in so many seconds, evenly spread, without a timer for each.

export interface Pinged {
  /** Set by whatever was heard of it; cleared when it is asked. */
  isHeard: boolean
  /** Where it stands in the round. */
  place: number
  ping(): void
  /** It did not answer. */
  lost(): void
  /** Nothing of it is read at the moment, so nothing can be heard. */
  isDeaf(): boolean
}

export interface Heartbeat<P extends Pinged> {
  add(peer: P): void
  remove(peer: P): void
  /** Once a second. */
  tick(): void
}

/** `seconds`: how long a round takes, which is also how long an answer may take. */
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
