// The payment link for a customer's wallet (specification: invoicing, 4.8).

export interface PayLink {
  /** `nostr` for scanning, `goblin` for the link handler of an operating system. */
  readonly scheme: 'nostr' | 'goblin'
  readonly nprofile: string
  /** Human amount in GRIN as `formatGrin` prints it; "0" and null are left out. */
  readonly amount?: string | null
  /** Left out when blank. */
  readonly memo?: string | null
  /** A grin1 or tgrin1 address: makes the wallet request a payment proof. */
  readonly proof?: string | null
}

/** `scheme:nprofile?amount=…&memo=…&proof=…`, without absent members. */
export function formatPayLink({ scheme, nprofile, amount, memo, proof }: PayLink): string {
  const query: string[] = []
  if (amount && amount !== '0') query.push(`amount=${amount}`)
  if (memo && memo.trim() !== '') query.push(`memo=${percentEncode(memo)}`)
  if (proof) query.push(`proof=${percentEncode(proof)}`)
  return `${scheme}:${nprofile}${query.length === 0 ? '' : `?${query.join('&')}`}`
}

/** The link without parameters: key and relays. */
export const scanText = (nprofile: string): string => `nostr:${nprofile}`

/** Keeps RFC 3986 unreserved characters; every other byte becomes %XX in upper case (a space %20). */
export function percentEncode(text: string): string {
  if (/^[\w.~-]*$/.test(text)) return text
  const encoded = Array.from(Buffer.from(text, 'utf8'), (byte) => {
    const character = String.fromCharCode(byte)
    return /[\w.~-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  })
  return encoded.join('')
}
