// The till's wallet on the Grin library: opens slatepacks, checks S1, makes S2. Keeps nothing; the store keeps everything.
import type { Keychain, ProveRange, VerifyRange } from '../../grin/keychain/index.js'
import type { SignedReceiverProof } from '../../grin/proof/index.js'
import { checkS1, ownAddresses, receiveS1, replyArmor } from '../../grin/receive/index.js'
import { digestSlate, parseSlateJson } from '../../grin/slate/index.js'
import { type AddressPrefix, formatAddress, type OpenedSlatepack, readSlatepack } from '../../grin/slatepack/index.js'
import { toHex } from '../../lib/bytes.js'
import type { ReceiverProof } from '../model.js'
import type { Clock, IncomingSlate, Random, Wallet } from '../parts.js'
import { createWalletGuard, guardWallet } from './guard.js'
import { createInvoiceWallet } from './invoice-slates.js'

export interface WalletParts {
  readonly keychain: Keychain
  /** `grin` on mainnet, `tgrin` elsewhere. */
  readonly prefix: AddressPrefix
  /** The range prover, in a worker or inline. */
  readonly prove: ProveRange
  /** The range verifier: a payer's outputs are checked before an invoice slate is completed. */
  readonly verify: VerifyRange
  readonly random: Random
  readonly clock: Pick<Clock, 'now'>
  /** Called once, when an own output was computed wrongly and the wallet stops. */
  readonly onFault?: (fault: string) => void
}

/** What of a slatepack counts; a slate that came as JSON has no envelope. */
type Opened = Pick<OpenedSlatepack, 'slate' | 'encrypted' | 'sender'>

/** A wallet with one address (index 0 of account 0); payments go to the outputs of account 0. */
export function createWallet(parts: WalletParts): Wallet {
  const { keychain, prefix, prove, random } = parts
  const addresses = ownAddresses(keychain)
  // Amount and time are the till's to judge: it knows the invoice and the chain.
  const rules = { addresses, tip: 0 }
  const seed = keychain.addressSeed(0, 0)
  const publicKey = addresses[0]?.publicKey
  if (!publicKey) throw new Error('a wallet has at least one address')

  const invoices = createInvoiceWallet({ ...parts, publicKey })

  const incoming = (opened: Opened, sealed = false): IncomingSlate => {
    const { slate } = opened
    return {
      id: slate.id,
      state: slate.state,
      amount: slate.amount,
      feeFields: slate.fee,
      ttl: slate.ttl,
      digest: digestSlate(slate),
      refusal: checkS1(slate, rules),
      async receive(keyIndex) {
        const received = await receiveS1({ keychain, slate, rules, keyIndex, prove, random })
        const { bytes: s2, commitment, excess, proof } = received
        const options = { prefix, sender: publicKey, random }
        const reply = await replyArmor(received.slate, sealed ? options : { ...options, request: opened })
        return { s2, reply, commitment, excess, proof: proof ? proofOf(proof) : null }
      },
      finalize: (invoice, tip) => invoices.finalize(opened, invoice, tip),
    }
  }

  const unguarded = {
    address: formatAddress(prefix, publicKey),
    open: async (text: string, { sealed = false }: { readonly sealed?: boolean } = {}) =>
      incoming(await readSlatepack(text.trim(), { prefix, decryptWith: [seed] }), sealed),
    read: (json: unknown) => incoming({ slate: parseSlateJson(json), encrypted: false }),
    issue: invoices.issue,
  }
  return guardWallet(unguarded, createWalletGuard(parts.onFault))
}

const proofOf = ({ amount, excess, sender, recipient, signature }: SignedReceiverProof): ReceiverProof => ({
  amount,
  kernelExcess: toHex(excess),
  recipientAddress: toHex(recipient),
  recipientSig: toHex(signature),
  senderAddress: toHex(sender),
})
