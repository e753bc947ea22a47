// The till of a world of names, as its API shows it: invoices that are paid, confirmed, cancelled or that expire, and webhooks about them.
import { createHmac } from 'node:crypto'
import type { Transport } from '../../../src/client/index.js'
import type { Chance } from '../ground/chance.js'
import type { VirtualTime } from '../ground/time.js'
import type { Trace } from '../ground/trace.js'
import type { AuthorityProcess } from './authority.js'
import { NoAnswerInWorld } from './authority.js'

interface Bill {
  readonly id: string
  /** Of the order: the key that it is for. 64 hex. */
  readonly pubkey: string
  readonly amount: number
  readonly endsAt: number
  status: 'open' | 'paid' | 'confirmed' | 'expired' | 'cancelled'
}

export const API_TOKEN = 't'.repeat(40)
export const HOOK_SECRET = 'the secret of till and authority'

export interface WorldTill {
  readonly transport: Transport
  /** `away`: no connection; `slow`: no answer in time; `failing`: HTTP 500. */
  mood: 'well' | 'away' | 'slow' | 'failing'
  /** Pays what an invoice asks for; confirmed some minutes later. */
  pay(invoiceId: string): void
  statusOf(invoiceId: string): Bill['status'] | undefined
  /** How many invoices of a key were confirmed. */
  confirmedOf(pubkey: string): number
}

export interface WorldTillParts {
  readonly time: VirtualTime
  readonly chance: Chance
  readonly trace: Trace
  readonly authority: () => AuthorityProcess
}

export function createWorldTill({ time, chance, trace, authority }: WorldTillParts): WorldTill {
  const bills = new Map<string, Bill>()
  const byOrder = new Map<string, Bill>()
  const confirmed = new Map<string, number>()

  function open({ order_ref: order, amount_grin: amount, expiry_secs: seconds }: Record<string, unknown>): Bill {
    const [, pubkey = ''] = /^nameauth-name:([0-9a-f]{64}):\d+$/.exec(String(order)) ?? []
    if (pubkey === '') throw new Error(`an order without a key: ${order}`)
    const bill: Bill = {
      ...{ id: chance.uuid(), pubkey, amount: Number(amount), status: 'open' },
      endsAt: time.now() + Number(seconds) * 1000,
    }
    bills.set(bill.id, bill)
    return bill
  }

  function state(bill: Bill): Bill['status'] {
    if (bill.status === 'open' && time.now() >= bill.endsAt) bill.status = 'expired'
    return bill.status
  }

  const view = (bill: Bill) => ({
    invoice_id: bill.id,
    pay_url: `https://till.example/pay/${bill.id}`,
    status: state(bill),
    confirmations: bill.status === 'confirmed' ? 10 : 0,
    confirmations_required: 10,
  })

  function answer({ method, url, headers = {}, body = '' }: Parameters<Transport>[0]): readonly [number, object] {
    if (headers.authorization !== `Bearer ${API_TOKEN}`) return [401, { error: 'no', code: 'UNAUTHORIZED' }]
    const path = new URL(url).pathname
    if (method === 'POST' && path === '/invoice') {
      const key = headers['idempotency-key'] ?? chance.uuid()
      const known = byOrder.get(key)
      const bill = known ?? open(JSON.parse(body) as Record<string, unknown>)
      byOrder.set(key, bill)
      return [known ? 200 : 201, view(bill)]
    }
    const bill = bills.get(path.replace('/invoice/', ''))
    return bill ? [200, view(bill)] : [404, { error: 'not found', code: 'INVOICE_NOT_FOUND' }]
  }

  /** The webhook: lost, doubled or with a wrong signature at times. */
  async function tell(bill: Bill): Promise<void> {
    const payload = JSON.stringify({ event_type: `invoice.${bill.status}`, invoice_id: bill.id })
    const secret = chance.is(0.05) ? 'another secret' : HOOK_SECRET
    const signature = `sha256=${createHmac('sha256', secret).update(payload).digest('hex')}`
    for (let copies = chance.pick([0, 1, 1, 1, 2]); copies > 0; copies--) {
      await time.sleep(chance.around(5000))
      try {
        const { status } = await authority().ask({
          method: 'POST',
          url: chance.is(0.5) ? '/api/v1/pay/webhook' : '/api/v1/goblinpay/webhook',
          headers: { 'x-pay-signature': signature, 'content-type': 'application/json' },
          payload,
        })
        trace.note('till', 'tells', `${bill.id.slice(0, 8)} ${bill.status}: ${status}`)
        trace.happening(`till: webhook ${status}`)
      } catch (thrown) {
        if (!(thrown instanceof NoAnswerInWorld)) throw thrown
      }
    }
  }

  const till: WorldTill = {
    mood: 'well',
    async transport(request) {
      await time.sleep(chance.whole(1, 200))
      if (till.mood === 'away') throw new Error('connection refused')
      if (till.mood === 'slow') {
        await time.sleep(10_000)
        throw new Error('no answer in time')
      }
      if (till.mood === 'failing') return { status: 500, text: '{"error":"internal","code":"INTERNAL"}' }
      const [status, body] = answer(request)
      await time.sleep(chance.whole(1, 200))
      // Done all the same.
      if (chance.is(0.02)) throw new Error('the answer was lost')
      return { status, text: JSON.stringify(body) }
    },
    pay(id) {
      const bill = bills.get(id)
      if (!bill || state(bill) !== 'open') return
      if (chance.is(0.05)) {
        bill.status = 'cancelled'
        trace.note('till', 'cancels', id.slice(0, 8))
        return
      }
      bill.status = 'paid'
      trace.note('till', 'is paid', id.slice(0, 8))
      setTimeout(() => {
        bill.status = 'confirmed'
        confirmed.set(bill.pubkey, (confirmed.get(bill.pubkey) ?? 0) + 1)
        trace.note('till', 'confirms', id.slice(0, 8))
        void tell(bill)
      }, 60_000 + chance.around(600_000))
    },
    statusOf(id) {
      const bill = bills.get(id)
      return bill && state(bill)
    },
    confirmedOf: (pubkey) => confirmed.get(pubkey) ?? 0,
  }
  return till
}
