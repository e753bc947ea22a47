// Who may connect: so many at once altogether, and so many from one address. Behind Tor exits many users share one, so the second is off unless set.
export interface ConnectionLimits {
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number | undefined
}

export type Admission = 'full' | 'address full' | 'welcome'

export function createConnectionLimit({ maxConnections, maxConnectionsPerAddress }: ConnectionLimits) {
  const perAddress = new Map<string, number>()
  let total = 0

  return {
    /** Whether one more may come; counts it when welcome. */
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
