// A pay link as a customer's wallet reads it (specification: invoicing, 4.8).
import { parseNprofile } from '../nostr/nip19/index.js'
import { payLinkInvalid } from './errors.js'

export interface ReadPayLink {
  /** 64 lower-case hex: who is paid. */
  readonly pubkey: string
  readonly relays: readonly string[]
  /** Nanogrin; undefined when the wallet would ask. */
  readonly amount: bigint | undefined
  /** What becomes the subject of the message. */
  readonly memo: string | undefined
  /** The address that owes a payment proof. */
  readonly proof: string | undefined
}

const MOST_CHARACTERS = 4096
const LINK = /^(?:goblin|nostr):(nprofile1[02-9ac-hj-np-z]+)(?:\?(.*))?$/i

/** Throws SANDBOX_PAY_LINK for a link that no wallet could use. */
export function readPayLink(link: string): ReadPayLink {
  const [, nprofile = '', query = ''] = (link.length <= MOST_CHARACTERS && LINK.exec(link)) || []
  if (nprofile === '') throw payLinkInvalid('it is not a goblin: or nostr: link')
  const profile = parseNprofile(nprofile.toLowerCase())
  const parameters = new URLSearchParams(query)
  return {
    ...profile,
    amount: amountOf(parameters.get('amount')),
    memo: parameters.get('memo') || undefined,
    proof: parameters.get('proof') || undefined,
  }
}

/** Decimals beyond the ninth are cut off; what is no positive amount is ignored. */
function amountOf(text: string | null): bigint | undefined {
  const [, whole = '', fraction = ''] = /^(\d{0,10})(?:\.(\d*))?$/.exec(text ?? '') ?? []
  const amount = BigInt(whole || '0') * 1_000_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0'))
  return amount > 0n ? amount : undefined
}
