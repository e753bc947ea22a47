// The key that a webhook secret stands for (Standard Webhooks). The settings, the till, its receivers and the shop's client all ask here:
// decoders that skip what they cannot read make an empty key of a mistyped secret, and an empty key signs for everybody.

const PREFIX = 'whsec_'
/** As the Standard Webhooks libraries ask for; ours have 48. */
const LEAST_BYTES = 24

/** Why a secret verifies nothing, as the end of "the webhook secret …"; undefined for a good one. Quotes no part of it. */
export function webhookSecretFault(secret: string): string | undefined {
  if (!secret.startsWith(PREFIX)) return secret.trim() === '' ? 'is empty' : undefined
  const text = secret.slice(PREFIX.length)
  const key = Buffer.from(text, 'base64')
  if (key.toString('base64') !== text)
    return `is not standard base64 with padding after "${PREFIX}" (letters, digits, + and /)`
  return key.length < LEAST_BYTES
    ? `has a key of ${key.length} bytes after "${PREFIX}", of at least ${LEAST_BYTES}`
    : undefined
}

/** After the prefix `whsec_` the key is base64; every other secret is its own UTF-8 bytes. Throws RangeError for one that verifies nothing. */
export function webhookKey(secret: string): Uint8Array {
  const fault = webhookSecretFault(secret)
  if (fault !== undefined) throw new RangeError(`the webhook secret ${fault}`)
  return secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret)
}
