import { nanoGrin } from '../../src/grin/amount/index.js'
import type { User, UserStore } from '../../src/till/index.js'
import { pageOf, type Tables } from './fake-tables.js'
import { SECOND } from './till-builders.js'

export function fakeUserStore({ users, endpubs, payments }: Tables): UserStore {
  const isDue = (user: User, globalInterval: number, now: number) => {
    const interval = user.rotateInterval ?? globalInterval
    return interval > 0 && user.rotatedAt + interval * SECOND <= now
  }
  const credited = (id: string) =>
    nanoGrin(
      payments
        .all()
        .filter(({ userId }) => userId === id)
        .reduce((total, { amount }) => total + amount, 0n),
    )

  return {
    async insertUser(user) {
      if (users.get(user.id)) return 'exists'
      users.insert(user.id, user)
      endpubs.insert(user.pubkey, { pubkey: user.pubkey, userId: user.id, epoch: user.epoch })
      return 'created'
    },
    userById: async (id) => users.get(id),
    async listUsers(limit, cursor) {
      const page = pageOf(users.rows(), limit, cursor)
      return { ...page, items: page.items.map((user) => ({ ...user, balance: credited(user.id) })) }
    },
    async rotateUser(id, seenEpoch, pubkey, now) {
      if (users.get(id)?.epoch !== seenEpoch) return 'refused'
      users.update(id, { epoch: seenEpoch + 1, pubkey, rotatedAt: now })
      endpubs.insert(pubkey, { pubkey, userId: id, epoch: seenEpoch + 1 })
      return 'rotated'
    },
    async setRotateInterval(id, seconds) {
      if (!users.get(id)) return 'unknown'
      users.update(id, { rotateInterval: seconds })
      return 'updated'
    },
    async usersDueForRotation(globalInterval, now, limit) {
      const due = users.all().filter((user) => isDue(user, globalInterval, now))
      return due.slice(0, limit)
    },
    async userByPubkey(pubkey) {
      const endpub = endpubs.get(pubkey)
      return endpub && users.get(endpub.userId)
    },
  }
}
