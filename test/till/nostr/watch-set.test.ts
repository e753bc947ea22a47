import { describe, expect, test } from 'vitest'
import { Secret } from '../../../src/lib/secret.js'
import { deriveChild, endpubContext, invoiceContext, publicKeyOf } from '../../../src/nostr/keys/index.js'
import type { Page, WatchStore } from '../../../src/till/index.js'
import { createWatchSet } from '../../../src/till/nostr/watch-set.js'
import { createFakeClock } from '../../support/fake-clock.js'
import { anInvoice, DAY, freshHex, MINUTE, NOON } from '../../support/till-builders.js'
import { MASTER } from '../../support/till-parts.js'

const identity = new Secret(MASTER)
const mainPubkey = publicKeyOf(identity)

interface Key {
  readonly pubkey: string
  readonly invoiceId: string
}
interface Endpub {
  readonly pubkey: string
  readonly userId: string
  readonly epoch: number
}

/** A store that answers from two lists, a few at a time. */
function fakeWatchStore(invoices: Key[], endpubs: Endpub[]) {
  const asked: { closedSince?: number; overlap?: number } = {}
  const page = <T>(all: readonly T[], limit: number, cursor = '0'): Page<T> => {
    const [from, to] = [Number(cursor), Number(cursor) + Math.min(limit, 2)]
    return { items: all.slice(from, to), next: to < all.length ? String(to) : null }
  }
  const store: WatchStore = {
    async invoiceKeysToWatch(closedSince, limit, cursor) {
      asked.closedSince = closedSince
      return page(invoices, limit, cursor)
    },
    async endpubsToWatch(overlap, limit, cursor) {
      asked.overlap = overlap
      return page(endpubs, limit, cursor)
    },
    async invoiceByRecipient(pubkey) {
      const key = invoices.find((one) => one.pubkey === pubkey)
      return key && anInvoice({ id: key.invoiceId, recipientPubkey: pubkey })
    },
    async endpubOf(pubkey) {
      const endpub = endpubs.find((one) => one.pubkey === pubkey)
      return endpub && { userId: endpub.userId, epoch: endpub.epoch }
    },
  }
  return { store, asked }
}

const anInvoiceKey = (): Key => {
  const invoiceId = freshHex(32)
  return { invoiceId, pubkey: deriveChild(identity, invoiceContext(invoiceId)).pubkey }
}
const anEndpub = (userId: string, epoch: number): Endpub => ({
  userId,
  epoch,
  pubkey: deriveChild(identity, endpubContext(userId, epoch)).pubkey,
})

function given(invoices: Key[] = [], endpubs: Endpub[] = []) {
  const { store, asked } = fakeWatchStore(invoices, endpubs)
  const clock = createFakeClock()
  const watched = new Map<string, boolean | undefined>()
  const set = createWatchSet({
    store,
    identity,
    mainPubkey,
    clock,
    overlapEpochs: 1,
    relays: {
      watch: (pubkeys, { known } = {}) => {
        for (const pubkey of pubkeys) watched.set(pubkey, known)
      },
      unwatch: (pubkeys) => {
        for (const pubkey of pubkeys) watched.delete(pubkey)
      },
    },
    log: { warn: () => {} },
  })
  return { set, asked, clock, watched, invoices, endpubs }
}

describe('filled at the start', () => {
  test('it is the own key, every invoice key and every endpub, all of which may have mail', async () => {
    const invoices = Array.from({ length: 5 }, anInvoiceKey)
    const endpubs = [anEndpub('alice', 3), anEndpub('alice', 2), anEndpub('bob', 0)]
    const { set, watched } = given(invoices, endpubs)
    await set.rebuild()
    const all = [mainPubkey, ...invoices.map(({ pubkey }) => pubkey), ...endpubs.map(({ pubkey }) => pubkey)]
    expect(new Set(watched.keys())).toEqual(new Set(all))
    expect([...watched.values()].every((known) => known === true)).toBe(true)
  })

  test('the store is asked for what ended within seven days, and for as many epochs as are set', async () => {
    const { set, asked } = given()
    await set.rebuild()
    expect(asked).toEqual({ closedSince: NOON - 7 * DAY, overlap: 1 })
  })
})

describe('secrets', () => {
  test('are those of the keys', async () => {
    const [key, endpub] = [anInvoiceKey(), anEndpub('alice', 2)]
    const { set } = given([key], [endpub])
    await set.rebuild()
    for (const pubkey of [mainPubkey, key.pubkey, endpub.pubkey]) {
      const secret = set.secretOf(pubkey)
      expect(secret && publicKeyOf(secret)).toBe(pubkey)
    }
    expect(set.secretOf(freshHex(64))).toBeUndefined()
  })

  test('of keys that are not listened to any more are found in the store', async () => {
    const [key, endpub] = [anInvoiceKey(), anEndpub('alice', 0)]
    const { set } = given([key], [endpub])
    for (const pubkey of [mainPubkey, key.pubkey, endpub.pubkey]) {
      expect(set.secretOf(pubkey)).toBeUndefined()
      const secret = await set.findSecret(pubkey)
      expect(secret && publicKeyOf(secret)).toBe(pubkey)
    }
    expect(await set.findSecret(freshHex(64))).toBeUndefined()
  })
})

describe('a rebuild', () => {
  test('drops what the store no longer names and back-fills what it names anew', async () => {
    const [old, young] = [anInvoiceKey(), anInvoiceKey()]
    const { set, watched, invoices } = given([old])
    await set.rebuild()
    invoices.splice(0, 1, young)
    await set.rebuild()
    expect([...watched]).toEqual([
      [mainPubkey, true],
      [young.pubkey, true],
    ])
    expect(set.secretOf(old.pubkey)).toBeUndefined()
  })

  test('leaves alone what was added a moment ago: its invoice may not be stored yet', async () => {
    const { set, watched, clock } = given()
    const { pubkey, invoiceId } = anInvoiceKey()
    set.add(new Map([[pubkey, { kind: 'invoice', invoiceId }]]))
    await set.rebuild()
    expect(watched.get(pubkey)).toBe(false)
    await clock.advance(11 * MINUTE)
    await set.rebuild()
    expect(watched.has(pubkey)).toBe(false)
  })

  test('keeps a reserved key until some time after it was taken', async () => {
    const { set, watched, clock } = given()
    const { pubkey, invoiceId } = anInvoiceKey()
    set.add(new Map([[pubkey, { kind: 'invoice', invoiceId }]]), { reserved: true })
    await clock.advance(30 * DAY)
    await set.rebuild()
    expect(watched.has(pubkey)).toBe(true)
    set.release(pubkey)
    await set.rebuild()
    expect(watched.has(pubkey)).toBe(true)
    await clock.advance(11 * MINUTE)
    await set.rebuild()
    expect(watched.has(pubkey)).toBe(false)
  })
})
