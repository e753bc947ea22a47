// The refusals of a claim in their order (specification: names, 10.6). Each step is shown with the later ones wrong as well.
import { describe, expect, test } from 'vitest'
import { GrinpayError } from '../../../src/lib/errors.js'
import {
  addressOf,
  bodyOf,
  buyer,
  COOLDOWN_MS,
  createSale,
  excessOf,
  PRICE,
  proofJson,
  RULES,
  saidBy,
  seedOf,
  seller,
  stranger,
} from '../../support/name-transfer.js'

const DAY = 86_400_000
const BROKEN = { ...proofJson(), recipient_sig: '00'.repeat(64) }

/** An offer of `ada`, paid and deep enough. */
async function paidSale(changed: Readonly<Record<string, string>> = {}) {
  const sale = createSale()
  await sale.give('ada')
  const id = await sale.offered(changed)
  sale.mined()
  return { ...sale, id }
}

test('a paid and proven claim moves the name, and says where it is now', async () => {
  const sale = await paidSale()
  expect(await sale.claim(sale.id, proofJson())).toEqual({
    name: 'ada',
    nip05: 'ada@names.acme.example',
    pubkey: buyer.pubkey,
    isNew: true,
  })
  expect(await sale.store.activeName('ada')).toMatchObject({ pubkey: buyer.pubkey })
  expect(await sale.store.nameOfKey(seller.pubkey)).toBeUndefined()
  expect(await sale.status(sale.id)).toBe('consumed')
  expect(await sale.store.transferOf(sale.id)).toMatchObject({
    name: 'ada',
    price: PRICE,
    kernelExcess: excessOf(0xab),
    kernelHeight: 991,
  })
})

test("the sale arms the seller's cooldown, and asks nothing of the buyer's", async () => {
  const sale = await paidSale()
  await sale.give('old', buyer)
  const now = sale.clock.now()
  await sale.store.releaseName({ name: 'old', pubkey: buyer.pubkey, now, cooldownMs: COOLDOWN_MS })
  expect(await sale.claim(sale.id, proofJson())).toMatchObject({ isNew: true })
  expect(await sale.store.cooldownUntil(seller.pubkey)).toBe(now + COOLDOWN_MS)
})

