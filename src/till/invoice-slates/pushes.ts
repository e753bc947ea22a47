// Signed transactions of the invoice flow on their way to the chain: handed to a node again and again until their kernel is in a
// block, and after a reorganisation from the start (specification: grin-wallet, 4.3). The store says what is due.
import { backoff } from '../../lib/backoff.js'
import { fromHex, toHex } from '../../lib/bytes.js'
import { LEASE_MS, LONGEST_WAIT_MS } from '../../lib/due-times.js'
import { messageOf } from '../../lib/errors.js'
import type { Alarms } from '../alarms.js'
import { searchFrom } from '../confirmation/sightings.js'
import type { Tips } from '../confirmation/tips.js'
import { createDispatcher } from '../dispatcher.js'
import type { Payment } from '../model.js'
import type { TillParts } from '../parts.js'
import type { Push } from '../work-ports.js'

const SECOND = 1000
const FIRST_WAIT = 30 * SECOND
/** Transactions at the same time. */
const WIDTH = 2
/** One refusal may be a node that is behind; only this many in a row, with an input that is not on the chain, end it. */
const TRIES_BEFORE_GIVING_UP = 3
const LOOK_AGAIN = LONGEST_WAIT_MS.payment

export interface PushesParts extends Pick<TillParts, 'store' | 'workerId' | 'chain' | 'clock' | 'log'> {
  readonly tips: Tips
  readonly alarms: Alarms
  readonly announce: (invoiceId: string) => void
}

/** `drain` pushes what is due, `kick` does so without being waited for. */
export function createPushes(parts: PushesParts) {
  const { store, workerId: by, chain, clock, log, tips, alarms } = parts
  /** Nodes may take longer than a lease. */
  const inFlight = new Set<string>()
  /** Payments that were given up, until their kernel comes after all. */
  const givenUp = new Set<string>()
  let closing = false

  /** Undefined when a node has it now, else what stands against it. By Dandelion first; a transaction that did not arrive that way is broadcast to all peers. */
  async function hand({ transaction, attempts }: Push): Promise<string | undefined> {
    const answer = await chain.push(transaction, attempts > 0)
    return answer === 'pushed' ? undefined : answer.refused
  }

  /**
   * Whether it can never be mined: an input is not on the chain and neither is the kernel. In this order: the block that brings the
   * kernel takes the inputs away, so asked the other way round it would look lost while it arrives.
   */
  async function isLost(payment: Payment, transaction: string): Promise<boolean> {
    const inputs = inputsOf(transaction)
    const unspent = await chain.unspent(inputs)
    if (inputs.every((input) => unspent.has(toHex(input)))) return false
    const from = searchFrom(payment, await tips.read(), clock.now())
    return (await chain.kernelHeight(payment.excess, from)) === undefined
  }

  async function giveUp({ id, invoiceId }: Payment, refusal: string): Promise<void> {
    if (!(await store.abandonPayment(id, clock.now() + LOOK_AGAIN))) return
    givenUp.add(id)
    alarms.raise(subjectOf(id), `given up, an input is spent or was never there; the node says: ${refusal}`)
    log.error({ payment: id, invoice: invoiceId, refusal }, 'transaction can not be mined: payment abandoned')
    if (invoiceId) parts.announce(invoiceId)
  }

  async function attempt(push: Push): Promise<void> {
    const { paymentId, transaction, attempts } = push
    const refusal = await hand(push)
    const payment = refusal === undefined ? undefined : await store.paymentById(paymentId)
    if (refusal !== undefined && payment && attempts + 1 >= TRIES_BEFORE_GIVING_UP)
      if (await isLost(payment, transaction)) return giveUp(payment, refusal)
    if (refusal === undefined) log.info({ payment: paymentId, attempts: attempts + 1 }, 'transaction handed to a node')
    else log.warn({ payment: paymentId, attempts: attempts + 1, refusal }, 'transaction refused, will be tried again')
    await postpone(push, refusal ?? null)
  }

  const postpone = ({ paymentId, attempts }: Push, error: string | null): Promise<void> =>
    store.recordPush(paymentId, clock.now() + backoff(attempts + 1, FIRST_WAIT, LONGEST_WAIT_MS.push), error, by)

  async function run(push: Push): Promise<void> {
    inFlight.add(push.paymentId)
    try {
      await attempt(push).catch((cause: unknown) => postpone(push, messageOf(cause)))
    } finally {
      inFlight.delete(push.paymentId)
    }
  }

  const dispatch = createDispatcher<Push>({
    width: WIDTH,
    due: async (limit) => {
      if (closing) return []
      const busy = new Set(inFlight)
      const claimed = await store.claimPushes({ now: clock.now(), leaseMs: LEASE_MS, by, limit })
      return claimed.filter(({ paymentId }) => !busy.has(paymentId))
    },
    run,
  })

  async function forgetAlarms(): Promise<void> {
    for (const id of givenUp) {
      if ((await store.paymentById(id))?.settlement === 'abandoned') continue
      alarms.clear(subjectOf(id))
      givenUp.delete(id)
    }
  }

  return {
    async drain(): Promise<void> {
      await dispatch()
      await forgetAlarms()
    },
    kick(): void {
      dispatch().catch((cause: unknown) => log.error({ cause: messageOf(cause) }, 'push pass failed'))
    },
    /** Starts nothing more and waits for what runs. */
    async close(): Promise<void> {
      closing = true
      await dispatch()
    },
  }
}

/** Not the payment's own subject: that one the confirmations raise and clear. */
const subjectOf = (paymentId: string): string => `transaction of payment ${paymentId}`

/** The commitments that a transaction of ours spends. */
function inputsOf(transaction: string): readonly Uint8Array[] {
  const { body }: { body: { inputs: readonly { commit: string }[] } } = JSON.parse(transaction)
  return body.inputs.map(({ commit }) => fromHex(commit, 33, 'input'))
}
