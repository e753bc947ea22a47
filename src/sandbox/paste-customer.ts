// Play money for a wallet that is no till: an S1 to be received by paste, and what completes its S2.
import { type NanoGrin, parseGrin } from '../grin/amount/index.js'
import { readSlatepack } from '../grin/slatepack/index.js'
import { messageOf } from '../lib/errors.js'
import { controlRefused } from './errors.js'
import type { HeldPayment, SandboxPayer } from './payer.js'

type Members = Readonly<Record<string, unknown>>
type Payer = Pick<SandboxPayer, 'ready' | 'begin' | 'finish' | 'push' | 'abandon'>

export interface PasteCustomer {
  /** Members `grin` (decimal text) and, for a payment proof, `address`; answers `slate_id` and the S1 as `slatepack`. */
  send(members: Members): Promise<object>
  /** Member `slatepack`: the S2. Pushes; answers `slate_id` and `kernel_excess`. */
  finish(members: Members): Promise<object>
}

/** Payments that wait for their S2; the oldest is given up for a new one. */
const MOST_HELD = 20
const PREFIX = 'tgrin'

/** Throws CONTROL_REFUSED, SANDBOX_NO_COINS, ADDRESS_INVALID, and what a slatepack or an S2 is refused for. */
export function createPasteCustomer(payer: Payer): PasteCustomer {
  const held = new Map<string, HeldPayment>()

  function forgetOldest(): void {
    const [oldest] = held.values()
    if (held.size < MOST_HELD || !oldest) return
    held.delete(oldest.slateId)
    payer.abandon(oldest)
  }

  return {
    async send({ grin, address }) {
      const amount = amountOf(grin)
      if (address !== undefined && typeof address !== 'string') throw controlRefused('the address is no text')
      await payer.ready()
      forgetOldest()
      const payment = payer.begin(amount, address === undefined ? {} : { proofFrom: address })
      held.set(payment.slateId, payment)
      return { slate_id: payment.slateId, slatepack: payment.s1 }
    },
    async finish({ slatepack }) {
      if (typeof slatepack !== 'string') throw controlRefused('give the S2 as slatepack')
      const { slate } = await readSlatepack(slatepack, { prefix: PREFIX, single: true })
      const payment = held.get(slate.id)
      if (!payment) throw controlRefused(`it sent no slate ${slate.id}`)
      const finished = await payer.finish(payment, slatepack)
      await payer.push(finished)
      held.delete(slate.id)
      return { slate_id: finished.slateId, kernel_excess: finished.excess }
    },
  }
}

function amountOf(grin: unknown): NanoGrin {
  try {
    const amount = parseGrin(typeof grin === 'string' ? grin : '')
    if (amount > 0n) return amount
  } catch (error) {
    throw controlRefused(messageOf(error))
  }
  throw controlRefused('the amount is 0')
}
