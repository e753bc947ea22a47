// Users with receiving keys that rotate (specification: invoicing, 3.7). Only public keys and clocks are kept.
import { toHex } from '../../lib/bytes.js'
import { qrSvg } from '../../lib/qr.js'
import { deriveChild, endpubContext } from '../../nostr/keys/index.js'
import { scanText } from '../../nostr/pay-link/index.js'
import type { Till, UserView } from '../api.js'
import { rotateIntervalInvalid, rotationLost, userExists, userIdInvalid, userNotFound } from '../errors.js'
import type { User } from '../model.js'
import type { TillParts } from '../parts.js'
import { keyTextsOf } from './links.js'

const USER_ID = /^[A-Za-z0-9._-]{1,64}$/
/** Users one pass rotates at most; the rest waits for the next. */
const PER_PASS = 200

export type Endpubs = Pick<Till, 'createUser' | 'findUser' | 'listUsers' | 'rotateUser' | 'setRotateInterval'> & {
  /** Gives every user whose time has come the key of the next epoch. */
  rotateDue(): Promise<void>
}

/** Throws USER_EXISTS, USER_NOT_FOUND and the other user errors of the catalogue. */
export function createEndpubs({ store, settings, clock, random, identity, log, watchEndpub }: TillParts): Endpubs {
  const keyOf = (id: string, epoch: number): string => deriveChild(identity, endpubContext(id, epoch)).pubkey

  async function rotate(user: User): Promise<User | undefined> {
    const next = { epoch: user.epoch + 1, pubkey: keyOf(user.id, user.epoch + 1), rotatedAt: clock.now() }
    const outcome = await store.rotateUser(user.id, user.epoch, next.pubkey, next.rotatedAt)
    if (outcome === 'refused') return undefined
    log.info({ user: user.id, epoch: next.epoch }, 'receiving key rotated')
    const rotated = { ...user, ...next }
    await watchEndpub?.(rotated)
    return rotated
  }

  const viewOf = (user: User): UserView => userView(user, settings.relays)

  return {
    async createUser(wanted, rotateInterval) {
      const id = wanted ?? toHex(random.bytes(16))
      if (!USER_ID.test(id)) throw userIdInvalid()
      checkInterval(rotateInterval)
      const now = clock.now()
      const user: User = { id, rotateInterval, epoch: 0, pubkey: keyOf(id, 0), rotatedAt: now, createdAt: now }
      if ((await store.insertUser(user)) === 'exists') throw userExists(id)
      await watchEndpub?.(user)
      return viewOf(user)
    },
    async findUser(id) {
      const user = await store.userById(id)
      return user && viewOf(user)
    },
    async listUsers(limit, cursor) {
      const { items, next } = await store.listUsers(limit, cursor)
      return { items: items.map((user) => Object.assign(viewOf(user), { balance: user.balance })), next }
    },
    async rotateUser(id) {
      const user = await store.userById(id)
      if (!user) throw userNotFound()
      const rotated = await rotate(user)
      if (!rotated) throw rotationLost()
      return viewOf(rotated)
    },
    async setRotateInterval(id, seconds) {
      checkInterval(seconds)
      if ((await store.setRotateInterval(id, seconds)) === 'unknown') throw userNotFound()
    },
    async rotateDue() {
      for (const user of await store.usersDueForRotation(settings.rotateInterval, clock.now(), PER_PASS))
        await rotate(user)
    },
  }
}

function checkInterval(seconds: number | null): void {
  if (seconds !== null && (!Number.isSafeInteger(seconds) || seconds < 0)) throw rotateIntervalInvalid()
}

/** The code is drawn when it is looked at: lists do not show it. */
function userView(user: User, relays: readonly string[]): UserView {
  const texts = keyTextsOf(user.pubkey, relays)
  return {
    id: user.id,
    rotateInterval: user.rotateInterval,
    epoch: user.epoch,
    pubkey: user.pubkey,
    rotatedAt: user.rotatedAt,
    createdAt: user.createdAt,
    ...texts,
    get qrSvg() {
      return qrSvg(scanText(texts.nprofile), { ariaLabel: `Receiving key of ${user.id}` })
    },
  }
}
