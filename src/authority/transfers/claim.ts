// Claims a sold name: refusals in a fixed order, then one write (specification: names, 10.6).
import { type GrinpayError, telling } from '../../lib/errors.js'
import type { Clock, Log } from '../../lib/ports.js'
import type { AuthoritySettings, Caller, TransferSettings, Transfers } from '../api.js'
import {
  invalidProof,
  nameSuspended,
  nothingHere,
  notTheBuyer,
  offerConsumed,
  offerExpired,
  offerRevoked,
  ownerChanged,
  paymentUnconfirmed,
  proofAddressMismatch,
  proofAmountMismatch,
  proofReused,
  pubkeyHasName,
} from '../errors.js'
import type { Offer, Transfer } from '../model.js'
import type { NameReads, OfferStore, TransferOutcome } from '../ports.js'
import type { Endings } from './endings.js'
import type { KernelLookup } from './kernel-lookups.js'
import { type ClaimBody, type ClaimedProof, isProven, readClaimBody } from './proof.js'

export interface ClaimParts {
  readonly store: Pick<OfferStore, 'offer' | 'transferOf' | 'transferName'> & Pick<NameReads, 'activeName'>
  readonly lookUpKernel: KernelLookup
  readonly endings: Pick<Endings, 'settle'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Pick<Log, 'info'>
  readonly settings: Pick<AuthoritySettings, 'domain' | 'cooldownSeconds'>
  readonly rules: Pick<TransferSettings, 'minConfirmations' | 'claimGraceSeconds'>
}

type Sold = Awaited<ReturnType<Transfers['claim']>>

export function createClaim(parts: ClaimParts): Transfers['claim'] {
  const { store, endings, clock, log, settings, rules } = parts

  /** Steps 4 to 6: an offer that can still be claimed, or the sale when this claim was carried out before. */
  async function open({ offerId, proof }: ClaimBody): Promise<Offer | Transfer> {
    const found = await store.offer(offerId)
    if (!found) throw nothingHere()
    const offer = await endings.settle(found)
    if (offer.status === 'consumed') return saleBy(offerId, proof)
    refuseDead(offer, clock.now(), rules.claimGraceSeconds * 1000)
    return offer
  }

  async function saleBy(offerId: string, { excess }: ClaimedProof): Promise<Transfer> {
    const sale = await store.transferOf(offerId)
    if (sale?.kernelExcess !== excess) throw offerConsumed()
    return sale
  }

  /** Steps 7 and 8. */
  async function refuseOtherParties(offer: Offer, caller: Caller): Promise<void> {
    if (caller.pubkey !== offer.buyer) throw notTheBuyer()
    const held = await store.activeName(offer.name)
    if (held?.pubkey !== offer.seller) throw ownerChanged()
    if (held.suspendedAt !== null) throw nameSuspended()
  }

  /** Step 12: the height of a payment with enough confirmations. */
  async function confirmedHeight({ offerId, proof }: ClaimBody): Promise<number> {
    const kernel = await parts.lookUpKernel(offerId, proof.excess)
    const confirmations = kernel ? Math.max(1, kernel.tip - kernel.height + 1) : 0
    if (!kernel || confirmations < rules.minConfirmations) throw paymentUnconfirmed()
    return kernel.height
  }

  /** Steps 14 to 17: the write transaction decides, in this order, so no change can come between check and write. */
  async function transfer({ offerId, proof }: ClaimBody, kernelHeight: number): Promise<Sold> {
    const now = clock.now()
    const cooldownMs = settings.cooldownSeconds * 1000
    const answer = await store.transferName({ offerId, kernelExcess: proof.excess, kernelHeight, now, cooldownMs })
    if (answer.outcome === 'consumed') return soldOf(await saleBy(offerId, proof), false)
    if (answer.outcome !== 'transferred') throw refusalOf(answer)
    log.info({ offer: offerId, name: answer.transfer.name, kernelHeight }, 'a name was sold')
    return soldOf(answer.transfer, true)
  }

  const soldOf = ({ name, buyer }: Transfer, isNew: boolean): Sold => ({
    name,
    nip05: `${name}@${settings.domain}`,
    pubkey: buyer,
    isNew,
  })

  return async (caller, body) => {
    const claim = readClaimBody(body)
    const offer = await open(claim)
    if (isSale(offer)) return soldOf(offer, false)
    await refuseOtherParties(offer, caller)
    refuseProof(offer, claim.proof)
    const height = await confirmedHeight(claim)
    // The offer may have ended or been claimed during the node request.
    const now = await open(claim)
    if (isSale(now)) return soldOf(now, false)
    if (now.endHeight !== null && height > now.endHeight) throw endedOfferRefusal(now)
    return transfer(claim, height)
  }
}

const isSale = (opened: Offer | Transfer): opened is Transfer => 'kernelExcess' in opened

const endedOfferRefusal = ({ status }: Offer): GrinpayError => (status === 'revoked' ? offerRevoked() : offerExpired())

/** Step 6: an ended offer can be claimed for a grace period if the chain height at its end is known. */
function refuseDead(offer: Offer, now: number, graceMs: number): void {
  if (offer.status === 'live') return
  if (offer.endHeight === null || now - offer.stateChangedAt > graceMs) throw endedOfferRefusal(offer)
}

/** Steps 9 to 11. */
function refuseProof(offer: Offer, proof: ClaimedProof): void {
  if (!isProven(proof)) throw invalidProof()
  if (proof.recipientAddress !== offer.proofAddress) throw proofAddressMismatch()
  if (proof.amount !== offer.price) throw proofAmountMismatch()
}

type Refused = Exclude<TransferOutcome, { readonly outcome: 'transferred' }>

const REFUSED = {
  consumed: offerConsumed,
  'owner-changed': ownerChanged,
  'proof-reused': proofReused,
  suspended: nameSuspended,
  unknown: nothingHere,
}

function refusalOf(answer: Refused): GrinpayError {
  return answer.outcome === 'has-name' ? telling(pubkeyHasName(), { name: answer.name }) : REFUSED[answer.outcome]()
}
