import type { SeenStore } from '../../src/till/index.js'
import type { Tables } from './fake-tables.js'

export function fakeSeenStore({ seen }: Tables): SeenStore {
  return {
    async markSeen(ids, now) {
      if (ids.some((id) => !/^[0-9a-f]{64}$/.test(id))) throw new RangeError('not an id')
      for (const id of ids) seen.set(id, Math.max(now, seen.get(id) ?? 0))
    },
    seenOf: async (ids) => new Set(ids.filter((id) => seen.has(id))),
    async forgetSeen(before, limit) {
      const old = [...seen].filter(([, at]) => at < before).sort(([, a], [, b]) => a - b)
      for (const [id] of old.slice(0, limit)) seen.delete(id)
      return Math.min(old.length, limit)
    },
  }
}
