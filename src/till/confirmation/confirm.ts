// Looks for the kernels of payments, in batches. A node that fails changes nothing: facts are gathered before the first write.
import { formatGrin } from '../../grin/amount/index.js'
import { toHex } from '../../lib/bytes.js'
import { LEASE_MS } from '../../lib/due-times.js'
import { messageOf } from '../../lib/errors.js'
import { type Alarms, alarmSubject } from '../alarms.js'
import type { Lock } from '../locks.js'
import { invoiceMeant, type Payment, type Settlement } from '../model.js'
import type { TillParts } from '../parts.js'
import type { EventFor, Sighting } from '../ports.js'
import type { Rails } from '../rails.js'
import { paymentEvent } from '../webhooks/events.js'
import { createAgreement, createPoolView, nodesNeeded, type PoolView } from './agreement.js'
import { type ChainFacts, type ChainFinding, type ConfirmationTerms, findingOf, searchFrom } from './sightings.js'
import type { Tips } from './tips.js'

const BATCH = 50
/** Batches of one pass; the rest waits for the next. */
const MAX_BATCHES = 40
/** Kernel questions to the node at the same time. */
const WIDTH = 4
/** Default interval of the passes; a fast look begins one earlier. A payment is due slightly earlier, so that no pass misses it by a moment. */
export const CONFIRM_EVERY_SECONDS = 30
const EARLY = 0.8

export interface ConfirmParts extends TillParts {
  readonly tips: Tips
  readonly rails: Rails
  readonly lock: Lock
  readonly alarms: Alarms
  readonly announce: (invoiceId: string) => void
  readonly kickWebhooks: () => void
}

/** The chain as one whole pass sees it. */
interface ChainView {
  readonly tip: number
  /** What is in the pools of at least so many nodes; asked once a pass. */
  readonly pool: PoolView
}

