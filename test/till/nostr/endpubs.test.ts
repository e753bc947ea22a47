// Users and their receiving keys. Vectors: test/vectors/pay/derive.json.
import { describe, expect, test } from 'vitest'
import { Secret } from '../../../src/lib/secret.js'
import { DAY, HOUR, NOON, SECOND } from '../../support/till-builders.js'
import { codeOf, openTill, refusalOf } from '../../support/till-parts.js'
import { bytes, vectors } from '../../support/vectors.js'

interface EndpubVector {
  readonly master_secret: string
  readonly user_id: string
  readonly epoch: number
  readonly child_pubkey: string
}
const endpubs: readonly EndpubVector[] = vectors('pay/derive.json').endpub

describe('keys', () => {
  test('are those of the vectors, epoch by epoch', async () => {
    const usable = endpubs.filter(
      ({ user_id, epoch }) => /^[A-Za-z0-9._-]{1,64}$/.test(user_id) && epoch <= 3 && epoch >= 0,
    )
    expect(usable.length).toBeGreaterThan(3)
    for (const { master_secret, user_id, epoch, child_pubkey } of usable) {
      const { till } = openTill({ parts: { identity: new Secret(bytes(master_secret)) } })
      let user = await till.createUser(user_id, null)
      for (let e = 0; e < epoch; e += 1) user = await till.rotateUser(user_id)
      expect([user.epoch, user.pubkey]).toEqual([epoch, child_pubkey])
    }
  })

  test('a user shows how to pay it', async () => {
    const { till } = openTill()
    const user = await till.createUser('alice', 60)
    expect(user).toMatchObject({ id: 'alice', rotateInterval: 60, epoch: 0, createdAt: NOON })
    expect(user.npub).toMatch(/^npub1/)
    expect(user.nprofile).toMatch(/^nprofile1/)
    expect(user.qrSvg).toMatch(/^<svg /)
    expect(await till.findUser('alice')).toEqual(user)
    expect(await till.findUser('bob')).toBeUndefined()
  })
})

describe('creating', () => {
  test('without a name one is drawn', async () => {
    expect((await openTill().till.createUser(undefined, null)).id).toMatch(/^[0-9a-f]{32}$/)
  })

  test('a second user of one name is 409, bad names and intervals are 400', async () => {
    const { till } = openTill()
    await till.createUser('alice', null)
    expect(await refusalOf(till.createUser('alice', null))).toMatchObject({ status: 409 })
    for (const id of ['', 'a b', 'ä', 'x'.repeat(65)])
      expect(await codeOf(till.createUser(id, null))).toBe('USER_ID_INVALID')
    for (const seconds of [-1, 1.5, Number.NaN])
      expect(await codeOf(till.createUser('bob', seconds))).toBe('ROTATE_INTERVAL_INVALID')
  })
})

describe('rotation', () => {
  test('by hand gives the next epoch, for known users only', async () => {
    const { till, store } = openTill()
    const before = await till.createUser('alice', null)
    const after = await till.rotateUser('alice')
    expect(after.epoch).toBe(1)
    expect(after.pubkey).not.toBe(before.pubkey)
    expect((await store.userByPubkey(before.pubkey))?.id).toBe('alice')
    expect(await refusalOf(till.rotateUser('bob'))).toEqual({ status: 404, text: 'user not found' })
  })

  test('by time honours a user’s own interval also while the global one is off', async () => {
    const { till, clock } = openTill()
    await till.createUser('own', 60)
    await till.createUser('global', null)
    await clock.advance(60 * SECOND)
    await till.passes.rotate()
    await till.passes.rotate()
    expect((await till.findUser('own'))?.epoch).toBe(1)
    expect((await till.findUser('global'))?.epoch).toBe(0)
    await till.setRotateInterval('own', 0)
    await clock.advance(DAY)
    await till.passes.rotate()
    expect((await till.findUser('own'))?.epoch).toBe(1)
  })

  test('by the global interval, where a user has none of its own', async () => {
    const { till, clock } = openTill({ settings: { rotateInterval: 3600 } })
    await till.createUser('never', 0)
    await till.createUser('global', null)
    await clock.advance(HOUR)
    await till.passes.rotate()
    expect((await till.findUser('global'))?.epoch).toBe(1)
    expect((await till.findUser('never'))?.epoch).toBe(0)
    expect(await codeOf(till.setRotateInterval('bob', null))).toBe('USER_NOT_FOUND')
  })

  test('lists show the balance', async () => {
    const { till } = openTill()
    await till.createUser('alice', null)
    const { items, next } = await till.listUsers(10)
    expect(items).toMatchObject([{ id: 'alice', balance: 0n, npub: expect.stringMatching(/^npub1/) }])
    expect(next).toBeNull()
  })
})
