import { CLOSED_SLATE_MS, LONGEST_WAIT_MS } from '../../src/lib/due-times.js'
import type {
  AcceptExtras,
  Invoice,
  InvoiceSlate,
  InvoiceSlateStore,
  IssuedSlate,
  Payment,
  Settlement,
} from '../../src/till/index.js'
import { isDue, isPayable, type Row, raiseKeyIndex, type Tables } from './fake-tables.js'

/** Closes the invoice's open slates; answers how many there were. */
export function closeSlates({ invoices, slates }: Tables, invoiceId: string): number {
  const open = slates.all().filter((slate) => slate.invoiceId === invoiceId && slate.state === 'open')
  for (const { slateId } of open) slates.update(slateId, { state: 'closed', sealedSecrets: null })
  invoices.update(invoiceId, { slatepack: null })
  return open.length
}

export function insertSlate(tables: Tables, slate: InvoiceSlate): void {
  tables.slates.insert(slate.slateId, slate)
  raiseKeyIndex(tables, slate.keyIndex)
}

export function replaceSlate(tables: Tables, { slate, armor }: IssuedSlate): void {
  closeSlates(tables, slate.invoiceId)
  insertSlate(tables, slate)
  tables.invoices.update(slate.invoiceId, { slateId: slate.slateId, slatepack: armor })
}

export function finalizeSlate(
  { slates, pushes }: Tables,
  paymentId: string,
  { slateId, transaction }: NonNullable<AcceptExtras['finished']>,
  now: number,
): void {
  slates.update(slateId, { state: 'finalized', sealedSecrets: null })
  pushes.insert(paymentId, { paymentId, transaction, attempts: 0, nextPushAt: now })
}

const ON_THE_WAY: readonly Settlement[] = ['received', 'replied', 'seen']

/** Pushes end with a kernel in a block or an abandoned payment, and start again when that is undone. */
export function followKernel({ pushes }: Tables, before: Payment, after: Settlement, now: number): void {
  if (ON_THE_WAY.includes(before.settlement) === ON_THE_WAY.includes(after)) return
  pushes.update(before.id, { nextPushAt: ON_THE_WAY.includes(after) ? now : null })
}

const isOver = (invoice: Invoice, cutoff: number): boolean =>
  invoice.paymentId !== null || invoice.status === 'cancelled' || (invoice.expiresAt ?? Infinity) <= cutoff

type Aged = Row<Pick<Invoice, 'createdAt'>>

export function fakeInvoiceSlateStore(tables: Tables): InvoiceSlateStore {
  const { invoices, slates, pushes } = tables
  const { push: leases } = tables.leases
  const onRail = (amount: bigint) => invoices.rows().filter(({ value }) => value.offeredRail && value.amount === amount)
  const order = (a: Aged, b: Aged) => a.value.createdAt - b.value.createdAt || a.seq - b.seq
  return {
    invoiceSlate: async (slateId) => slates.get(slateId),
    async replaceInvoiceSlate(slate, armor) {
      const invoice = invoices.get(slate.invoiceId)
      if (!invoice?.offeredRail || invoice.status !== 'open' || invoice.amount !== slate.amount) return 'refused'
      replaceSlate(tables, { slate, armor })
      return 'replaced'
    },
    async closeInvoiceSlates(cutoff, limit) {
      const over = invoices.all().filter((invoice) => invoice.slatepack !== null && isOver(invoice, cutoff))
      const old = slates
        .all()
        .filter(({ state, createdAt }) => state === 'closed' && createdAt <= cutoff - CLOSED_SLATE_MS)
      const count = over.slice(0, limit).reduce((sum, { id }) => sum + closeSlates(tables, id), 0)
      for (const { slateId } of old.slice(0, limit)) slates.remove(slateId)
      return count
    },
    async closeEveryInvoiceSlate() {
      const open = slates.all().filter(({ state }) => state === 'open')
      for (const { invoiceId } of open) closeSlates(tables, invoiceId)
      return open.length
    },
    invoicesWithoutSlate: async (now, limit) =>
      invoices
        .all()
        .filter(({ status, offeredRail, slatepack, expiresAt }) => {
          const isMissing = status === 'open' && offeredRail === 'grin1' && slatepack === null
          return isMissing && (expiresAt ?? Infinity) > now
        })
        .sort((a, b) => b.createdAt - a.createdAt)
        .slice(0, limit),
    payableOnRail: async (amount, cutoff, limit) =>
      onRail(amount)
        .filter(({ value }) => isPayable(value, cutoff))
        .sort(order)
        .slice(0, limit)
        .map(({ value }) => value),
    async hasEarlierTwin({ id, amount, createdAt }) {
      const rivals = onRail(amount)
      const seq = rivals.find(({ value }) => value.id === id)?.seq ?? 0
      return rivals.some((rival) => rival.value.status === 'open' && order(rival, { seq, value: { createdAt } }) < 0)
    },
    async claimPushes(claim) {
      const due = pushes.all().filter(({ nextPushAt }) => isDue(nextPushAt, claim.now, LONGEST_WAIT_MS.push))
      const soonest = due.sort((a, b) => (a.nextPushAt ?? 0) - (b.nextPushAt ?? 0))
      return leases
        .claim(claim, soonest, ({ paymentId }) => paymentId)
        .map(({ paymentId, transaction, attempts }) => ({ paymentId, transaction, attempts }))
    },
    async recordPush(paymentId, nextPushAt, _error, by) {
      if (leases.isOthers(paymentId, by)) return
      leases.held.delete(paymentId)
      if (pushes.get(paymentId)?.nextPushAt === null) return
      pushes.update(paymentId, { attempts: (pushes.get(paymentId)?.attempts ?? 0) + 1, nextPushAt })
    },
  }
}
