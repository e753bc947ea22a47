import { describe, expect, test } from 'vitest'
import type { InvoiceStatus, Payment, Sighting, TillStore } from '../../../../src/till/index.js'
import { HAPPENINGS, type Happening, next } from '../../../../src/till/invoices/transitions.js'
import { INVOICE_STATUSES } from '../../../../src/till/model.js'
import { anInvoice, aPayment, DAY, grin, NOON } from '../../../support/till-builders.js'
import type { OpenStore } from './index.js'

const FIAT = { amount: '1', currency: 'USD', rate: '1', source: 'fixed' }

const sighted = (payment: Payment, settlement: 'seen' | 'confirmed'): Sighting => {
  const mined =
    settlement === 'confirmed' ? { minedHeight: 1_000_010, confirmations: 10 } : { minedHeight: null, confirmations: 0 }
  return { paymentId: payment.id, settlement, ...mined, nextCheckAt: null }
}

/** An invoice, the payment that it names, if any, and one that was taken back before. */
interface Scene {
  readonly store: TillStore
  readonly id: string
  readonly stray: Payment
  readonly named: Payment | undefined
}

/** An invoice of that status which came there by the verbs alone. */
async function sceneOf(store: TillStore, status: InvoiceStatus): Promise<Scene> {
  const { id } = await (async () => {
    const invoice = anInvoice({ expiresAt: NOON + DAY, fiat: FIAT })
    await store.insertInvoice(invoice, NOON)
    return invoice
  })()
  const pay = async (): Promise<Payment> => {
    const payment = aPayment({ invoiceId: id })
    expect(await store.acceptPayment(payment, null, NOON, NOON)).toEqual({ outcome: 'accepted' })
    return payment
  }
  const stray = await pay()
  await store.abandonPayment(stray.id, NOON, true)
  const named = status === 'paid' || status === 'confirmed' ? await pay() : undefined
  if (named && status === 'confirmed') await store.confirmPayment(sighted(named, 'confirmed'), null, NOON)
  if (status === 'expired') await store.expireInvoice(id, NOON + DAY)
  if (status === 'cancelled') await store.cancelInvoice(id)
  expect((await store.invoiceById(id))?.status).toBe(status)
  return { store, id, stray, named }
}

const quote = { amount: grin(3), fiat: FIAT, expiresAt: NOON + 2 * DAY, payLink: 'link', qrSvg: '<svg/>' }

/** How each happening reaches the store. */
const CAUSES: Readonly<Record<Happening, (scene: Scene) => Promise<unknown>>> = {
  'payment-accepted': ({ store, id }) => store.acceptPayment(aPayment({ invoiceId: id }), null, NOON, NOON),
  async 'confirmed-payment-assigned'({ store, id }) {
    const payment = aPayment()
    await store.acceptPayment(payment, null, NOON, NOON)
    await store.confirmPayment(sighted(payment, 'confirmed'), null, NOON)
    return store.assignPayment(payment.id, id, 'confirmed', [], NOON)
  },
  'depth-reached': ({ store, named, stray }) =>
    store.confirmPayment(sighted(named ?? stray, 'confirmed'), null, NOON + DAY),
  'time-over': ({ store, id }) => store.expireInvoice(id, NOON + DAY),
  cancelled: ({ store, id }) => store.cancelInvoice(id),
  repriced: ({ store, id }) => store.requote(id, 0, quote),
  'kernel-missing': ({ store, named, stray }) => store.abandonPayment((named ?? stray).id, null),
  'kernel-appeared': ({ store, stray }) => store.recordSighting(sighted(stray, 'seen'), NOON + DAY),
  'payment-void': ({ store, named, stray }) => store.abandonPayment((named ?? stray).id, null, true),
}

/** A kernel at its depth has appeared as well. */
const stepsOf = (happening: Happening): readonly Happening[] =>
  happening === 'depth-reached' ? ['kernel-appeared', happening] : [happening]

const PAIRS = INVOICE_STATUSES.flatMap((status) => HAPPENINGS.map((happening) => [status, happening] as const))

export function describeLife(open: OpenStore): void {
  describe('the life of an invoice', () => {
    test.each(PAIRS)('%s, %s: as the table says', async (status, happening) => {
      const scene = await sceneOf(await open(), status)
      const before = await scene.store.invoiceById(scene.id)
      await CAUSES[happening](scene)
      const after = await scene.store.invoiceById(scene.id)
      const steps = stepsOf(happening)
      expect(after?.status).toBe(steps.reduce((now, step) => next(now, step) ?? now, status))
      if (steps.every((step) => next(status, step) === undefined)) expect(after).toEqual(before)
    })

    test('an invoice that kept the memory of its payment goes back to that payment', async () => {
      const { store, id, named } = await sceneOf(await open(), 'paid')
      const payment = named as Payment
      await store.abandonPayment(payment.id, NOON)
      await store.recordSighting(sighted(payment, 'seen'), NOON + DAY)
      expect(await store.invoiceById(id)).toMatchObject({ status: 'paid', paymentId: payment.id })
    })

    test('a payment that is not confirmed is assigned as accepted', async () => {
      for (const status of INVOICE_STATUSES) {
        const { store, id } = await sceneOf(await open(), status)
        const payment = aPayment()
        await store.acceptPayment(payment, null, NOON, NOON)
        await store.assignPayment(payment.id, id, 'received', [], NOON)
        expect((await store.invoiceById(id))?.status).toBe(next(status, 'payment-accepted') ?? status)
      }
    })

    test('the sweep expires what the table lets time end', async () => {
      for (const status of INVOICE_STATUSES) {
        const { store, id } = await sceneOf(await open(), status)
        await store.expireDue(NOON + DAY, 10)
        expect((await store.invoiceById(id))?.status).toBe(next(status, 'time-over') ?? status)
      }
    })
  })

  describe('which invoice a confirmation names', () => {
    test.each<[InvoiceStatus, 'named' | 'stray', boolean]>([
      ['paid', 'named', true],
      ['paid', 'stray', false],
      ['open', 'stray', true],
      ['expired', 'stray', true],
      ['confirmed', 'stray', false],
      ['cancelled', 'stray', false],
    ])('an invoice that is %s, confirmed its %s payment: %s', async (status, which, isNamed) => {
      const scene = await sceneOf(await open(), status)
      const { store, id } = scene
      const payment = scene[which] as Payment
      const settled: (string | null)[] = []
      const answer = await store.confirmPayment(
        sighted(payment, 'confirmed'),
        (invoice) => {
          settled.push(invoice?.id ?? null)
          return {
            eventId: 'ee'.repeat(16),
            type: 'payment.confirmed',
            invoiceId: invoice?.id ?? null,
            paymentId: payment.id,
            body: '{}',
            createdAt: NOON,
            receivers: [1],
          }
        },
        NOON + DAY,
      )
      const invoice = await store.invoiceById(id)
      expect(settled).toEqual([isNamed ? id : null])
      expect(answer).toEqual({ settled: isNamed ? invoice : null })
      expect(invoice?.status === 'confirmed' && invoice.paymentId === payment.id).toBe(isNamed)
      expect((await store.listDeliveries({ limit: 2 })).items.map(({ invoiceId }) => invoiceId)).toEqual(settled)
    })
  })
}
