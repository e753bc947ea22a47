// Puts the till together: each verb of the API from its own file, around shared locks, alarms and announcements.
import { createSteadyClock } from '../lib/steady-clock.js'
import { publicKeyOf } from '../nostr/keys/index.js'
import { alarmTexts, createAlarms, shareAlarms } from './alarms.js'
import type { Till, TillStatus } from './api.js'
import { createClockWatch } from './confirmation/clock-watch.js'
import { createConfirm } from './confirmation/confirm.js'
import { createFastLook } from './confirmation/fast-look.js'
import { createTips } from './confirmation/tips.js'
import { paymentNotFound, receiptUnavailable } from './errors.js'
import { createFinalizing } from './invoice-slates/finalizing.js'
import { createPushes } from './invoice-slates/pushes.js'
import { createInvoices } from './invoices/invoices.js'
import { createChanges, createWaiting, shareChanges } from './invoices/waiting.js'
import { createLock } from './locks.js'
import { createEndpubs } from './nostr/endpubs.js'
import { keyTextsOf } from './nostr/links.js'
import { createResend } from './nostr/resends.js'
import type { IncomingSlate, TillParts } from './parts.js'
import { createRecording, type RailOffer } from './payments/acceptance.js'
import { createAssign } from './payments/assignments.js'
import { createPayments } from './payments/payments.js'
import { receiptOf, signReceipt } from './payments/receipts.js'
import { createVoids } from './payments/voids.js'
import { createRails, PAYMENT_RAILS } from './rails.js'
import { createReports } from './reports/reports.js'
import { receiverAlarms, receiverStatuses, totalOf } from './webhooks/receiver-health.js'
import { createWebhooks } from './webhooks/webhooks.js'

/** Ids that a search answers: one more than an error lists, so that it can say that there are more. */
const MOST_IDS = 6

/** `status` shows a height this old without asking again. */
const STATUS_TIP_AGE_MS = 5000

/** What another instance announced may be lost: a page that waits looks as often. */
const LOOK_EVERY_MS = 2000

/** Where rails hand in payments, that is all payments but those pasted on an invoice's own page. */
export interface RailIntake {
  /**
   * Matches and accepts an S1 (specification: invoicing, 3.5 and 3.6). A repeat answers the stored reply. Throws the refusal
   * the payer should read. The rail calls `markReplied` once the reply has left.
   */
  accept(offer: RailOffer): Promise<Awaited<ReturnType<Till['pasteSlatepack']>>>
  /**
   * Completes an I2 for the invoice whose slate it answers (specification: invoicing, 5.4) and answers the I3; the till pushes the
   * transaction itself. The same I2 again answers the stored I3. Throws the refusal the payer should read.
   */
  finalize(slate: IncomingSlate): Promise<Awaited<ReturnType<Till['pasteSlatepack']>>>
  markReplied(paymentId: string): Promise<void>
  /** Its payer (64 hex) takes a payment back. Answers false and changes nothing for every other author, and once a kernel was seen. */
  voidPayment(paymentId: string, author: string): Promise<boolean>
}

/** A till as the composition holds it. */
export interface RunningTill extends Till, RailIntake {
  /** Sends no more webhooks and pushes no more transactions, and waits for those under way; before the store is closed. Idempotent. */
  close(): Promise<void>
}

const walletAlarm = (fault: string | undefined): readonly string[] => (fault === undefined ? [] : [`wallet: ${fault}`])
const DAY_MS = 86_400_000
const midnightBefore = (now: number): number => now - (now % DAY_MS)

