// The wallet's half of the invoice flow: I1 out, I2 completed (specification: grin-wallet, 4.3). The secrets live sealed in the store.
import type { NanoGrin } from '../../grin/amount/index.js'
import { type Keychain, outputIdentifier, type ProveRange, type VerifyRange } from '../../grin/keychain/index.js'
import { createSecretVault, finalizeInvoice, issueInvoice, replyArmor } from '../../grin/receive/index.js'
import { type AddressPrefix, armorSlate, type OpenedSlatepack } from '../../grin/slatepack/index.js'
import { transactionJson } from '../../grin/tx/index.js'
import { toHex } from '../../lib/bytes.js'
import type { InvoiceSlate } from '../model.js'
import type { Clock, FinalizedSlate, FreshSlate, Random } from '../parts.js'

export interface InvoiceWalletParts {
  readonly keychain: Keychain
  readonly prefix: AddressPrefix
  readonly prove: ProveRange
  readonly verify: VerifyRange
  readonly random: Random
  readonly clock: Pick<Clock, 'now'>
  /** Our address key of index 0: where a payer's wallet delivers its I2. */
  readonly publicKey: Uint8Array
}

/** How the I2 came, for the form of the answer. */
type Asked = Pick<OpenedSlatepack, 'slate' | 'encrypted' | 'sender'>

export function createInvoiceWallet({ keychain, prefix, prove, verify, random, clock, publicKey }: InvoiceWalletParts) {
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
function randomUuid(random: Random): string {
  const bytes = random.bytes(16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = toHex(bytes)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
