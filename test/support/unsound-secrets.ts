// Webhook secrets that verify nothing: lenient decoders make an empty or a short key of them, or one of their own.

export const UNSOUND_SECRETS: readonly (readonly [what: string, secret: string])[] = [
  ['nothing', ''],
  ['blanks', ' '.repeat(20)],
  ['the prefix alone', 'whsec_'],
  ['stars', 'whsec_****************'],
  ['a word to be changed', 'whsec_changeme-changeme-changeme-now!'],
  ['7 bytes', 'whsec_AAAAAAAAAA'],
  ['23 bytes', `whsec_${Buffer.alloc(23, 9).toString('base64')}`],
  ['the alphabet of addresses', `whsec_${Buffer.alloc(32, 0xfb).toString('base64url')}`],
  ['that alphabet and padding', `whsec_${Buffer.alloc(32, 0xfb).toString('base64url')}=`],
  ['no padding', `whsec_${Buffer.alloc(32, 9).toString('base64').slice(0, -1)}`],
  ['padding too much', `whsec_${Buffer.alloc(24, 9).toString('base64')}=`],
  ['padding inside', `whsec_${Buffer.alloc(32, 9).toString('base64')}AAAA`],
  ['a line break behind it', `whsec_${'0123456789abcdef'.repeat(4)}\n`],
  ['a blank inside', `whsec_${'0123456789abcdef'.repeat(2)} ${'0123456789abcdef'.repeat(2)}`],
]

/** What a lenient decoder makes of a secret: the key that a forger tries. */
export const lenientKey = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
