// Which letters a payment owes (specification: invoicing, 4.7). They are stored in the transaction that makes them due.
import type { TillSettings } from '../api.js'
import type { LetterDraft, LetterLayout, Payment } from '../model.js'

type Notices = Pick<TillSettings, 'notifyMerchant' | 'merchantPubkey' | 'notifyPayer'>

const tellsMerchant = ({ notifyMerchant, merchantPubkey }: Notices): boolean =>
  notifyMerchant === true && merchantPubkey !== undefined

/** With a payment that was just received, over whatever rail. Only who paid over Nostr gets a reply there, in the layout it wrote. */
export function lettersOf(
  { rail, payer }: Pick<Payment, 'rail' | 'payer'>,
  settings: Notices,
  layout: LetterLayout = 'plain',
): readonly LetterDraft[] {
  const letters: LetterDraft[] = []
  const answerable = rail === 'nostr' && payer !== null
  if (answerable) letters.push({ kind: 'reply', layout })
  if (answerable && settings.notifyPayer === true) letters.push({ kind: 'thanks', layout: 'plain' })
  if (tellsMerchant(settings)) letters.push({ kind: 'merchant-received', layout: 'plain' })
  return letters
}

/** With a payment that was just confirmed. */
export const confirmedLettersOf = (settings: Notices): readonly LetterDraft[] =>
  tellsMerchant(settings) ? [{ kind: 'merchant-confirmed', layout: 'plain' }] : []
