import { describe, expect, test } from 'vitest'
import { aKey, COOLDOWN, holderOf } from '../../../support/name-builders.js'
import { freshHex, NOON } from '../../../support/till-builders.js'
import type { OpenNames } from './index.js'

export function describeReleasing(open: OpenNames): void {
  describe('releasing', () => {
    test('only the holder can, once; the name is free at once', async () => {
      const store = await open()
      const pubkey = await holderOf(store, 'alice')
      const release = { name: 'alice', pubkey, now: NOON, cooldownMs: COOLDOWN }
      expect(await store.releaseName({ ...release, name: 'bob' })).toBe('unknown')
      expect(await store.releaseName({ ...release, pubkey: aKey() })).toBe('not-owner')
      expect(await store.releaseName(release)).toBe('released')
      expect(await store.releaseName(release)).toBe('unknown')
      expect(await store.cooldownUntil(pubkey)).toBe(NOON + COOLDOWN)
      expect(await store.nameRecord('alice')).toEqual({
        name: 'alice',
        pubkey,
        createdAt: NOON,
        releasedAt: NOON,
        suspendedAt: null,
      })
      const next = await holderOf(store, 'alice')
      expect(await store.nameRecord('alice')).toMatchObject({ pubkey: next, releasedAt: null })
    })
  })

  describe('signed requests', () => {
    test('an id is accepted once, however many ask at once', async () => {
      const store = await open()
      const id = freshHex(64)
      const answers = await Promise.all(Array.from({ length: 50 }, () => store.recordAuth(id, NOON)))
      expect(answers.filter((answer) => answer === 'recorded')).toHaveLength(1)
      expect(await store.recordAuth(freshHex(64), NOON)).toBe('recorded')
    })

    test('an id is forgotten when its time has come, at most so many at a time', async () => {
      const store = await open()
      const ids = [NOON, NOON, NOON, NOON + 1].map((until) => ({ id: freshHex(64), until }))
      for (const { id, until } of ids) await store.recordAuth(id, until)
      expect(await store.forgetAuths(NOON - 1, 10)).toBe(0)
      expect(await store.forgetAuths(NOON, 2)).toBe(2)
      expect(await store.forgetAuths(NOON, 2)).toBe(1)
      expect(await store.recordAuth(ids[3]?.id ?? '', NOON)).toBe('replayed')
      expect(await store.recordAuth(ids[0]?.id ?? '', NOON)).toBe('recorded')
    })

    test('with them go the cooldowns that have run out', async () => {
      const store = await open()
      const pubkey = await holderOf(store, 'alice')
      await store.releaseName({ name: 'alice', pubkey, now: NOON, cooldownMs: COOLDOWN })
      expect(await store.forgetAuths(NOON + COOLDOWN - 1, 10)).toBe(0)
      expect(await store.cooldownUntil(pubkey)).toBe(NOON + COOLDOWN)
      expect(await store.forgetAuths(NOON + COOLDOWN, 10)).toBe(1)
      expect(await store.cooldownUntil(pubkey)).toBe(0)
    })
  })

  test('a store that can write passes its check', async () => {
    await expect((await open()).check()).resolves.toBeUndefined()
  })
}
