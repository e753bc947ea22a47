// Reports of 100,000 random sales with reorganisations, re-quotes and assignments: in every grouping what a ledger beside them says, and
// together what the wallet calls confirmed. The short form is test/till/reports/sums.test.ts.
import { onTestFinished, test } from 'vitest'
import { checkSales } from '../support/check-sales.js'
import { openTemporaryStore } from '../support/temporary-store.js'

const SALES = 100_000

test(`${SALES} sales`, { timeout: 900_000 }, async () => {
  const { store, remove } = await openTemporaryStore()
  onTestFinished(remove)
  await checkSales(store, Number(process.env.GRINPAY_SEED ?? 16), SALES)
})
