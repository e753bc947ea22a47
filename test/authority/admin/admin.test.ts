import { beforeEach, describe, expect, test } from 'vitest'
import { createNameAdmin, type NameAdmin } from '../../../src/authority/admin/index.js'
import { createReservedCheck, shapeOf } from '../../../src/authority/index.js'
import { nanoGrin } from '../../../src/grin/amount/index.js'
import { formatNpub } from '../../../src/nostr/nip19/index.js'
import { quickNames } from '../../support/quick-stores.js'

const NOW = Date.UTC(2026, 10, 21, 12)
const [ADA, BOB] = ['a1'.repeat(32), 'b2'.repeat(32)]
const PAGE = { limit: 50 }

let store: ReturnType<typeof quickNames>
let admin: NameAdmin
beforeEach(() => {
  store = quickNames()
  admin = createNameAdmin({
    store,
    clock: { now: () => NOW },
    bounds: { nameMin: 3, nameMax: 20 },
    isReserved: createReservedCheck({ domain: 'names.example.org', extra: ['acme'] }),
  })
})

const claim = (name: string, pubkey: string, cooldownMs = 600_000) =>
  store.claimName({ shape: shapeOf(name), pubkey, now: NOW, cooldownMs, paid: false })

const offerOf = (name: string) => ({
  id: '0f'.repeat(32),
  event: { id: '0f'.repeat(32), pubkey: ADA, created_at: 1, kind: 3402, tags: [], content: '', sig: '' },
  name,
  seller: ADA,
  buyer: BOB,
  price: nanoGrin(1_500_000_000n),
  proofAddress: 'grin1x',
  expiration: NOW / 1000 + 60,
  status: 'live' as const,
  endHeight: null,
  stateChangedAt: NOW,
  createdAt: NOW,
})

describe('the standing of a name', () => {
  test('a free one is free, and says nothing else', async () => {
    expect(await admin.show('Zoe')).toEqual({
      name: 'zoe',
      state: 'free',
      why: null,
      record: null,
      reserved: null,
      look_alike: null,
      cooldown_until: null,
      offer: null,
      history: [],
    })
  })

  test.each([
    ['admin', 'in the built-in list', { by: 'built-in', like: 'admin' }],
    ['adm1n', 'like "admin", in the built-in list', { by: 'built-in', like: 'admin' }],
    ['example', 'a part of the domain', { by: 'domain', like: 'example' }],
    ['acme', 'in the file of NAMEAUTH_RESERVED_FILE', { by: 'file', like: 'acme' }],
  ])('%s is reserved: %s', async (name, why, reserved) => {
    expect(await admin.show(name)).toMatchObject({ state: 'reserved', why, reserved })
  })

  test('what the operator keeps back comes with the reason', async () => {
    await admin.reserve('bank', 'asked for by the bank')
    expect(await admin.show('b.a.n.k')).toMatchObject({
      state: 'reserved',
      why: 'like "bank", in the built-in list',
    })
    await admin.reserve('harbour', 'the port')
    const { why, reserved } = await admin.show('h4rbour')
    expect(why).toBe('like "harbour", reserved by the operator (the port)')
    expect(reserved).toEqual({ by: 'command', like: 'harbour', reason: 'the port' })
  })

  test('a look-alike of a held name is taken, and says by which', async () => {
    await claim('alice', ADA)
    const { state, why, look_alike } = await admin.show('al1ce')
    expect({ state, why }).toEqual({ state: 'taken', why: `looks like "alice", which ${formatNpub(ADA)} holds` })
    expect(look_alike).toMatchObject({ name: 'alice', pubkey: ADA, status: 'active' })
  })

  test('an active one has its holder, the cooldown, the live offer and the history', async () => {
    await claim('first', ADA)
    await claim('alice', ADA)
    await store.createOffer(offerOf('alice'))
    const standing = await admin.show('alice')
    expect(standing).toMatchObject({
      state: 'active',
      record: { pubkey: ADA, npub: formatNpub(ADA), created_at: '2026-11-21T12:00:00Z' },
      cooldown_until: '2026-11-21T12:10:00Z',
      offer: { status: 'live', price_grin: '1.5', buyer: BOB, expires_at: '2026-11-21T12:01:00Z' },
    })
    expect(standing.history.map(({ action, actor }) => `${actor} ${action}`)).toEqual(['holder claim'])
  })

  test('the key of a holder leads to the name, in both spellings', async () => {
    await claim('alice', ADA)
    expect((await admin.show(formatNpub(ADA))).name).toBe('alice')
    expect((await admin.show(ADA.toUpperCase())).name).toBe('alice')
    await expect(admin.show(BOB)).rejects.toMatchObject({ code: 'KEY_WITHOUT_NAME' })
  })

  test('a released one is free and tells who held it last', async () => {
    await claim('alice', ADA)
    await admin.release('alice', { reason: 'asked', holder: ADA })
    expect(await admin.show('alice')).toMatchObject({ state: 'free', record: { status: 'released', pubkey: ADA } })
  })

  test('what is no name is refused, unless a key holds it from before the bounds changed', async () => {
    await expect(admin.show('no name')).rejects.toMatchObject({ code: 'NAME_UNUSABLE' })
    await claim('xy', ADA)
    expect(await admin.show('xy')).toMatchObject({ state: 'active' })
    await admin.release('xy', { reason: 'too short', holder: ADA })
    expect(await admin.show('xy')).toMatchObject({ state: 'invalid', why: 'outside the bounds of the settings' })
  })
})

