// All settings of the relay itself, validated (specification: relay, 11.3).

export interface RelayLimits {
  readonly maxEventBytes: number
  readonly maxMessageBytes: number
  readonly maxSubscriptions: number
  readonly maxSubscriptionIdLength: number
  readonly maxFilters: number
  /** Filters of all open subscriptions, counts and unlisted reconciliations of one connection. */
  readonly maxFiltersPerConnection: number
  /** Limit of one filter; a higher one is reduced to it. */
  readonly maxLimit: number
  readonly defaultLimit: number
  readonly maxTags: number
  /** Limit for values of single-letter tags. */
  readonly maxTagValueBytes: number
  readonly maxContentLength: number
  /** Values in the lists of all filters of one request. */
  readonly maxFilterValues: number
  /** Unsent bytes of one connection; beyond them it is disconnected. */
  readonly maxPendingBytes: number
  /** Memory of all connections: unsent output, filters, pending events. */
  readonly maxClientBytes: number
  /** Per connection; undefined: no limit. */
  readonly eventsPerMinute: number | undefined
  readonly subscriptionsPerMinute: number | undefined
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number | undefined
  readonly rejectFutureSeconds: number
  /** Undefined: no bound. */
  readonly rejectPastSeconds: number | undefined
  readonly pingSeconds: number
  /** Keys that one connection may authenticate (NIP-42). */
  readonly maxKeys: number
  readonly giftWrapRecipientDelete: boolean
}

export interface RelayInfo {
  readonly relayUrls: readonly string[]
  readonly name: string
  readonly description: string
  /** Hex. */
  readonly pubkey: string | undefined
  readonly self: string | undefined
  readonly contact: string | undefined
  readonly icon: string | undefined
  readonly banner: string | undefined
  readonly privacyPolicy: string | undefined
  readonly termsOfService: string | undefined
}

export interface RelaySettings {
  readonly info: RelayInfo
  readonly limits: RelayLimits
  readonly auth: {
    /** True: the relay sends challenges (NIP-42). */
    readonly enabled: boolean
    readonly giftWrapsToRecipient: boolean
  }
  readonly negentropy: { readonly enabled: boolean; readonly maxSyncEvents: number }
  /** 0: COUNT is off. */
  readonly countMax: number
  /** Kinds whose texts can be searched (NIP-50); empty: search is off. */
  readonly searchKinds: readonly number[]
  /** What an OK waits for: the commit (survives a killed process) or the disk (survives a power cut). */
  readonly durability: 'commit' | 'fsync'
}
