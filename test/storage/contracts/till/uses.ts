import { describe, expect, test } from 'vitest'
import type { Use } from '../../../../src/till/index.js'
import { DAY, HOUR, NOON, SECOND } from '../../../support/till-builders.js'
import type { OpenStore } from './index.js'

const use = (over: Partial<Use> = {}): Use => ({
  kind: 'reopening',
  key: 'a',
  limit: 3,
  windowMs: HOUR,
  now: NOON,
  ...over,
})

export function describeUses(open: OpenStore): void {
  describe('uses that are bounded', () => {
    test('as many as the limit, of any number at once and in one millisecond', async () => {
      const store = await open()
      const answers = await Promise.all(Array.from({ length: 8 }, () => store.takeUse(use())))
      expect(answers.filter(Boolean)).toHaveLength(3)
      expect(await store.takeUse(use({ now: NOON + SECOND }))).toBe(false)
    })

    test('each kind and each key has its own', async () => {
      const store = await open()
      const only = { limit: 1 }
      expect(await store.takeUse(use(only))).toBe(true)
      expect(await store.takeUse(use({ ...only, key: 'b' }))).toBe(true)
      expect(await store.takeUse(use({ ...only, kind: 'unmatched' }))).toBe(true)
      expect(await store.takeUse(use(only))).toBe(false)
    })

    test('one place is free when the window has passed over the oldest; a refusal counts nothing', async () => {
      const store = await open()
      for (const at of [0, 1, 2]) expect(await store.takeUse(use({ now: NOON + at * SECOND }))).toBe(true)
      expect(await store.takeUse(use({ now: NOON + HOUR - 1 }))).toBe(false)
      expect(await store.takeUse(use({ now: NOON + HOUR }))).toBe(true)
      expect(await store.takeUse(use({ now: NOON + HOUR }))).toBe(false)
      expect(await store.takeUse(use({ now: NOON + HOUR + SECOND }))).toBe(true)
    })

    test('those that a clock far ahead wrote do not count', async () => {
      const store = await open()
      for (const _ of [1, 2, 3]) await store.takeUse(use({ now: NOON + DAY }))
      expect(await store.takeUse(use())).toBe(true)
    })
  })
}
