// Plays a random history of sales, and holds every report of it against a ledger beside it and against the wallet's balance.
import { expect } from 'vitest'
import type { TillStore } from '../../src/till/index.js'
import { GROUPINGS } from '../../src/till/reports/model.js'
import { createReports } from '../../src/till/reports/reports.js'
import { comparable, naiveSums, spansOf, within } from './naive-report.js'
import { playSales } from './sales-history.js'
import { aUser, NOON } from './till-builders.js'

export async function checkSales(store: TillStore, seed: number, sales: number): Promise<void> {
  await store.insertUser(aUser({ id: 'tenant' }))
  const ledger = await playSales(store, seed, sales)
  const { make: report } = createReports({ store, clock: { now: () => NOON, monotonic: () => 0 } })
  const { confirmed } = await store.balance()
  for (const by of GROUPINGS) {
    let together = { count: 0, amount: 0n }
    for (const span of spansOf(by)) {
      const made = await report({ by, ...span })
      expect(comparable(made)).toEqual(naiveSums(by, within(ledger, span)))
      together = { count: together.count + made.confirmed.count, amount: together.amount + made.confirmed.amount }
    }
    expect(together).toEqual(confirmed)
  }
}