describe('changes', () => {
  test('reserving again changes nothing and says so', async () => {
    expect(await admin.reserve('Harbour', 'x')).toMatchObject({ name: 'harbour', changed: true, action: 'reserve' })
    expect(await admin.reserve('harbour', 'y')).toMatchObject({ changed: false })
    expect((await admin.reserved(PAGE)).items).toEqual([
      { name: 'harbour', reason: 'x', created_at: '2026-11-21T12:00:00Z' },
    ])
  })

  test('a short word may be kept back, for the sake of its look-alikes', async () => {
    await admin.reserve('ab', 'x')
    expect(await admin.show('a-b')).toMatchObject({ state: 'reserved' })
  })

  test('setting free: only what was kept back by command', async () => {
    await admin.reserve('harbour', 'x')
    expect(await admin.unreserve('HARBOUR', 'y')).toMatchObject({ name: 'harbour', changed: true })
    await expect(admin.unreserve('harbour', 'y')).rejects.toMatchObject({ code: 'NAME_NOT_RESERVED' })
    await expect(admin.unreserve('admin', 'y')).rejects.toMatchObject({
      code: 'NAME_RESERVED_ELSEWHERE',
      message: '"admin" stays reserved: in the built-in list',
    })
  })

  test('assigning gives reserved names too, and by npub', async () => {
    const done = await admin.assign('admin', formatNpub(ADA), { reason: 'ours', replace: false })
    expect(done).toMatchObject({ name: 'admin', pubkey: ADA, changed: true, released: null })
    expect(await admin.show('admin')).toMatchObject({ state: 'active', reserved: { by: 'built-in' } })
    expect(await admin.assign('admin', ADA, { reason: 'ours', replace: false })).toMatchObject({ changed: false })
  })

  test('assigning leaves a name that a key holds, and one that looks like it', async () => {
    await claim('alice', ADA)
    const to = (name: string) => admin.assign(name, BOB, { reason: 'x', replace: false })
    await expect(to('alice')).rejects.toThrow(`"alice" is held by ${formatNpub(ADA)}`)
    await expect(to('al1ce')).rejects.toThrow(`"al1ce" looks like "alice", which ${formatNpub(ADA)} holds`)
  })

  test('a second name for a key needs to be meant', async () => {
    await claim('alice', ADA)
    const change = (replace: boolean) => admin.assign('zoe', ADA, { reason: 'x', replace })
    await expect(change(false)).rejects.toMatchObject({ code: 'KEY_HAS_NAME' })
    expect(await change(true)).toMatchObject({ name: 'zoe', released: 'alice' })
  })

  test('a name is taken from the holder that was asked about, and from no other key', async () => {
    await claim('alice', ADA)
    const evict = (holder: string) => admin.evict('Alice', { reason: 'x', reserve: true, holder })
    await expect(evict(BOB)).rejects.toMatchObject({ code: 'HOLDER_CHANGED' })
    expect(await evict(ADA)).toMatchObject({ name: 'alice', pubkey: ADA, reserved: true, action: 'evict' })
    await expect(evict(ADA)).rejects.toMatchObject({ code: 'NAME_NOT_HELD' })
    expect(await admin.show('alice')).toMatchObject({ state: 'reserved', reserved: { by: 'command', reason: 'x' } })
  })

  test('a release on behalf of the holder arms no cooldown and is called a release', async () => {
    await claim('alice', ADA)
    expect(await admin.release('alice', { reason: 'lost key', holder: ADA })).toMatchObject({ action: 'release' })
    expect(await store.cooldownUntil(ADA)).toBe(0)
    const [line] = (await admin.history({ name: 'ALICE' }, PAGE)).items
    expect(line).toMatchObject({ action: 'release', actor: 'operator', reason: 'lost key', npub: formatNpub(ADA) })
  })

  test('suspending and lifting, each once', async () => {
    await claim('alice', ADA)
    const suspend = (suspended: boolean) => admin.suspend('alice', { reason: 'x', suspended })
    expect(await suspend(true)).toMatchObject({ action: 'suspend', changed: true, npub: formatNpub(ADA) })
    expect(await suspend(true)).toMatchObject({ changed: false })
    expect(await admin.show('alice')).toMatchObject({
      state: 'suspended',
      why: `held by ${formatNpub(ADA)}, suspended`,
    })
    expect(await suspend(false)).toMatchObject({ action: 'resume', changed: true })
    await expect(admin.suspend('zoe', { reason: 'x', suspended: true })).rejects.toMatchObject({
      code: 'NAME_NOT_HELD',
    })
  })

  test('a grant that is made worthless is shown as it was', async () => {
    const grant = {
      pubkey: ADA,
      resource: 'name' as const,
      serial: 1,
      invoiceId: 'i-1',
      payUrl: 'https://pay.example/i-1',
      amount: nanoGrin(1n),
      status: 'pending' as const,
      createdAt: NOW,
      paidAt: null,
    }
    await store.saveGrant(grant, null)
    expect((await admin.grants({ pubkey: formatNpub(ADA) }, PAGE)).items).toMatchObject([{ price_grin: '0.000000001' }])
    expect(await admin.voidGrant('i-1', 'refunded')).toMatchObject({ pubkey: ADA, grant: { status: 'pending' } })
    await expect(admin.voidGrant('i-1', 'refunded')).rejects.toMatchObject({ code: 'GRANT_UNKNOWN' })
  })
})

