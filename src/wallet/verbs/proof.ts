// Payment proofs: export of the sender's, and verification against a node. Specification: grin-wallet, 6.
import type { AddressKey } from '../../grin/kinds/index.js'
import { checkPaymentProof, type PaymentProofJson, parsePaymentProof } from '../../grin/proof/index.js'
import { formatAddress } from '../../grin/slatepack/index.js'
import { equalBytes, toHex } from '../../lib/bytes.js'
import { requireOwnChain } from '../chain/own-chain.js'
import { walletNoProof } from '../errors.js'
import { checkedNode, type NodeCall, type WalletNode } from '../node/node.js'
import type { WalletParts } from '../parts.js'
import { rangesOf } from '../rows.js'

/** The proof of a finalized payment that asked for one, as `grin-wallet export_proof` writes it. Throws WALLET_NO_PROOF. */
export async function exportProof({ ledger }: WalletParts, slateId: string): Promise<PaymentProofJson> {
  const { transaction } = await ledger.read()
  const proof = [...transaction.values()].find((one) => one.slateId === slateId && one.kind === 'sent')?.proof
  if (proof?.sender_sig === undefined) throw walletNoProof(slateId)
  return { ...proof, sender_sig: proof.sender_sig }
}

/** What a payment proof proves. */
export interface VerifiedProof {
  /** Nanogrin. */
  readonly amount: bigint
  /** Kernel excess, 66 hex. */
  readonly excess: string
  readonly sender: string
  readonly recipient: string
  readonly senderIsOurs: boolean
  readonly recipientIsOurs: boolean
  /** The block of its kernel; undefined: not mined, so nothing is proven yet. */
  readonly height?: number
  /** 0: not mined. */
  readonly confirmations: number
}

/** The node that is asked for the kernel. */
export interface VerifyProofOptions extends NodeCall {
  readonly node: WalletNode
  /** Kernel lookup begins here; default 0, which may take a node long for a kernel that is not there. */
  readonly minHeight?: number
}

/** Verifies both signatures and looks for the kernel. Throws PROOF_INVALID, PROOF_RECIPIENT_SIGNATURE, PROOF_SENDER_SIGNATURE or WALLET_NODE_CHAIN. */
export async function verifyProof(
  parts: WalletParts,
  json: unknown,
  options: VerifyProofOptions,
): Promise<VerifiedProof> {
  const { minHeight = 0, signal } = options
  const node = checkedNode(options.node)
  const { prefix } = parts.rules
  const proof = parsePaymentProof(json, prefix)
  checkPaymentProof(proof)
  const { chainType } = parts
  const chain = await requireOwnChain(node, await parts.ledger.read(), { chainType, signal })
  const height = await node.kernelHeight(proof.excess, minHeight, { signal })
  const ranges = rangesOf(await parts.ledger.read())
  const isOurs = async (address: AddressKey): Promise<boolean> =>
    (await parts.signer.addresses(ranges, address)).some(({ publicKey }) => equalBytes(publicKey, address))
  return {
    amount: proof.amount,
    excess: toHex(proof.excess),
    sender: formatAddress(prefix, proof.sender),
    recipient: formatAddress(prefix, proof.recipient),
    senderIsOurs: await isOurs(proof.sender),
    recipientIsOurs: await isOurs(proof.recipient),
    confirmations: height === undefined ? 0 : Math.max(1, chain.tip.height - height + 1),
    ...(height !== undefined && { height }),
  }
}
