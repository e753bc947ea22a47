// What a payer's wallet opens or scans (specification: invoicing, 2.11 and 4.8).
import { formatGrin } from '../../grin/amount/index.js'
import { qrSvg } from '../../lib/qr.js'
import { formatNprofile, formatNpub } from '../../nostr/nip19/index.js'
import { formatPayLink, percentEncode } from '../../nostr/pay-link/index.js'
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
  const payLink = formatPayLink({ ...link, scheme: 'goblin', proof: tillAddress })
  const scanned = scannedLink({ payLink, matchKey: invoice.matchKey }, uriScheme)
  return { payLink, qrSvg: qrSvg(scanned, { ariaLabel: `Pay ${amount} GRIN` }) }
}

/** Most bytes in a code for a camera: 69 squares a side at level M, which is still read when 280 pixels show it, slightly out of focus. */
const MAX_SCANNED = 331

/**
 * What the code of an invoice says, from its pay link: the same without the request for a proof. A memo that would make the code too dense
 * is shortened. A reference that payments are matched by is whole or absent, since a part of it could be that of another invoice; without it
 * the payment is matched by key or amount.
 */
export function scannedLink({ payLink, matchKey }: Pick<Invoice, 'payLink' | 'matchKey'>, scheme: string): string {
  const [profile = '', query = ''] = payLink.replace(/^goblin:/, `${scheme}:`).split('?')
  const members = query.split('&').filter((member) => !member.startsWith('proof='))
  const whole = `${profile}?${members.join('&')}`
  if (whole.length <= MAX_SCANNED) return whole
  const bare = `${profile}?${members.filter((member) => !member.startsWith(MEMO)).join('&')}`
  const memo = members.find((member) => member.startsWith(MEMO))
  if (memo === undefined || matchKey !== null) return bare
  const room = MAX_SCANNED - bare.length - `&${MEMO}`.length
  const shorter = shortened(decodeURIComponent(memo.slice(MEMO.length)), room)
  return shorter === '' ? bare : `${bare}&${MEMO}${shorter}`
}

const MEMO = 'memo='
const ELLIPSIS = percentEncode('…')
const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The beginning of a text and an ellipsis, percent-encoded, in at most `room` bytes; empty when not one character fits. */
function shortened(text: string, room: number): string {
  let encoded = ''
  for (const { segment } of characters.segment(text)) {
    const longer = encoded + percentEncode(segment)
    if (longer.length + ELLIPSIS.length > room) break
    encoded = longer
  }
  return encoded === '' ? '' : encoded + ELLIPSIS
}