describe('lists', () => {
  test('names by status, key and beginning, page by page', async () => {
    await claim('alice', ADA)
    await claim('bob', BOB)
    expect((await admin.names({}, PAGE)).items.map(({ name }) => name)).toEqual(['alice', 'bob'])
    expect((await admin.names({ prefix: 'B' }, PAGE)).items).toHaveLength(1)
    expect((await admin.names({ pubkey: formatNpub(ADA), status: 'active' }, PAGE)).items).toHaveLength(1)
    const first = await admin.names({}, { limit: 1 })
    expect(first.next).not.toBeNull()
    expect((await admin.names({}, { limit: 1, cursor: first.next ?? '' })).items[0]?.name).toBe('bob')
    await expect(admin.names({ pubkey: 'npub1nonsense' }, PAGE)).rejects.toMatchObject({ code: 'NOSTR_CODE_INVALID' })
  })

  test('offers by name and status; one with its event', async () => {
    await claim('alice', ADA)
    const { id } = offerOf('alice')
    await store.createOffer(offerOf('alice'))
    expect((await admin.offers({ name: 'Alice', status: 'live' }, PAGE)).items).toMatchObject([{ offer_id: id }])
    expect((await admin.offers({ status: 'expired' }, PAGE)).items).toEqual([])
    expect(await admin.offer(id.toUpperCase())).toMatchObject({ name: 'alice', sale: null, event: { kind: 3402 } })
    await expect(admin.offer('nonsense')).rejects.toMatchObject({ code: 'OFFER_UNKNOWN' })
  })
})
