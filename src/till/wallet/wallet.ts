// The till's wallet on the Grin library: opens slatepacks, checks S1, makes S2. Keeps nothing; the store keeps everything.
import type { NanoGrin } from '../../grin/amount/index.js'
import { outputMismatch } from '../../grin/crypto/index.js'
import { type Keychain, outputIdentifier, type ProveRange, type VerifyRange } from '../../grin/keychain/index.js'
import type { SignedReceiverProof } from '../../grin/proof/index.js'
import {
  checkS1,
  createSecretVault,
  finalizeInvoice,
  issueInvoice,
  ownAddresses,
  receiveS1,
  replyArmor,
} from '../../grin/receive/index.js'
import { digestSlate, parseSlateJson } from '../../grin/slate/index.js'
import {
  type AddressPrefix,
  armorSlate,
  formatAddress,
  type OpenedSlatepack,
  readSlatepack,
} from '../../grin/slatepack/index.js'
import { transactionJson } from '../../grin/tx/index.js'
import { toHex } from '../../lib/bytes.js'
import type { Clock } from '../../lib/ports.js'
import type { RandomBytes } from '../../lib/random-bytes.js'
import { walletStopped } from '../errors.js'
import type { InvoiceSlate, ReceiverProof } from '../model.js'
import type { FinalizedSlate, FreshSlate, IncomingSlate, Wallet } from '../parts.js'

export interface WalletParts {
  readonly keychain: Keychain
  /** `grin` on mainnet, `tgrin` elsewhere. */
  readonly prefix: AddressPrefix
  /** The range prover, in a worker or inline. */
  readonly prove: ProveRange
  /** The range verifier: a payer's outputs are checked before an invoice slate is completed. */
  readonly verify: VerifyRange
  readonly random: RandomBytes
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

// Stops the wallet for good once a computation of ours was found wrong: the machine or the program cannot be trusted with the next
// payment. Only a restart by the operator lets it answer again.

const FAULT =
  'an output of ours, computed a second time, came out different; the payment was refused and no slate is answered until the till is restarted'

/** Runs work of the wallet. Throws WALLET_STOPPED instead of work and instead of its result once some work met OUTPUT_MISMATCH. */
interface WalletGuard {
  fault(): string | undefined
  refuseStopped(): void
  run<T>(work: () => Promise<T>): Promise<T>
}

/** `onFault` is called once, at the moment of the fault. */
function createWalletGuard(onFault: (fault: string) => void = () => undefined): WalletGuard {
  let fault: string | undefined

  function refuseStopped(): void {
    if (fault !== undefined) throw walletStopped()
  }

  function remember(thrown: unknown): never {
    if (outputMismatch.is(thrown) && fault === undefined) {
      fault = FAULT
      onFault(fault)
    }
    throw thrown
  }

  return {
    fault: () => fault,
    refuseStopped,
    async run(work) {
      refuseStopped()
      const result = await work().catch(remember)
      refuseStopped() // another payment met the fault meanwhile
      return result
    },
  }
}

/** The wallet behind a guard: every way to a slate and out of it asks first. */
function guardWallet(wallet: Omit<Wallet, 'fault'>, guard: WalletGuard): Wallet {
  const guarded = (slate: IncomingSlate): IncomingSlate => ({
    ...slate,
    receive: (keyIndex) => guard.run(() => slate.receive(keyIndex)),
    finalize: (invoice, tip) => guard.run(() => slate.finalize(invoice, tip)),
  })
  return {
    address: wallet.address,
    fault: guard.fault,
    open: async (text, options) => guarded(await guard.run(() => wallet.open(text, options))),
    read(json) {
      guard.refuseStopped()
      return guarded(wallet.read(json))
    },
    issue: (amount, keyIndex) => guard.run(() => wallet.issue(amount, keyIndex)),
  }
}

// The wallet's half of the invoice flow: I1 out, I2 completed (specification: grin-wallet, 4.3). The secrets live sealed in the store.

interface InvoiceWalletParts {
  readonly keychain: Keychain
  readonly prefix: AddressPrefix
  readonly prove: ProveRange
  readonly verify: VerifyRange
  readonly random: RandomBytes
  readonly clock: Pick<Clock, 'now'>
  /** Our address key of index 0: where a payer's wallet delivers its I2. */
  readonly publicKey: Uint8Array
}

/** How the I2 came, for the form of the answer. */
type Asked = Pick<OpenedSlatepack, 'slate' | 'encrypted' | 'sender'>

function createInvoiceWallet({ keychain, prefix, prove, verify, random, clock, publicKey }: InvoiceWalletParts) {
  const vault = createSecretVault(keychain, random)

  return {
    async issue(amount: NanoGrin, keyIndex: number): Promise<FreshSlate> {
      const id = randomUuid(random)
      const { slate, invoice } = await issueInvoice({ keychain, amount, keyIndex, id, prove, random, now: clock.now() })
      const { slateId, commitment, rangeProof, secrets } = invoice
      const sealedSecrets = vault.seal(slateId, secrets)
      return {
        slate: { slateId, amount, keyIndex, commitment, rangeProof, sealedSecrets },
        armor: armorSlate(slate, { prefix, sender: publicKey }),
      }
    },
    async finalize(asked: Asked, open: InvoiceSlate, tip: number): Promise<FinalizedSlate> {
      const { slateId, amount, keyIndex, commitment, rangeProof, sealedSecrets } = open
      if (!sealedSecrets) throw new Error(`invoice slate ${slateId} no longer has secrets`)
      const secrets = vault.open(slateId, sealedSecrets)
      const invoice = { slateId, amount, identifier: outputIdentifier(0, keyIndex), commitment, rangeProof, secrets }
      const { slate, bytes, transaction, excess } = await finalizeInvoice({
        keychain,
        invoice,
        slate: asked.slate,
        tip,
        verifyRange: verify,
      })
      const reply = await replyArmor(slate, { prefix, sender: publicKey, random, request: asked })
      return { i3: bytes, reply, excess, transaction: JSON.stringify(transactionJson(transaction)) }
    },
  }
}

/** Version 4, of 16 random bytes. */
function randomUuid(random: RandomBytes): string {
  const bytes = random.bytes(16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = toHex(bytes)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
