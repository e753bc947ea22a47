// The point of sale over the fake till, as an area for a console under test.
import { systemRandom } from '../../src/system/index.js'
import { createPosArea, createSales } from '../../src/till/console/index.js'
import type { PaidFrom } from '../../src/till/console/pos/sales.js'
import type { TillSettings } from '../../src/till/index.js'
import { createFakeClock } from './fake-clock.js'
import { createFakeTill } from './fake-till.js'

export function createTestPos(settings: Partial<TillSettings> = {}, parts: { readonly paidFrom?: PaidFrom } = {}) {
  const till = createFakeTill({ currencies: ['eur', 'jpy'], confirmations: 3, ...settings })
  /** Fiat per GRIN; a currency without one has no rate. */
  const prices = new Map([
    ['eur', '0.08'],
    ['jpy', '12'],
  ])
  const failed = new Set<string>()
  /** Currencies whose rate does not come. */
  const late = new Set<string>()
  const checks = { gate: Promise.resolve() as Promise<void> }
  const clock = createFakeClock()
  const sales = createSales({
    till,
    store: {
      latestOfOrders: async (prefix, limit) =>
        [...till.invoices.values()]
          .filter(({ orderRef }) => orderRef?.startsWith(prefix))
          .sort((a, b) => ((a.orderRef ?? '') < (b.orderRef ?? '') ? 1 : -1))
          .slice(0, limit),
    },
    rates: {
      async rate(currency) {
        const rate = prices.get(currency)
        if (late.has(currency)) return new Promise<never>(() => undefined)
        if (rate === undefined) throw new Error('no source answers')
        return { rate, source: 'fixed', at: 0 }
      },
    },
    readiness: {
      async findings() {
        await checks.gate
        return [...failed].map((name) => ({ name, ok: false, detail: '', since: 0 }))
      },
    },
    offersWallets: true,
    paidFrom: 'seen',
    payCommand: (id) => (till.settings.chain === 'sandbox' ? `grinpay sandbox pay ${id}` : null),
    ...parts,
    clock,
  })
  return {
    till,
    prices,
    failed,
    late,
    checks,
    clock,
    sales,
    area: createPosArea({ sales, random: systemRandom, shop: 'Test shop' }),
  }
}
