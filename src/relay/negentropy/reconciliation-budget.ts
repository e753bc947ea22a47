// What sets under reconciliation may take of the relay's memory together, and who has to go when there is no more.

export interface RoomParts {
  /** Entries of all sets together; 42 bytes each. */
  readonly most: number
  readonly clock: { now(): number }
}

/** One reconciliation. */
export interface Tenant {
  /** It did nothing for too long while others waited. */
  evict(): void
}

export interface Room {
  /** Whether it may list its set now, or goes on listing: that takes much more memory than the set, so few do it at a time. */
  mayList(tenant: Tenant): boolean
  /** Its set is listed. False: there is no room, though idle tenants were evicted. */
  enter(tenant: Tenant, entries: number): boolean
  /** It was asked something. */
  touch(tenant: Tenant): void
  /** Unknown ones are no mistake. */
  leave(tenant: Tenant): void
}

/** Sets of all clients. */
export const LISTINGS_AT_ONCE = 2
/** Of a client that does not read its answers, the listing does not go on. */
const STALLED_MS = 2000
/** Whoever asks sooner keeps its place. */
const IDLE_MS = 30_000

export function createRoom({ most, clock }: RoomParts): Room {
  const listings = new Map<Tenant, number>()
  /** The longest idle one first. */
  const tenants = new Map<Tenant, { readonly entries: number; readonly since: number }>()
  let taken = 0

  function leave(tenant: Tenant): void {
    listings.delete(tenant)
    taken -= tenants.get(tenant)?.entries ?? 0
    tenants.delete(tenant)
  }

  function evict(tenant: Tenant): void {
    leave(tenant)
    tenant.evict()
  }

  function stay(tenant: Tenant, entries: number): void {
    leave(tenant)
    tenants.set(tenant, { entries, since: clock.now() })
    taken += entries
  }

  function isFull(entries: number): boolean {
    return taken + entries > most
  }

  return {
    mayList(tenant) {
      const now = clock.now()
      if (!listings.has(tenant) && listings.size >= LISTINGS_AT_ONCE) {
        for (const [other, last] of listings) if (now - last > STALLED_MS) evict(other)
        if (listings.size >= LISTINGS_AT_ONCE) return false
      }
      listings.set(tenant, now)
      return true
    },
    enter(tenant, entries) {
      leave(tenant)
      for (const [idle, { since }] of tenants) {
        if (!isFull(entries) || clock.now() - since < IDLE_MS) break
        evict(idle)
      }
      if (isFull(entries)) return false
      stay(tenant, entries)
      return true
    },
    touch(tenant) {
      const found = tenants.get(tenant)
      if (found) stay(tenant, found.entries)
    },
    leave,
  }
}
