// What one look at the chain means for one payment (specification: invoicing, 6). Pure; where facts disagree it only waits.
import { LONGEST_WAIT_MS } from '../../lib/due-times.js'
import type { Payment } from '../model.js'
import type { Sighting } from '../ports.js'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** A confirmed payment is looked at this long, so that a deep reorganisation is noticed. */
const WATCH_CONFIRMED = DAY
/** Between looks at an old or a confirmed payment. */
const RARELY = LONGEST_WAIT_MS.payment
/** An abandoned payment's kernel may still come this long. */
const WATCH_ABANDONED = 7 * DAY
/** Kernel searches start this many blocks below the height at receipt: one day of clock and reorganisation trouble. */
const MARGIN_BLOCKS = 1440

/** What the nodes said, all of it in one pass. */
export interface ChainFacts {
  readonly tip: number
  /** Height of the kernel's block, when it is in one. */
  readonly kernelHeight: number | undefined
  /** Our own output is an unspent output of the chain. */
  readonly outputThere: boolean
  readonly inPool: boolean
}

export interface ConfirmationTerms {
  /** Blocks, 1 = in the tip block. */
  readonly confirmations: number
  /** Seconds. */
  readonly settleTimeout: number
  /** Milliseconds between looks at a young payment. */
  readonly every: number
}

export type ChainFinding =
  | { readonly kind: 'wait'; readonly nextCheckAt: number | null; readonly alarm?: string }
  | { readonly kind: 'sighting'; readonly sighting: Sighting; readonly lost?: true; readonly alarm?: string }
  | { readonly kind: 'confirm'; readonly sighting: Sighting }
  | { readonly kind: 'abandon'; readonly nextCheckAt: number }

/**
 * Where the kernel search begins: at the height at receipt, or where the chain must have been then at one block a minute, if
 * that is lower. Never too high, even when a node once reported a height that is not the chain's, or a clock ran ahead then: a time of
 * receipt in the future says nothing, and without a height the search begins at the first block.
 */
export function searchFrom({ receivedHeight, createdAt }: Payment, tip: number, now: number): number {
  const byAge = createdAt > now ? receivedHeight : tip - Math.ceil((now - createdAt) / MINUTE)
  return Math.max(0, (receivedHeight > 0 ? Math.min(receivedHeight, byAge) : byAge) - MARGIN_BLOCKS)
}

/** Decides from the payment as stored and the facts; `now` in epoch milliseconds. */
export function findingOf(payment: Payment, facts: ChainFacts, terms: ConfirmationTerms, now: number): ChainFinding {
  if (payment.settlement === 'confirmed') return watchConfirmed(payment, facts, now)
  const { kernelHeight, outputThere } = facts
  if (kernelHeight !== undefined) return minedAt(payment, kernelHeight, { facts, terms, now })
  if (!outputThere) return notMined(payment, facts, terms, now)
  const alarm = 'its output is on the chain, but its kernel was not found'
  return { kind: 'wait', nextCheckAt: nextCheck(payment, terms, now), alarm }
}

/**
 * The kernel decides (specification: grin-wallet, 5): it cannot be made without our partial signature, and we signed one transaction only, so
 * our output went with it. Below the required depth a missing output is alarmed, a check on ourselves; at that depth it is a note.
 */
function minedAt(
  payment: Payment,
  minedHeight: number,
  { facts, terms, now }: { readonly facts: ChainFacts; readonly terms: ConfirmationTerms; readonly now: number },
): ChainFinding {
  // A node may name a block above the tip it named a moment ago.
  const confirmations = Math.max(1, facts.tip - minedHeight + 1)
  const deep = confirmations >= terms.confirmations
  const sighting: Sighting = {
    paymentId: payment.id,
    settlement: deep ? 'confirmed' : 'mined',
    minedHeight,
    confirmations,
    nextCheckAt: now + (deep ? RARELY : terms.every),
    output: facts.outputThere ? null : 'spent-or-missing',
  }
  if (deep) return { kind: 'confirm', sighting }
  if (facts.outputThere) return { kind: 'sighting', sighting }
  const alarm = `its kernel is in block ${minedHeight}, but its output is not on the chain (spent with the same seed elsewhere?)`
  return { kind: 'sighting', sighting, alarm }
}

function notMined(payment: Payment, { inPool }: ChainFacts, terms: ConfirmationTerms, now: number): ChainFinding {
  const { id: paymentId, settlement } = payment
  const nextCheckAt = nextCheck(payment, terms, now)
  const unmined = { paymentId, minedHeight: null, confirmations: 0, nextCheckAt: now + terms.every }
  if (settlement === 'mined')
    return { kind: 'sighting', sighting: { ...unmined, settlement: inPool ? 'seen' : 'replied' }, lost: true }
  if (inPool && settlement !== 'seen') return { kind: 'sighting', sighting: { ...unmined, settlement: 'seen' } }
  if (inPool) return { kind: 'wait', nextCheckAt: now + terms.every }
  const age = now - payment.createdAt
  const timeout = terms.settleTimeout * SECOND
  if (settlement === 'abandoned')
    return { kind: 'wait', nextCheckAt: age >= timeout + WATCH_ABANDONED ? null : nextCheckAt }
  return age >= timeout ? { kind: 'abandon', nextCheckAt } : { kind: 'wait', nextCheckAt }
}

function watchConfirmed(payment: Payment, { kernelHeight, outputThere }: ChainFacts, now: number): ChainFinding {
  const later = now + RARELY
  const gone = kernelHeight === undefined && !outputThere
  if (gone) {
    const alarm = `it was confirmed in block ${payment.minedHeight}, but its kernel and output are no longer on the chain`
    return { kind: 'wait', nextCheckAt: later, alarm }
  }
  const over = later > (payment.confirmedAt ?? payment.createdAt) + WATCH_CONFIRMED
  return { kind: 'wait', nextCheckAt: over ? null : later }
}

/** The older, the rarer: young payments every pass, after an hour each minute, after a day each ten minutes. */
function nextCheck({ createdAt }: Payment, { every }: ConfirmationTerms, now: number): number {
  const age = now - createdAt
  if (age < HOUR) return now + every
  return now + Math.max(every, age < DAY ? MINUTE : RARELY)
}
