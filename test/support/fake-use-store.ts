import type { UseStore } from '../../src/till/index.js'

export function fakeUseStore(): UseStore {
  const uses = new Map<string, readonly number[]>()
  return {
    async takeUse({ kind, key, limit, windowMs, now }) {
      const id = `${kind} ${key}`
      const counted = (uses.get(id) ?? []).filter((at) => at > now - windowMs && at <= now + windowMs)
      uses.set(id, counted.length < limit ? [...counted, now] : counted)
      return counted.length < limit
    },
  }
}
