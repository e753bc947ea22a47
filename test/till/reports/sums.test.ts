// Reports of random histories against a ledger that is kept beside them, and against the balance of the wallet.
import fc from 'fast-check'
import { describe, onTestFinished, test } from 'vitest'
import { checkSales } from '../../support/check-sales.js'
import { quickTill } from '../../support/quick-stores.js'
import { openTemporaryStore } from '../../support/temporary-store.js'

describe('sums of random sales are those of a ledger beside them, and all of them what the wallet calls confirmed', () => {
  test('on one page', () =>
    fc.assert(
      fc.asyncProperty(fc.nat(), (seed) => checkSales(quickTill(), seed, 60)),
      { numRuns: 20 },
    ))

  test('in the database, over several pages', async () => {
    const { store, remove } = await openTemporaryStore()
    onTestFinished(remove)
    await checkSales(store, 7, 800)
  })
})
