import { describe, expect, test } from 'vitest'
import { aPayment, aUser, freshHex, grin, HOUR, NOON, SECOND } from '../../../support/till-builders.js'
import type { OpenStore } from './index.js'

export function describeUsers(open: OpenStore): void {
  describe('users', () => {
    test('a user is written once', async () => {
      const store = await open()
      const user = aUser({ id: 'alice', rotateInterval: 60 })
      expect(await store.insertUser(user)).toBe('created')
      expect(await store.insertUser(aUser({ id: 'alice' }))).toBe('exists')
      expect(await store.userById('alice')).toEqual(user)
      expect(await store.userById('bob')).toBeUndefined()
    })

    test('a rotation wins once per epoch; keys of all epochs lead to the user', async () => {
      const store = await open()
      const user = aUser({ id: 'alice' })
      await store.insertUser(user)
      const [next, rival] = [freshHex(64), freshHex(64)]
      const answers = [
        await store.rotateUser('alice', 0, next, NOON + HOUR),
        await store.rotateUser('alice', 0, rival, NOON + HOUR),
      ]
      expect(answers).toEqual(['rotated', 'refused'])
      const now = { ...user, epoch: 1, pubkey: next, rotatedAt: NOON + HOUR }
      expect(await store.userById('alice')).toEqual(now)
      expect(await store.userByPubkey(next)).toEqual(now)
      expect(await store.userByPubkey(user.pubkey)).toEqual(now)
      expect(await store.userByPubkey(rival)).toBeUndefined()
      expect(await store.rotateUser('bob', 0, rival, NOON)).toBe('refused')
    })

    test('a user is due by its own interval, else by the global one; zero is never', async () => {
      const store = await open()
      const never = aUser({ id: 'never', rotateInterval: 0 })
      const own = aUser({ id: 'own', rotateInterval: 10 })
      const global = aUser({ id: 'global' })
      for (const user of [never, own, global]) await store.insertUser(user)
      const due = async (interval: number, now: number) =>
        (await store.usersDueForRotation(interval, now, 10)).map(({ id }) => id).sort()
      expect(await due(0, NOON + 10 * SECOND - 1)).toEqual([])
      expect(await due(0, NOON + 10 * SECOND)).toEqual(['own'])
      expect(await due(3600, NOON + HOUR)).toEqual(['global', 'own'])
      expect(await store.usersDueForRotation(3600, NOON + HOUR, 1)).toHaveLength(1)
    })

    test('the interval can be set and cleared', async () => {
      const store = await open()
      await store.insertUser(aUser({ id: 'alice' }))
      expect(await store.setRotateInterval('alice', 5)).toBe('updated')
      expect((await store.userById('alice'))?.rotateInterval).toBe(5)
      expect(await store.setRotateInterval('alice', null)).toBe('updated')
      expect((await store.userById('alice'))?.rotateInterval).toBeNull()
      expect(await store.setRotateInterval('bob', 5)).toBe('unknown')
    })

    test('lists show what each user was credited, confirmed or not, in pages', async () => {
      const store = await open()
      const made = ['a', 'b', 'c'].map((id, i) => aUser({ id, createdAt: NOON + i * SECOND }))
      for (const user of made) await store.insertUser(user)
      for (const amount of [grin(1), grin(4)])
        await store.acceptPayment(aPayment({ userId: 'b', amount }), null, NOON, NOON)
      const first = await store.listUsers(2)
      expect(first.items.map(({ id, balance }) => [id, balance])).toEqual([
        ['c', 0n],
        ['b', grin(5)],
      ])
      const second = await store.listUsers(2, first.next ?? 'none')
      expect(second.items).toEqual([{ ...made[0], balance: 0n }])
      expect(second.next).toBeNull()
    })
  })

  test('a store that can write passes its check', async () => {
    const store = await open()
    await expect(store.check()).resolves.toBeUndefined()
  })
}
