// Decided differences: what this library refuses and grin takes, or the reverse. Everything else that differs is a fault.

export interface Known {
  readonly id: string
  /** `panic`: the Rust code panics where this library answers with an error. */
  readonly refusedBy: 'us' | 'grin' | 'panic'
  readonly families: readonly string[]
  /** Of the refusal or panic. */
  readonly reason: RegExp
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
]
