// What is wrong with a relay document (NIP-11), as wallets see it (specification: relay, 2): an ordered list.
import { membersOf, parseJson } from '../../lib/parse-json.js'
import { type Finding, fail, warn } from '../finding.js'

type Members = Readonly<Record<string, unknown>>

interface Rule {
  readonly breaks: (document: Members, limitation: Members) => boolean
  readonly finding: Finding
}

const MESSAGE_BYTES = 131_072
const PAST_SECONDS = 172_800
const NOT_USED = 'wallets will not use this relay'
const isLess = (value: unknown, least: number): boolean => typeof value === 'number' && value < least
const CONTROL = /\p{Cc}/u

const RULES: readonly Rule[] = [
  {
    breaks: ({ name, description, contact }) =>
      [name, description, contact].some((text) => typeof text === 'string' && CONTROL.test(text)),
    finding: fail(
      'the document has control characters, which some clients cannot read',
      'put info.name, info.description and info.contact on one line each',
    ),
  },
  {
    breaks: (_document, { max_message_length: most }) => isLess(most, MESSAGE_BYTES),
    finding: fail(
      `max_message_length is below ${MESSAGE_BYTES}: ${NOT_USED}`,
      `set limits.max_ws_message_bytes to ${MESSAGE_BYTES} or more, then systemctl restart grinpay-relay`,
    ),
  },
  {
    breaks: (_document, { created_at_lower_limit: past }) => isLess(past, PAST_SECONDS),
    finding: fail(
      `created_at_lower_limit is below ${PAST_SECONDS}: ${NOT_USED}`,
      `set options.reject_past_seconds to ${PAST_SECONDS} or more, then systemctl restart grinpay-relay`,
    ),
  },
  {
    breaks: (_document, { payment_required: is }) => is === true,
    finding: fail(`payment_required is true: ${NOT_USED}`, 'no relay of grinpay says so: look who answers there'),
  },
  {
    breaks: (_document, { auth_required: is }) => is === true,
    finding: warn(
      `auth_required is true: ${NOT_USED}`,
      'for wallets set authorization.require_auth_to_write = false and pay.pay_mode = "off"',
    ),
  },
  {
    breaks: (_document, { restricted_writes: is }) => is === true,
    finding: warn(
      `restricted_writes is true: ${NOT_USED}`,
      'for wallets remove authorization.pubkey_whitelist, authorization.require_name and pay.pay_mode',
    ),
  },
]

/** Undefined: this is no relay document at all. */
export function documentFindings(text: string): readonly Finding[] | undefined {
  const document = membersOf(parseJson(text))
  if (!Array.isArray(document.supported_nips) || typeof document.name !== 'string') return undefined
  const limitation = membersOf(document.limitation)
  return RULES.flatMap(({ breaks, finding }) => (breaks(document, limitation) ? [finding] : []))
}
