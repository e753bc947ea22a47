import { expect, test } from 'vitest'
import { Secret } from '../../../src/lib/secret.js'
import { deriveChild, invoiceContext } from '../../../src/nostr/keys/index.js'
import { createKeyReserve } from '../../../src/till/nostr/one-time-keys.js'
import { settled } from '../../support/fake-clock.js'
import { countingRandom } from '../../support/till-app.js'
import { codeOf, MASTER, openTill } from '../../support/till-parts.js'

const identity = new Secret(MASTER)
const pubkeyOf = (invoiceId: string) => deriveChild(identity, invoiceContext(invoiceId)).pubkey

/** Relays that say when they have been asked; `log` tells what happened in which order. */
function given() {
  const log: string[] = []
  const reserved = new Set<string>()
  let bell = Promise.resolve()
  let ring = () => {}
  const keys = createKeyReserve({
    identity,
    random: longRandom(),
    settled: async (ms) => {
      log.push(`settled within ${ms}`)
      await bell
    },
    watchSet: {
      add(map, options) {
        log.push(`watch ${map.size}`)
        if (options?.reserved) for (const pubkey of map.keys()) reserved.add(pubkey)
      },
      release: (pubkey) => void reserved.delete(pubkey),
    },
    log: { warn: (_, text) => log.push(text) },
  })
  return {
    keys,
    log,
    reserved,
    /** From now on relays answer only after the returned function was called. */
    holdRelays() {
      bell = new Promise((resolve) => {
        ring = resolve
      })
      return () => ring()
    },
  }
}

/** More than 256 different draws. */
function longRandom() {
  const { bytes } = countingRandom()
  let round = 0
  return {
    bytes(length: number) {
      const drawn = bytes(length)
      new DataView(drawn.buffer).setUint32(0, round++)
      return drawn
    },
  }
}

test('a key is the one that its invoice derives, each is handed out once', async () => {
  const { keys } = given()
  await keys.refill()
  const taken = [await keys.take(), await keys.take(), await keys.take()]
  expect(taken.map(({ pubkey }) => pubkey)).toEqual(taken.map(({ invoiceId }) => pubkeyOf(invoiceId)))
  expect(new Set(taken.map(({ invoiceId }) => invoiceId)).size).toBe(3)
})

test('a key is in reserve only once the relays were asked for it', async () => {
  const { keys, holdRelays } = given()
  const ring = holdRelays()
  const full = keys.refill()
  await settled()
  expect(keys.size()).toBe(0)
  ring()
  await full
  expect(keys.size()).toBe(64)
})

test('taking from the reserve asks no relay, and hands the key over to the store', async () => {
  const { keys, log, reserved } = given()
  await keys.refill()
  log.length = 0
  const { pubkey } = await keys.take()
  expect([log, reserved.has(pubkey), reserved.size]).toEqual([[], false, 63])
})

test('a burst empties it: then each key waits for the relays, briefly, and the reserve grows', async () => {
  const { keys, log } = given()
  await keys.refill()
  log.length = 0
  const taken = await Promise.all(Array.from({ length: 100 }, () => keys.take()))
  expect(new Set(taken.map(({ pubkey }) => pubkey)).size).toBe(100)
  expect(log.filter((line) => line === 'settled within 1000')).toHaveLength(36)
  await keys.refill()
  expect(keys.size()).toBe(512)
})

test('half empty it is filled up in the background', async () => {
  const { keys } = given()
  await keys.refill()
  for (let n = 0; n < 32; n++) await keys.take()
  await keys.refill()
  expect(keys.size()).toBe(64)
})

test('closed it is filled no more', async () => {
  const { keys } = given()
  keys.close()
  await keys.refill()
  expect(keys.size()).toBe(0)
})

test('an invoice of mode derived takes its id and key from there, the others do not', async () => {
  const { keys } = given()
  await keys.refill()
  const { till } = openTill({ parts: { oneTimeKeys: keys } })
  const { invoice } = await till.createInvoice({ amountNanogrin: 1n })
  expect(invoice.recipientPubkey).toBe(pubkeyOf(invoice.id))
  expect(keys.size()).toBe(63)
  const other = await till.createInvoice({ amountNanogrin: 1n, matchMode: 'memo' })
  expect(other.invoice.recipientPubkey).toBe(till.identity.pubkey)
  expect(await codeOf(till.createInvoice({}))).toBe('AMOUNT_MISSING')
  expect(keys.size()).toBe(63)
})
