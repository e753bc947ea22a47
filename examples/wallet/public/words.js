// Errors and states in words.
import { Refusal } from './chains.js'
import { amount } from './library.js'

export const grin = (nanogrin) => amount.formatGrin(nanogrin)

/** The texts of the library name amounts in nanogrin. */
const inGrin = (text) => text.replace(/\b(\d{1,20}) nanogrin\b/g, (_, count) => `${grin(BigInt(count))} GRIN`)

const sentence = (text) => `${text.slice(0, 1).toUpperCase()}${text.slice(1).replace(/\.?$/, '.')}`

/** Where the library's sentence would leave the user of a page alone. */
const TEXTS = {
  WALLET_NOT_ENOUGH: (message) => {
    const [have, need] = message.match(/\d+/g) ?? []
    if (need === undefined) return 'There is not enough that can be spent now.'
    return `${grin(BigInt(have))} GRIN can be spent now; amount and fee need ${grin(BigInt(need))} GRIN. Wait for confirmations, cancel payments that wait, or send less.`
  },
  WALLET_NODE_FAILED: (message) =>
    `${sentence(message)} Does it run, and are its address and its API secret in the settings right? Nothing is lost; the page asks again.`,
  WALLET_SLATE_UNKNOWN: () => 'This wallet began no payment with this slatepack. It may belong to another wallet.',
  VAULT_WRONG_PASSWORD: () => 'This is not the passphrase.',
  VAULT_NONE: () => 'There is no wallet in this browser any more. Reload the page.',
  ADDRESS_INVALID: () => 'This is no slatepack address of a test network: such an address begins with tgrin1.',
}

/** One or two sentences for any error. */
export function explain(error) {
  if (error instanceof Refusal) return error.message
  const { code, message = String(error), hint } = error ?? {}
  const own = TEXTS[code]
  if (own) return own(message)
  if (typeof code === 'string')
    return [message, hint]
      .filter(Boolean)
      .map((text) => sentence(inGrin(text)))
      .join(' ')
  return sentence(inGrin(message))
}

/** What a transaction of the log waits for, by what this wallet wrote last. */
const WAITING = {
  S1: 'waiting for the reply of the receiver (S2)',
  S2: 'waiting until the sender posts it',
  I1: 'waiting for the payer (I2)',
  I2: 'waiting until the shop posts it',
  S3: 'posted, waiting for a block',
  I3: 'posted, waiting for a block',
}

export function statusOf({ status, written, height }) {
  if (status === 'confirmed') return `confirmed in block ${height}`
  if (status === 'pending') return WAITING[written] ?? 'pending'
  if (status === 'reverted') return 'a reorganisation took it off the chain'
  return 'cancelled'
}

/** What the pasted slate is, for the user who pasted it into the wrong field. */
const STATES = {
  S1: 'This is the slatepack of a sender (S1). Paste it under Receive.',
  S2: 'This is the reply to a payment that you began (S2). Paste it under Send, “Finish a payment”.',
  S3: 'This is a finished payment (S3). Nothing is left to be done with it here.',
  I1: 'This is an invoice (I1). Paste it under Pay.',
  I2: 'This is the answer to an invoice (I2). Hand it to the one who made the invoice.',
  I3: 'This is a paid invoice (I3). Nothing is left to be done with it here.',
}

/** Throws a Refusal unless the slate is in the state that a field takes. */
export function expectState({ slate }, state) {
  if (slate.state !== state) throw new Refusal(STATES[slate.state] ?? 'This slatepack cannot be used here.')
}