describe('2: what is no claim', () => {
  const text = (body: string) => new TextEncoder().encode(body)
  const id = 'a'.repeat(64)
  test.each([
    ['no JSON', text('{')],
    ['bytes that are no UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
    ['a list', text(`[{"offer_id":"${id}"}]`)],
    ['no offer id', text('{"proof":{}}')],
    ['an id that is no text', text('{"offer_id":7,"proof":{}}')],
    ['a short id', text(`{"offer_id":"${id.slice(1)}","proof":{}}`)],
    ['an id that is no hex', text(`{"offer_id":"${id.slice(1)}g","proof":{}}`)],
    ['no proof', text(`{"offer_id":"${id}"}`)],
  ])('%s', async (_, body) => {
    const { transfers } = createSale()
    expect(await saidBy(transfers.claim(buyer, body))).toBe('400 invalid body')
  })
})

describe('3: a proof that lacks something is refused before the offer is looked for', () => {
  const valid = proofJson()
  const lacking: [string, unknown][] = [
    ['null', null],
    ['a text', 'proof'],
    ['a list', [valid]],
    ['nothing in it', {}],
    ...Object.keys(valid).map((field): [string, unknown] => [`${field} null`, { ...valid, [field]: null }]),
    ...['excess', 'recipient_address', 'recipient_sig', 'sender_address', 'sender_sig'].map(
      (field): [string, unknown] => [`${field} a number`, { ...valid, [field]: 7 }],
    ),
    ...['', ' ', '-1', '1.5', '1e3', '0x10', 'all', '18446744073709551616'].map((amount): [string, unknown] => [
      `amount ${JSON.stringify(amount)}`,
      { ...valid, amount },
    ]),
    ...[-1, 1.5, 1e300, true, [1], {}].map((amount): [string, unknown] => [
      `amount ${JSON.stringify(amount)}`,
      { ...valid, amount },
    ]),
  ]
  test.each(lacking)('%s', async (_, proof) => {
    expect(await createSale().claim('a'.repeat(64), proof)).toBe('400 invalid proof')
  })

  test('an amount beyond 2^53 is read exactly, as a number too', async () => {
    const price = 9_007_199_254_740_993n
    const sale = await paidSale({ price: `${price}` })
    const proof = JSON.stringify(proofJson({ amount: price })).replace(`"${price}"`, `${price}`)
    const body = new TextEncoder().encode(`{"offer_id":"${sale.id}","proof":${proof}}`)
    expect(await saidBy(sale.transfers.claim(buyer, body))).toMatchObject({ isNew: true })
  })

  test('further members and blanks around the amount and the addresses are ignored', async () => {
    const sale = await paidSale()
    const { amount, recipient_address, sender_address, ...rest } = proofJson()
    const padded = {
      amount: ` ${amount}\n`,
      recipient_address: `${recipient_address} `,
      sender_address: ` ${sender_address}`,
    }
    expect(await sale.claim(sale.id, { ...rest, ...padded, note: 'thanks' })).toMatchObject({ isNew: true })
  })
})

test('4: an unknown offer, by whatever proof that has six fields', async () => {
  const sale = await paidSale()
  expect(await sale.claim('a'.repeat(64), BROKEN, stranger)).toBe('404 not found')
  expect(await sale.claim(sale.id.toUpperCase(), proofJson())).toMatchObject({ isNew: true })
})

describe('5: an offer that is consumed', () => {
  test('answers the same claim as before, to any sender, for ever', async () => {
    const sale = await paidSale()
    await sale.claim(sale.id, proofJson())
    await sale.clock.advance(30 * DAY)
    sale.kernels.down = 'node down'
    const again = { name: 'ada', nip05: 'ada@names.acme.example', pubkey: buyer.pubkey, isNew: false }
    expect(await sale.claim(sale.id, proofJson())).toEqual(again)
    expect(await sale.claim(sale.id, { ...BROKEN, excess: BROKEN.excess.toUpperCase() }, stranger)).toEqual(again)
  })

  test('answers another kernel with a refusal, whichever key sends it', async () => {
    const sale = await paidSale()
    await sale.claim(sale.id, proofJson())
    expect(await sale.claim(sale.id, proofJson({ excess: excessOf(1) }), stranger)).toBe('409 offer_consumed')
  })
})

describe('6: an offer that died', () => {
  test.each(['revoked', 'expired'] as const)(
    '%s is heard through the whole grace, and not a moment longer',
    async (how) => {
      for (const [late, heard] of [
        [RULES.claimGraceSeconds * 1000, true],
        [RULES.claimGraceSeconds * 1000 + 1, false],
      ] as const) {
        const sale = await paidSale()
        await end(sale, how)
        await sale.clock.advance(late)
        const answer = await sale.claim(sale.id, proofJson(), heard ? buyer : stranger)
        if (heard) expect(answer).toMatchObject({ isNew: true })
        else expect(answer).toBe(`410 offer_${how}`)
      }
    },
  )

  test('without a height there is no grace at all', async () => {
    const sale = await paidSale()
    sale.kernels.down = 'node down'
    await sale.revoke(sale.id)
    sale.kernels.down = undefined
    expect(await sale.claim(sale.id, BROKEN, stranger)).toBe('410 offer_revoked')
  })
})

const end = async (sale: Awaited<ReturnType<typeof paidSale>>, how: 'revoked' | 'expired') => {
  if (how === 'revoked') return sale.revoke(sale.id)
  await sale.clock.advance(3_601_000)
  return sale.status(sale.id)
}

test('7: only the buyer claims', async () => {
  const sale = await paidSale()
  await sale.store.releaseName({ name: 'ada', pubkey: seller.pubkey, now: sale.clock.now(), cooldownMs: 0 })
  expect(await sale.claim(sale.id, BROKEN, stranger)).toBe('401 not the buyer')
  expect(await sale.claim(sale.id, BROKEN, seller)).toBe('401 not the buyer')
})

test('8: the seller released the name, or another key holds it', async () => {
  const sale = await paidSale()
  await sale.store.releaseName({ name: 'ada', pubkey: seller.pubkey, now: sale.clock.now(), cooldownMs: 0 })
  expect(await sale.claim(sale.id, BROKEN)).toBe('409 owner_changed')
  await sale.give('ada', stranger)
  expect(await sale.claim(sale.id, BROKEN)).toBe('409 owner_changed')
})

test('8: a suspended name is not handed on', async () => {
  const sale = await paidSale()
  await sale.suspend('ada')
  expect(await sale.claim(sale.id, BROKEN)).toBe('403 name suspended')
})

describe('9: both signatures', () => {
  const elsewhere = { recipient: seedOf(0x33), amount: 1n }
  test.each([
    ["the recipient's of another message", { ...proofJson(), recipient_sig: proofJson({ amount: 1n }).recipient_sig }],
    ["the sender's of another message", { ...proofJson(), sender_sig: proofJson({ amount: 1n }).sender_sig }],
    [
      'the two swapped',
      { ...proofJson(), recipient_sig: proofJson().sender_sig, sender_sig: proofJson().recipient_sig },
    ],
    ['hex of odd length', { ...proofJson(), sender_sig: proofJson().sender_sig.slice(1) }],
    ['blanks in the hex', { ...proofJson(), excess: ` ${proofJson().excess}` }],
    ['no hex', { ...proofJson(), sender_sig: 'z'.repeat(128) }],
    ['an address of no network', { ...proofJson(), sender_address: 'sender' }],
    ['nothing at all', { ...proofJson(), sender_sig: '' }],
  ])('%s', async (_, proof) => {
    const sale = await paidSale()
    expect(await sale.claim(sale.id, proof)).toBe('400 invalid proof')
  })

  test('they are checked before address and amount are compared', async () => {
    const sale = await paidSale()
    const proof = proofJson(elsewhere)
    expect(await sale.claim(sale.id, { ...proof, sender_sig: BROKEN.recipient_sig })).toBe('400 invalid proof')
    expect(await sale.claim(sale.id, proof)).toBe('409 proof_address_mismatch')
    expect(sale.kernels.asked).toBe(0)
  })
})

test('9: a proof with any of its bytes flipped proves nothing', async () => {
  const sale = await paidSale()
  const proof = proofJson()
  const answers = new Map<string, number>()
  for (const field of ['excess', 'recipient_sig', 'sender_sig'] as const)
    for (let at = 0; at < proof[field].length / 2; at++) {
      const bytes = Buffer.from(proof[field], 'hex')
      bytes[at] = (bytes[at] ?? 0) ^ 0x01
      const answer = await sale.claim(sale.id, { ...proof, [field]: bytes.toString('hex') })
      answers.set(String(answer), (answers.get(String(answer)) ?? 0) + 1)
    }
  for (const field of ['recipient_address', 'sender_address'] as const)
    for (let at = 0; at < proof[field].length; at++) {
      const other = proof[field][at] === 'q' ? 'p' : 'q'
      const changed = `${proof[field].slice(0, at)}${other}${proof[field].slice(at + 1)}`
      const answer = await sale.claim(sale.id, { ...proof, [field]: changed })
      answers.set(String(answer), (answers.get(String(answer)) ?? 0) + 1)
    }
  expect(Object.fromEntries(answers)).toEqual({ '400 invalid proof': 33 + 64 + 64 + 63 + 63 })
})

test('10: a proof for another address, and for the same key on the other network', async () => {
  const sale = await paidSale()
  expect(await sale.claim(sale.id, proofJson({ recipient: seedOf(0x33), amount: 1n }))).toBe(
    '409 proof_address_mismatch',
  )
  expect(await sale.claim(sale.id, proofJson({ prefix: 'tgrin' }))).toBe('409 proof_address_mismatch')
})

test('10: an offer on the other network is paid there', async () => {
  const sale = await paidSale({ proof_address: addressOf(seedOf(0x11), 'tgrin').toUpperCase() })
  expect(await sale.claim(sale.id, proofJson())).toBe('409 proof_address_mismatch')
  expect(await sale.claim(sale.id, proofJson({ prefix: 'tgrin' }))).toMatchObject({ isNew: true })
})

test.each([PRICE - 1n, PRICE + 1n, 0n])(
  '11: a payment of %d is not the price, and no node is asked',
  async (amount) => {
    const sale = await paidSale()
    expect(await sale.claim(sale.id, proofJson({ amount }))).toBe('409 proof_amount_mismatch')
    expect(sale.kernels.asked).toBe(0)
  },
)

describe('12: a payment that is not confirmed', () => {
  test('is unknown to the chain, or not deep enough, or no node answers', async () => {
    const sale = await paidSale()
    sale.kernels.heights.clear()
    expect(await sale.claim(sale.id, proofJson())).toBe('409 payment_unconfirmed')
    sale.mined(excessOf(0xab), RULES.minConfirmations - 1)
    expect(await sale.claim(sale.id, proofJson())).toBe('409 payment_unconfirmed')
    sale.mined(excessOf(0xab), RULES.minConfirmations)
    sale.kernels.down = 'node down'
    expect(await sale.claim(sale.id, proofJson())).toBe('409 payment_unconfirmed')
    expect(sale.logged).toContain('no Grin node tells whether a name is paid')
    sale.kernels.down = undefined
    expect(await sale.claim(sale.id, proofJson())).toMatchObject({ isNew: true })
  })

  test('is reported before a dead offer, a used kernel and a name of the buyer', async () => {
    const sale = await paidSale()
    await sale.give('own', buyer)
    await sale.revoke(sale.id)
    sale.kernels.heights.set(excessOf(0xab), 1001)
    expect(await sale.claim(sale.id, proofJson())).toBe('409 payment_unconfirmed')
  })

  test('a tip that lags behind the block of the payment counts as one confirmation', async () => {
    const sale = await paidSale()
    sale.kernels.heights.set(excessOf(0xab), sale.kernels.tip + 5)
    expect(await sale.claim(sale.id, proofJson())).toBe('409 payment_unconfirmed')
  })
})

test.each(['revoked', 'expired'] as const)(
  '13: %s: a payment in the block of the end counts, one block later it is too late',
  async (how) => {
    const sale = await paidSale()
    await sale.give('own', buyer)
    await end(sale, how)
    sale.kernels.tip = 1010
    sale.kernels.heights.set(excessOf(0xab), 1001)
    expect(await sale.claim(sale.id, proofJson())).toBe(`410 offer_${how}`)
    await sale.store.releaseName({ name: 'own', pubkey: buyer.pubkey, now: sale.clock.now(), cooldownMs: 0 })
    sale.kernels.heights.set(excessOf(0xab), 1000)
    expect(await sale.claim(sale.id, proofJson())).toMatchObject({ isNew: true })
  },
)

test('13: an offer that is revoked while the node is asked is judged as it is then', async () => {
  const sale = await paidSale()
  const { kernel } = sale.kernels.source
  Object.assign(sale.kernels.source, {
    kernel: async (excess: string) => {
      sale.kernels.tip = 900
      await sale.revoke(sale.id)
      sale.kernels.tip = 1000
      return kernel(excess)
    },
  })
  expect(await sale.claim(sale.id, proofJson())).toBe('410 offer_revoked')
})

test('13: a claim that is carried out elsewhere while the node is asked is answered as done', async () => {
  const sale = await paidSale()
  const elsewhere = createSale(sale.store)
  elsewhere.mined()
  const { kernel } = sale.kernels.source
  Object.assign(sale.kernels.source, {
    kernel: async (excess: string) => {
      expect(await elsewhere.claim(sale.id, proofJson())).toMatchObject({ isNew: true })
      return kernel(excess)
    },
  })
  expect(await sale.claim(sale.id, proofJson())).toMatchObject({ pubkey: buyer.pubkey, isNew: false })
})

test('14: a payment buys one name', async () => {
  const sale = await paidSale()
  await sale.claim(sale.id, proofJson())
  await sale.give('bob', stranger)
  const second = await sale.offered({ name: 'bob' }, stranger)
  expect(await sale.claim(second, proofJson())).toBe('409 proof_reused')
  expect(await sale.claim(second, { ...proofJson(), excess: proofJson().excess.toUpperCase() })).toBe(
    '409 proof_reused',
  )
})

test('15: the buyer holds a name: the answer says which, and the buyer is free to try again after releasing it', async () => {
  const sale = await paidSale()
  await sale.give('own', buyer)
  const refusal = await sale.transfers
    .claim(buyer, bodyOf({ offer_id: sale.id, proof: proofJson() }))
    .catch((thrown) => thrown)
  expect(refusal).toBeInstanceOf(GrinpayError)
  expect(refusal).toMatchObject({ status: 409, message: 'pubkey already has a name', members: { name: 'own' } })
  await sale.store.releaseName({ name: 'own', pubkey: buyer.pubkey, now: sale.clock.now(), cooldownMs: COOLDOWN_MS })
  expect(await sale.claim(sale.id, proofJson())).toMatchObject({ isNew: true })
})

test('16: a claim that another one of its kind overtook in the last moment is answered as done', async () => {
  const sale = await paidSale()
  const { transferName } = sale.store
  Object.assign(sale.store, {
    transferName: async (claim: Parameters<typeof transferName>[0]) => {
      await transferName(claim)
      return transferName(claim)
    },
  })
  expect(await sale.claim(sale.id, proofJson())).toMatchObject({ pubkey: buyer.pubkey, isNew: false })
})

describe('16: what changes between the last look and the write', () => {
  const WRITES = {
    'owner-changed': '409 owner_changed',
    'proof-reused': '409 proof_reused',
    consumed: '409 offer_consumed',
    unknown: '404 not found',
    suspended: '403 name suspended',
  } as const
  test.each(Object.entries(WRITES))('%s is answered %s', async (outcome, text) => {
    const sale = await paidSale()
    Object.assign(sale.store, { transferName: async () => ({ outcome }) })
    expect(await sale.claim(sale.id, proofJson())).toBe(text)
  })

  test('a name that the buyer took meanwhile is named', async () => {
    const sale = await paidSale()
    Object.assign(sale.store, { transferName: async () => ({ outcome: 'has-name', name: 'own' }) })
    const body = bodyOf({ offer_id: sale.id, proof: proofJson() })
    await expect(sale.transfers.claim(buyer, body)).rejects.toMatchObject({
      message: 'pubkey already has a name',
      members: { name: 'own' },
    })
  })
})

test('a price of nothing is paid by a proof of nothing', async () => {
  const sale = await paidSale({ price: '0' })
  expect(await sale.claim(sale.id, proofJson({ amount: 0n }))).toMatchObject({ isNew: true })
})

test('a name that was bought can be sold on', async () => {
  const sale = await paidSale()
  await sale.claim(sale.id, proofJson())
  const next = await sale.offered({ p: stranger.pubkey }, buyer)
  sale.mined(excessOf(2))
  expect(await sale.claim(next, proofJson({ excess: excessOf(2) }), stranger)).toMatchObject({
    pubkey: stranger.pubkey,
  })
})
