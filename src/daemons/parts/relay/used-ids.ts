// Authorization events (NIP-98) that were used at any front end, until they are too old to be used at all.

export interface UsedIds {
  /** The first record of an id counts. `until` is epoch seconds. */
  record(use: { readonly id: string; readonly until: number; readonly by: string }): void
  authorOf(id: string): string | undefined
}

/** So many are remembered before the outdated ones are looked for. */
const MANY = 10_000

/** `now` is epoch milliseconds. */
export function createUsedIds({ now }: { now(): number }): UsedIds {
  const uses = new Map<string, { readonly until: number; readonly by: string }>()
  return {
    record({ id, until, by }) {
      const seconds = now() / 1000
      if (uses.size >= MANY) for (const [known, use] of uses) if (use.until < seconds) uses.delete(known)
      if (!uses.has(id)) uses.set(id, { until, by })
    },
    authorOf: (id) => uses.get(id)?.by,
  }
}
