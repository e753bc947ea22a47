// What a payer's wallet opens or scans (specification: invoicing, 2.11 and 4.8).
import { formatGrin } from '../../grin/amount/index.js'
import { qrSvg } from '../../lib/qr.js'
import { formatNprofile, formatNpub } from '../../nostr/nip19/index.js'
import { formatPayLink } from '../../nostr/pay-link/index.js'
import type { TillSettings } from '../api.js'
import type { Invoice } from '../model.js'
import type { PayLinks } from '../rail.js'

const MAX_RELAYS = 3

export interface KeyTexts {
  readonly npub: string
  readonly nprofile: string
}

/** bech32 texts of a 64-hex key; the nprofile names at most three of the till's relays. */
export const keyTextsOf = (pubkey: string, relays: readonly string[]): KeyTexts => ({
  npub: formatNpub(pubkey),
  nprofile: formatNprofile({ pubkey, relays: relays.slice(0, MAX_RELAYS) }),
})

/** The link for the operating system, and the code for the camera in the scheme the settings name. */
export function linksOf(
  invoice: Pick<Invoice, 'amount' | 'memo' | 'matchKey' | 'recipientPubkey'>,
  { relays, uriScheme }: TillSettings,
  tillAddress: string,
): PayLinks {
  const profile = { pubkey: invoice.recipientPubkey, relays: relays.slice(0, MAX_RELAYS) }
  const amount = formatGrin(invoice.amount)
  const link = { nprofile: formatNprofile(profile), amount, memo: invoice.matchKey ?? invoice.memo }
  // Asking for a proof makes the code denser; wallets that scan get the plain form.
  const scanned = formatPayLink({ ...link, scheme: uriScheme })
  return {
    payLink: formatPayLink({ ...link, scheme: 'goblin', proof: tillAddress }),
    qrSvg: qrSvg(scanned, { ariaLabel: `Pay ${amount} GRIN` }),
  }
}
