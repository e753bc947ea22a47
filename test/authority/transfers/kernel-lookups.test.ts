// A kernel that no node knows costs each node a walk through its whole history: how many of those strangers can cause at once.
import { afterEach, expect, test } from 'vitest'
import {
  addressOf,
  buyer,
  createSale,
  excessOf,
  PRICE,
  proofJson,
  seedOf,
  seller,
} from '../../support/name-transfer.js'
import { keyPairOf } from '../../support/nostr.js'

type Asked = Awaited<ReturnType<ReturnType<typeof createSale>['kernels']['source']['kernel']>>

/** A node that keeps everybody waiting until `answer`. */
function slowChain(sale: ReturnType<typeof createSale>) {
  const waiting: (() => void)[] = []
  const asked: string[] = []
  const answered = sale.kernels.source.kernel
  sale.kernels.source.kernel = (excess) => {
    asked.push(excess)
    return new Promise<Asked>((resolve) => waiting.push(() => resolve(answered(excess))))
  }
  return { asked, answer: () => waiting.splice(0).map((go) => go()) }
}

const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve))
}
const UNCONFIRMED = '409 payment_unconfirmed'
const invented = (at: number): string => excessOf(at + 1)

let chain: ReturnType<typeof slowChain> | undefined
afterEach(() => chain?.answer())

test('copies of one claim ask the nodes once', async () => {
  const sale = createSale()
  await sale.give('ada')
  const id = await sale.offered()
  sale.mined()
  chain = slowChain(sale)
  const answers = Promise.all(Array.from({ length: 10 }, () => sale.claim(id, proofJson())))
  await until(() => chain?.asked.length === 1)
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(chain.asked).toHaveLength(1)
  chain.answer()
  expect((await answers).filter((answer) => typeof answer === 'object')).toHaveLength(10)
})

test('invented payments for one offer are looked for four at once; the others have to come again', async () => {
  const sale = createSale()
  await sale.give('ada')
  const id = await sale.offered()
  chain = slowChain(sale)
  const claims = Array.from({ length: 12 }, (_, at) => sale.claim(id, proofJson({ excess: invented(at) })))
  await until(() => chain?.asked.length === 4)
  const early = await Promise.all([Promise.race(claims), claims[11]])
  expect(early).toEqual([UNCONFIRMED, UNCONFIRMED])
  expect(chain.asked).toHaveLength(4)
  chain.answer()
  expect(new Set(await Promise.all(claims))).toEqual(new Set([UNCONFIRMED]))
})

test('the buyer of another offer is heard meanwhile', async () => {
  const sale = createSale()
  const other = keyPairOf('another seller')
  await sale.give('ada')
  await sale.give('bob', other)
  const [theirs, own] = [
    await sale.offered(),
    await sale.offered(
      { name: 'bob', proof_address: addressOf(seedOf(0x33)), p: keyPairOf('another buyer').pubkey },
      other,
    ),
  ]
  chain = slowChain(sale)
  const flood = Array.from({ length: 12 }, (_, at) => sale.claim(theirs, proofJson({ excess: invented(at) })))
  await until(() => chain?.asked.length === 4)
  const paid = excessOf(0xcd)
  sale.mined(paid)
  const claim = sale.claim(
    own,
    proofJson({ excess: paid, recipient: seedOf(0x33), amount: PRICE }),
    keyPairOf('another buyer'),
  )
  await until(() => chain?.asked.length === 5)
  chain.answer()
  expect(await claim).toMatchObject({ name: 'bob', isNew: true })
  await Promise.all(flood)
})

test('a look that is over makes room, also when it failed', async () => {
  const sale = createSale()
  await sale.give('ada')
  const id = await sale.offered()
  sale.kernels.down = 'away'
  for (let at = 0; at < 40; at++) expect(await sale.claim(id, proofJson({ excess: invented(at) }))).toBe(UNCONFIRMED)
  sale.kernels.down = undefined
  sale.mined()
  expect(await sale.claim(id, proofJson(), buyer)).toMatchObject({ isNew: true })
  expect(await sale.store.nameOfKey(seller.pubkey)).toBeUndefined()
})

test('sixteen at most are looked for at once, over all buyers', async () => {
  const sale = createSale()
  const sellers = Array.from({ length: 6 }, (_, at) => keyPairOf(`seller ${at}`))
  const ids: string[] = []
  for (const [at, who] of sellers.entries()) {
    await sale.give(`name${at}`, who)
    ids.push(await sale.offered({ name: `name${at}`, proof_address: addressOf(seedOf(0x40 + at)) }, who))
  }
  chain = slowChain(sale)
  const claims = ids.flatMap((id, at) =>
    Array.from({ length: 4 }, (_, n) =>
      sale.claim(id, proofJson({ excess: invented(at * 4 + n), recipient: seedOf(0x40 + at) })),
    ),
  )
  await until(() => chain?.asked.length === 16)
  expect(await claims[23]).toBe(UNCONFIRMED)
  expect(chain.asked).toHaveLength(16)
  chain.answer()
  await Promise.all(claims)
})