/** The whole till. Owns no timers: the composition calls `passes`. */
export function createTill(tillParts: TillParts): RunningTill {
  const clock = createSteadyClock(tillParts.clock)
  const given = { ...tillParts, clock }
  const { store, settings } = given
  const mainPubkey = publicKeyOf(given.identity)
  const identity = { address: given.wallet.address, pubkey: mainPubkey, ...keyTextsOf(mainPubkey, settings.relays) }
  const { bell } = given
  const changes = bell ? shareChanges(createChanges(), bell) : createChanges()
  const webhooks = createWebhooks(given)
  const ownAlarms = createAlarms()
  const sharedAlarms = bell && shareAlarms(ownAlarms, bell, clock.now)
  const alarms = sharedAlarms ?? ownAlarms
  const tips = createTips(given.chain, clock)
  const clockWatch = createClockWatch({ ...given, tips, alarms: ownAlarms })
  const parts = {
    ...given,
    mainPubkey,
    rails: createRails(given.paymentRails ?? PAYMENT_RAILS),
    lock: createLock(),
    tips,
    alarms,
    announce: changes.announce,
    kickWebhooks: webhooks.kick,
  }
  const invoices = createInvoices({ ...parts, mayExpire: clockWatch.mayExpire })
  const pushes = createPushes(parts)
  const record = createRecording(parts)
  const finalize = createFinalizing({ ...parts, record, kickPushes: pushes.kick })
  const payments = createPayments({ ...parts, record, finalize, current: invoices.current })
  const { rotateDue, ...users } = createEndpubs(given)
  const reports = createReports(given)

  /** A pass that ends things by time, with a look at the clock before it. */
  const byTheClock = (pass: () => Promise<void>) => async (): Promise<void> => {
    await clockWatch.look()
    return pass()
  }

  const confirmDue = byTheClock(createConfirm(parts))
  /** One pass at a time: the clock of the loop and a fast look both begin one. */
  const confirm = () => parts.lock('confirm payments', confirmDue)

  const secondsSince = (moment: number | null): number | null =>
    moment === null ? null : Math.max(0, Math.floor((clock.now() - moment) / 1000))

  async function status(): Promise<TillStatus> {
    const [backlog, messages] = await Promise.all([store.backlog(), store.messageBacklog()])
    const receivers = receiverStatuses(backlog, settings, clock.now())
    const relayState = given.relayState?.()
    await tips.recent(STATUS_TIP_AGE_MS)
    return {
      walletAddress: identity.address,
      npub: identity.npub,
      node: tips.state(),
      tipTime: tips.tipTime(),
      webhooks: { ...totalOf(receivers), receivers },
      messages: { pending: messages.pending, oldestSeconds: secondsSince(messages.oldestCreatedAt) },
      relays: relayState?.relays ?? [],
      inbox: relayState?.inbox ?? null,
      alarms: [
        ...walletAlarm(given.wallet.fault()),
        ...receiverAlarms(receivers),
        ...given.rates.alarms(),
        ...alarmTexts(alarms),
      ],
    }
  }

  async function receipt(paymentId: string) {
    const payment = await store.paymentById(paymentId)
    if (!payment) throw paymentNotFound()
    if (settings.ingest === false) throw receiptUnavailable()
    return signReceipt(receiptOf(payment, mainPubkey, clock.now()), given.identity)
  }

  return {
    settings,
    identity,
    createInvoice: invoices.create,
    findInvoice: invoices.find,
    findByToken: invoices.findByToken,
    listInvoices: (filter) => store.listInvoices(filter),
    cancelInvoice: invoices.cancel,
    requote: invoices.requote,
    canRequote: invoices.canRequote,
    changed: createWaiting({ changes, clock, find: invoices.find, lookEveryMs: bell && LOOK_EVERY_MS }),
    takesPlainSends: async (invoice) =>
      parts.rails.can(invoice.offeredRail, 'takesPlainSends') &&
      invoice.status === 'open' &&
      !(await store.hasEarlierTwin(invoice)),
    pasteSlatepack: payments.paste,
    accept: payments.accept,
    finalize: payments.finalize,
    markReplied: payments.markReplied,
    voidPayment: createVoids(parts),
    findPayment: (id) => store.paymentById(id),
    listPayments: (filter) => store.listPayments(filter),
    assignPayment: createAssign({ ...parts, forgetReported: reports.forget }),
    resendReply: createResend(given),
    receipt,
    listDeliveries: (filter) => store.listDeliveries(filter),
    findDelivery: webhooks.find,
    findIds: (kind, prefix) => store.idsLike(kind, prefix, MOST_IDS),
    replay: webhooks.replay,
    testWebhook: webhooks.test,
    ...users,
    report: reports.make,
    balance: () => store.balance(),
    async today() {
      const since = midnightBefore(clock.now())
      return { since, ...(await store.dayFigures(since)) }
    },
    status,
    async close() {
      await Promise.all([webhooks.close(), pushes.close()])
    },
    passes: {
      sweep: byTheClock(invoices.sweep),
      issueSlates: invoices.issueSlates,
      confirm,
      look: createFastLook({ ...parts, confirm }),
      push: pushes.drain,
      deliver: webhooks.drain,
      rotate: rotateDue,
      ...(sharedAlarms && { shareAlarms: async () => sharedAlarms.repeat() }),
    },
  }
}
