// Limits of connections: in total and per address. Users behind Tor exits share addresses, so the second limit is off by default.
export interface ConnectionLimits {
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number | undefined
}

export type Admission = 'full' | 'address full' | 'welcome'

export function createConnectionLimit({ maxConnections, maxConnectionsPerAddress }: ConnectionLimits) {
  const perAddress = new Map<string, number>()
  let total = 0

  return {
    /** Decides about one more connection, and counts it when it is welcome. */
    enter(address: string): Admission {
      if (total >= maxConnections) return 'full'
      const there = perAddress.get(address) ?? 0
      if (there >= (maxConnectionsPerAddress ?? Number.POSITIVE_INFINITY)) return 'address full'
      perAddress.set(address, there + 1)
      total++
      return 'welcome'
    },
    leave(address: string): void {
      const left = (perAddress.get(address) ?? 0) - 1
      if (left > 0) perAddress.set(address, left)
      else perAddress.delete(address)
      total--
    },
  }
}