/** One pass over the payments that are due. Resolves also when no node answers; it then did nothing but say so. */
export function createConfirm(parts: ConfirmParts): () => Promise<void> {
  const { store, workerId: by, chain, clock, settings, log, tips, alarms } = parts
  const terms: ConfirmationTerms = {
    confirmations: settings.confirmations,
    settleTimeout: settings.settleTimeout,
    every: (parts.confirmEverySeconds ?? CONFIRM_EVERY_SECONDS) * 1000 * EARLY,
  }

  const agreed = createAgreement(parts)

  async function factsOf(
    payments: readonly Payment[],
    { tip, pool }: ChainView,
  ): Promise<ReadonlyMap<string, ChainFacts>> {
    const now = clock.now()
    const search = (payment: Payment) => chain.kernelHeight(payment.excess, searchFrom(payment, tip, now))
    const first = await mapWidth(payments, WIDTH, search)
    // After the kernels: an output that came with one of them is then there too.
    const unspent = await chain.unspent(payments.map(({ commitment }) => commitment))
    // A block between the two questions brings output and kernel together: what it may have brought is asked about again.
    const pairs = payments.map((payment, at) => ({ payment, height: first[at] }))
    const heights = await mapWidth(
      pairs,
      WIDTH,
      async ({ payment, height }) => height ?? (unspent.has(toHex(payment.commitment)) ? search(payment) : undefined),
    )
    const facts = await mapWidth(
      payments.map((payment, at) => ({ payment, kernelHeight: heights[at] })),
      WIDTH,
      async ({ payment: { id, excess, commitment, amount }, kernelHeight }) => {
        const inPool = (await pool(nodesNeeded(amount, settings))).has(toHex(excess))
        return [id, { tip, kernelHeight, outputThere: unspent.has(toHex(commitment)), inPool }] as const
      },
    )
    return new Map(facts)
  }

  async function apply(payment: Payment, finding: ChainFinding): Promise<void> {
    if (finding.kind !== 'confirm') updateAlarm(payment, alarmOf(finding) ?? (await strayOf(payment, finding)))
    switch (finding.kind) {
      case 'wait':
        return store.postponeCheck(payment.id, finding.nextCheckAt)
      case 'sighting':
        return sight(payment, finding.sighting, finding.lost === true)
      case 'confirm':
        return confirm(payment, finding.sighting)
      case 'abandon':
        return abandon(payment, finding.nextCheckAt)
    }
  }

  /** Why a kernel does not settle its invoice: the payer had taken the payment back, and the invoice went on without it. */
  async function strayOf(payment: Payment, finding: ChainFinding) {
    const { id, amount, settlement } = payment
    const invoiceId = invoiceMeant(payment)
    if (invoiceId === null || !hasKernel(finding, settlement)) return undefined
    const invoice = await store.invoiceById(invoiceId)
    if (!invoice || invoice.paymentId === id) return undefined
    if (invoice.paymentId !== null)
      return `its kernel came after payment ${invoice.paymentId} had paid the same invoice ${invoiceId}: the customer paid twice`
    if (invoice.status === 'cancelled') return `its kernel came after invoice ${invoiceId} was cancelled`
    if (invoice.amount === amount) return undefined
    return `its kernel came after invoice ${invoiceId} was priced anew: ${formatGrin(amount)} GRIN instead of ${formatGrin(invoice.amount)}`
  }

  /** Why a payment that is confirmed settled no invoice; undefined when it never was meant for one. */
  const unsettledOf = async (payment: Payment, sighting: Sighting): Promise<string | undefined> =>
    payment.invoiceId === null
      ? undefined
      : ((await strayOf(payment, { kind: 'confirm', sighting })) ??
        `it is confirmed, but invoice ${payment.invoiceId} was not open for it`)

  function updateAlarm({ id, invoiceId }: Payment, alarm: string | undefined): void {
    const subject = alarmSubject(id)
    if (alarm === undefined) {
      if (alarms.clear(subject)) log.info({ payment: id, invoice: invoiceId }, 'alarm is over')
    } else if (alarms.raise(subject, alarm))
      log.error({ payment: id, invoice: invoiceId, alarm }, 'look at this payment')
  }

  async function sight(payment: Payment, sighting: Sighting, lost: boolean): Promise<void> {
    const { settlement, confirmations, output = null } = sighting
    if (payment.settlement === settlement && payment.confirmations === confirmations && payment.output === output)
      return store.postponeCheck(payment.id, sighting.nextCheckAt)
    await store.recordSighting(sighting, clock.now())
    const fields = { payment: payment.id, invoice: payment.invoiceId }
    if (lost) log.warn({ ...fields, was: payment.confirmations }, 'kernel vanished in a reorganisation')
    if (payment.settlement === 'abandoned') log.info({ ...fields, to: 'paid' }, 'abandoned payment came after all')
    if (payment.invoiceId) parts.announce(payment.invoiceId)
  }

  /**
   * Under the payment's lock, so that the event names the invoice an operator attached a moment ago. Whether and which invoice it names is
   * decided by the store's transaction.
   */
  const confirm = (seen: Payment, sighting: Sighting): Promise<void> =>
    parts.lock(`payment:${seen.id}`, async () => {
      const payment = (await store.paymentById(seen.id)) ?? seen
      const now = clock.now()
      const eventFor = confirmedEvent(payment, sighting, now)
      const done = await store.confirmPayment(sighting, eventFor, now, parts.rails.messagesOnConfirmation(settings))
      if (!done) return
      const { id } = payment
      const { confirmations, output } = sighting
      const invoice = done.settled?.id ?? null
      log.info({ invoice, to: 'confirmed', payment: id, confirmations, ...(output && { output }) }, 'payment confirmed')
      updateAlarm(payment, done.settled ? undefined : await unsettledOf(payment, sighting))
      if (invoice) parts.announce(invoice)
      parts.kickWebhooks()
      parts.messages?.kick()
    })

  const confirmedEvent =
    (payment: Payment, { minedHeight, confirmations }: Sighting, now: number): EventFor =>
    (invoice) => {
      const deep = { ...payment, minedHeight, confirmations }
      return paymentEvent({ type: 'payment.confirmed', payment: deep, invoice }, settings.webhooks, parts.random, now)
    }

  async function abandon({ id, invoiceId }: Payment, nextCheckAt: number): Promise<void> {
    if (!(await store.abandonPayment(id, nextCheckAt))) return store.postponeCheck(id, nextCheckAt)
    log.warn({ invoice: invoiceId, to: 'expired', payment: id }, 'no kernel in time: payment abandoned')
    if (invoiceId) parts.announce(invoiceId)
  }

  const nextBatch = () => store.claimChecks({ now: clock.now(), leaseMs: LEASE_MS, by, limit: BATCH })

  async function work(due: readonly Payment[], scene: ChainView): Promise<void> {
    const facts = await factsOf(due, scene)
    const now = clock.now()
    const findings = await mapWidth(due, WIDTH, async (payment) => {
      const known = facts.get(payment.id)
      return (
        known &&
        agreed(payment, known, {
          minHeight: searchFrom(payment, scene.tip, now),
          nextCheckAt: now + terms.every,
          findingOf: (facts) => findingOf(payment, facts, terms, now),
        })
      )
    })
    const pairs = due.map((payment, at) => ({ payment, finding: findings[at] }))
    await mapWidth(pairs, BATCH, async ({ payment, finding }) => {
      if (finding) await apply(payment, finding)
    })
  }

  async function pass(): Promise<void> {
    const tip = await tips.read()
    let scene: ChainView | undefined
    const look = async (due: readonly Payment[]): Promise<void> => {
      scene ??= { tip, pool: createPoolView(chain) }
      await work(due, scene)
    }
    for (let done = 0; done < MAX_BATCHES; done += 1) {
      const due = await nextBatch()
      if (due.length > 0) await look(due).catch((cause: unknown) => giveBack(due, cause))
      if (due.length < BATCH) return
    }
  }

  /** The node failed half-way: the next pass looks again, not the one after the lease. */
  async function giveBack(due: readonly Payment[], cause: unknown): Promise<never> {
    const ids = due.map(({ id }) => id)
    await store.releaseChecks(ids, by)
    throw cause
  }

  return () =>
    pass().catch((cause: unknown) => log.warn({ cause: messageOf(cause) }, 'chain not read; tried again next pass'))
}

const alarmOf = (finding: ChainFinding): string | undefined => ('alarm' in finding ? finding.alarm : undefined)

/** Settlements that a kernel stands behind. */
const SIGHTED: ReadonlySet<Settlement> = new Set(['seen', 'mined', 'confirmed'])

const hasKernel = (finding: ChainFinding, before: Settlement): boolean =>
  SIGHTED.has('sighting' in finding ? finding.sighting.settlement : before)

/** Maps with at most `width` at a time, results in order; the first failure rejects. */
async function mapWidth<T, R>(items: readonly T[], width: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let at = 0
  async function worker(): Promise<void> {
    for (let mine = at++; mine < items.length; mine = at++) {
      const item = items[mine]
      if (item !== undefined) results[mine] = await work(item)
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker))
  return results
}
