// The relay information document (NIP-11; specification: relay, 2). It does not mention payments.
import type { KindSet } from '../policy/index.js'
import type { RelayInfo, RelaySettings } from '../settings.js'

/** Conditions of the write policy for every client. */
export interface Restrictions {
  /** Writing requires authentication (NIP-42). */
  readonly auth: boolean
  /** Writing requires another condition: a list, a name, a payment. */
  readonly writes: boolean
}

export interface RelayDocumentParts {
  readonly settings: RelaySettings
  /** Current information; managers may change it. */
  readonly info: RelayInfo
  readonly restrictions: Restrictions
  /** Accepted kinds. */
  readonly kinds: Pick<KindSet, 'has'>
  /** True when the relay has managers over HTTP (NIP-86). */
  readonly isManaged: boolean
  /** Version of the package. */
  readonly version: string
}

type Switch = (parts: RelayDocumentParts) => boolean
const always: Switch = () => true
const takes =
  (kind: number): Switch =>
  ({ kinds }) =>
    kinds.has(kind)

/** Announced NIPs, in order: implemented and switched on. */
const NIPS: readonly { readonly nip: number; readonly isOn: Switch }[] = [
  { nip: 1, isOn: always },
  { nip: 2, isOn: takes(3) },
  { nip: 4, isOn: takes(4) },
  { nip: 9, isOn: takes(5) },
  { nip: 11, isOn: always },
  { nip: 40, isOn: always },
  { nip: 42, isOn: ({ settings }) => settings.auth.enabled },
  { nip: 45, isOn: ({ settings }) => settings.countMax > 0 },
  { nip: 50, isOn: ({ settings }) => settings.searchKinds.length > 0 },
  { nip: 59, isOn: takes(1059) },
  { nip: 65, isOn: takes(10_002) },
  { nip: 70, isOn: always },
  { nip: 77, isOn: ({ settings }) => settings.negentropy.enabled },
  // Not in the specification's set. Announced where managers exist, because their programs look for it.
  { nip: 86, isOn: ({ isManaged }) => isManaged },
]

/** An address, as NIP-11 wants it: that of the package. */
const SOFTWARE = 'https://www.npmjs.com/package/grinpay'
const NEGENTROPY_VERSION = 1

/** The document as JSON. Unset members are omitted. */
export function relayDocument(parts: RelayDocumentParts): string {
  const { settings, info, version } = parts
  return JSON.stringify({
    name: info.name,
    description: info.description,
    banner: info.banner,
    icon: info.icon,
    pubkey: info.pubkey,
    self: info.self,
    contact: info.contact,
    supported_nips: NIPS.filter(({ isOn }) => isOn(parts)).map(({ nip }) => nip),
    software: SOFTWARE,
    version,
    privacy_policy: info.privacyPolicy,
    terms_of_service: info.termsOfService,
    limitation: limitationOf(parts),
    negentropy: settings.negentropy.enabled ? NEGENTROPY_VERSION : undefined,
  })
}

/** Restrictions are announced only if they hold for every write, because wallets avoid restricted relays. */
function limitationOf({ settings, restrictions }: RelayDocumentParts) {
  const { limits } = settings
  return {
    max_message_length: limits.maxMessageBytes,
    max_subscriptions: limits.maxSubscriptions,
    max_limit: limits.maxLimit,
    max_subid_length: limits.maxSubscriptionIdLength,
    max_event_tags: limits.maxTags,
    max_content_length: limits.maxContentLength,
    created_at_lower_limit: limits.rejectPastSeconds,
    created_at_upper_limit: limits.rejectFutureSeconds,
    default_limit: limits.defaultLimit,
    ...(restrictions.auth && { auth_required: true }),
    ...(restrictions.writes && { restricted_writes: true }),
  }
}
