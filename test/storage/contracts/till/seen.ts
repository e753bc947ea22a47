import { describe, expect, test } from 'vitest'
import { DAY, freshHex, NOON, SECOND } from '../../../support/till-builders.js'
import type { OpenStore } from './index.js'

const ids = (count: number): string[] => Array.from({ length: count }, () => freshHex(64))

export function describeSeen(open: OpenStore): void {
  describe('seen marks', () => {
    test('what is marked is known, and nothing else', async () => {
      const store = await open()
      const [marked, others] = [ids(3), ids(2)]
      await store.markSeen(marked, NOON)
      expect(await store.seenOf([...others, ...marked])).toEqual(new Set(marked))
      expect(await store.seenOf([])).toEqual(new Set())
      expect(await store.seenOf(['slate', 'ZZ'.repeat(32)])).toEqual(new Set())
    })

    test('marking again, or twice in one call, is no mistake', async () => {
      const store = await open()
      const [id = ''] = ids(1)
      await Promise.all([store.markSeen([id, id], NOON), store.markSeen([id], NOON)])
      expect(await store.seenOf([id])).toEqual(new Set([id]))
    })

    test('a malformed id marks nothing of its batch', async () => {
      const store = await open()
      const [id = ''] = ids(1)
      await expect(store.markSeen([id, id.slice(2)], NOON)).rejects.toThrow()
      expect(await store.seenOf([id])).toEqual(new Set())
    })

    test('old marks are forgotten oldest first, at most the limit; a renewed one is not old', async () => {
      const store = await open()
      const [oldest, old, renewed, young] = ids(4) as [string, string, string, string]
      await store.markSeen([renewed], NOON - 3 * SECOND)
      await store.markSeen([oldest], NOON - 2 * SECOND)
      await store.markSeen([old], NOON - SECOND)
      await store.markSeen([young, renewed], NOON)
      await store.markSeen([renewed], NOON - DAY)
      expect(await store.forgetSeen(NOON, 1)).toBe(1)
      expect(await store.seenOf([oldest, old, renewed, young])).toEqual(new Set([old, renewed, young]))
      expect(await store.forgetSeen(NOON, 10)).toBe(1)
      expect(await store.seenOf([oldest, old, renewed, young])).toEqual(new Set([renewed, young]))
      expect(await store.forgetSeen(NOON, 10)).toBe(0)
    })
  })
}
