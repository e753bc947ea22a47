// Decided differences: what this library refuses and grin takes, or the reverse. Everything else that differs is a fault.

export interface Known {
  readonly id: string
  /** `grin`: refuses or panics. `panic`: panics where this library answers with an error. `nobody`: both accept, and find different values. */
  readonly refusedBy: 'us' | 'grin' | 'panic' | 'nobody'
  readonly families: readonly string[]
  /** Of the refusal or panic; of our answer if nobody refused. */
  readonly reason: RegExp
  /** Of grin's answer. */
  readonly theirs?: RegExp
  /** Of the question. */
  readonly of?: RegExp
  readonly why: string
}

const SLATES = [
  'damaged binary slates',
  'altered JSON slates',
  'altered JSON slatepacks',
  'damaged armor',
  'damaged envelopes',
]

export const KNOWN: readonly Known[] = [
  {
    id: 'other chain',
    refusedBy: 'us',
    families: ['mistyped addresses', 'damaged envelopes', 'altered JSON slatepacks'],
    reason: /^SLATEPACK_WRONG_CHAIN/,
    why: 'an address of another chain; grin-wallet refuses it since 5.5',
  },
  {
    id: 'key of small order',
    refusedBy: 'us',
    families: ['mistyped addresses', 'onion addresses', ...SLATES],
    reason: /not a key anybody can hold|not an ed25519 key/,
    why: 'anyone can sign for an ed25519 key of small order',
  },
  {
    id: 'slate version',
    refusedBy: 'us',
    families: SLATES,
    reason: /^SLATE_VERSION_UNSUPPORTED/,
    why: 'a slate of another version than 4',
  },
  {
    id: 'length of bytes',
    refusedBy: 'us',
    families: SLATES,
    reason: /(off|part|c|p): need \d+ bytes, have \d+/,
    why: 'bytes of another length, which grin cuts or fills with zeros',
  },
  {
    id: 'bytes that are no hex',
    refusedBy: 'panic',
    families: ['altered JSON slates'],
    reason: /^called `Result::unwrap\(\)` on an `Err` value: |^end byte index \d+ is not a char boundary/,
    why: 'an offset that is no hex, letters of several bytes in hex',
  },
  {
    id: 'range proof too long',
    refusedBy: 'panic',
    families: ['altered JSON slates'],
    reason: /^index out of bounds: the len is 675/,
    why: 'a range proof of more than 675 bytes',
  },
  {
    id: 'signature beyond the order',
    refusedBy: 'panic',
    families: ['altered payment proofs', 'altered JSON slates'],
    reason: /^invalid signature: /,
    why: 'an ed25519 signature whose second half has one of its three highest bits set',
  },
  {
    id: 'text around a slatepack',
    refusedBy: 'grin',
    families: ['damaged armor'],
    reason: /^Can't Deserialize slatepack: Error reading JSON slatepack: /,
    of: /^.+BEGINSLATEPACK\./s,
    why: 'text before BEGINSLATEPACK., as people paste it',
  },
  {
    id: 'loose hex',
    refusedBy: 'us',
    families: ['altered JSON slates'],
    reason: /: not hex$/,
    of: /"(?:0x0x[^"]*|\s[^"]*|[^"]*\s|[0-9a-f]*\+[0-9a-f+]*)"/,
    why: 'spaces around hex digits, plus signs among them, 0x before 0x',
  },
  {
    id: 'plain in an encrypted mode',
    refusedBy: 'us',
    families: ['damaged envelopes', 'altered JSON slatepacks'],
    reason: /^SLATEPACK_(?:CANNOT_DECRYPT|BAD_MODE)/,
    of: /^....01|"mode":(?!0\b)/,
    why: 'a plain slate whose envelope says encrypted or something unknown, where no key was given',
  },
  {
    id: 'loose base64',
    refusedBy: 'us',
    families: ['altered JSON slatepacks'],
    reason: /: the payload is not base64$/,
    why: 'base64 without its padding, with padding in excess or with bits after its end',
  },
  {
    id: 'less change than asked for',
    refusedBy: 'nobody',
    families: ['coin selection'],
    reason: /"change":\["\d+"\]}$/,
    of: /"change":[23]}$/,
    why: 'one change output where the coins pay for no more; grin-wallet takes more coins or pays for outputs that it does not make',
  },
  {
    id: 'less change than asked for, or none',
    refusedBy: 'grin',
    families: ['coin selection'],
    reason:
      /^Not enough funds|amount is too small to include fee$|^attempt to calculate the remainder with a divisor of zero$/,
    of: /"change":[23]}$/,
    why: 'the same, where grin-wallet has no more coins, or divides by the whole nanogrin of a change output, of which there are none',
  },
  {
    id: 'change of nothing',
    refusedBy: 'nobody',
    families: ['coin selection'],
    reason: /"change":/,
    theirs: /"change":\[\]}$/,
    why: 'coins that are just enough for a change output of 0: grin-wallet pays for it and does not make it, this wallet takes another coin',
  },
  {
    id: 'change of nothing, no other coin',
    refusedBy: 'us',
    families: ['coin selection'],
    reason: /^WALLET_(?:NOT_ENOUGH|AMOUNT)/,
    theirs: /"change":\[\]}$/,
    why: 'the same, where there is no other coin: this wallet never pays more than the least fee',
  },
]
