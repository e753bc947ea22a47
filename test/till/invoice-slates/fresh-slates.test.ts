// Fresh invoice slates after a start: as many as there are keys to spare, for payers who look first.
import { expect, test } from 'vitest'
import type { Invoice } from '../../../src/till/index.js'
import { grin } from '../../support/till-builders.js'
import { openTill } from '../../support/till-parts.js'

async function afterStart(invoices: number) {
  const spare = { keys: 0 }
  const opened = openTill({
    settings: { grin1Rail: true },
    parts: { hasSpareKey: async () => spare.keys > 0 },
  })
  const { till, store, clock } = opened
  const take = store.takeKeyIndex
  const made: Invoice[] = []
  for (let count = 0; count < invoices; count += 1) {
    made.push((await till.createInvoice({ amountNanogrin: grin(2) })).invoice)
    await clock.advance(1000)
  }
  store.takeKeyIndex = () => {
    spare.keys -= 1
    return take()
  }
  await store.closeEveryInvoiceSlate()
  return {
    ...opened,
    made,
    /** Which invoices show a slate after a pass with so many keys to spare. */
    async pass(keys: number) {
      spare.keys = keys
      await till.passes.issueSlates()
      const all = await Promise.all(made.map(({ id }) => store.invoiceById(id)))
      return all.map((invoice) => invoice?.slatepack !== null)
    },
  }
}

test('none without a key to spare, then the newest first', async () => {
  const { pass } = await afterStart(3)
  expect(await pass(0)).toEqual([false, false, false])
  expect(await pass(1)).toEqual([false, false, true])
  expect(await pass(9)).toEqual([true, true, true])
})

test('an invoice that a payer looks at comes before all others, and takes one key', async () => {
  const { pass, till, made, wallet } = await afterStart(3)
  const [first] = made
  await till.findByToken(first?.token ?? '')
  await till.findByToken(first?.token ?? '')
  expect(await pass(0)).toEqual([false, false, false])
  expect(await pass(1)).toEqual([true, false, false])
  expect(await pass(2)).toEqual([true, true, true])
  expect(wallet.fault()).toBeUndefined()
})
