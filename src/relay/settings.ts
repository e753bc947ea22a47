// Everything that can be set about the relay itself, read and checked (specification: relay, 11.3).

export interface RelayLimits {
  readonly maxEventBytes: number
  readonly maxMessageBytes: number
  readonly maxSubscriptions: number
  readonly maxSubscriptionIdLength: number
  readonly maxFilters: number
  /** Of all subscriptions and counts of one connection that are open, and of reconciliations whose set is not listed. */
  readonly maxFiltersPerConnection: number
  /** Of one filter; a higher wish is cut to it. */
  readonly maxLimit: number
  readonly defaultLimit: number
  readonly maxTags: number
  /** Of single-letter tags. */
  readonly maxTagValueBytes: number
  readonly maxContentLength: number
  /** Values of the lists of all filters of one request together. */
  readonly maxFilterValues: number
  /** Unsent bytes of one connection, after which it is dropped. */
  readonly maxPendingBytes: number
  /** Memory of all connections together: unsent output, filters, events that are not answered. */
  readonly maxClientBytes: number
  /** Per connection; undefined: no limit. */
  readonly eventsPerMinute: number | undefined
  readonly subscriptionsPerMinute: number | undefined
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number | undefined
  readonly rejectFutureSeconds: number
  readonly rejectPastSeconds: number
  readonly pingSeconds: number
  /** Keys that one connection may prove (NIP-42). */
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
    /** NIP-42 on: challenges are sent. */
    readonly enabled: boolean
    readonly giftWrapsToRecipient: boolean
  }
  readonly negentropy: { readonly enabled: boolean; readonly maxSyncEvents: number }
  /** 0: COUNT is off. */
  readonly countMax: number
  /** What an OK waits for: the commit (survives a killed process), or the disk (survives a power cut). */
  readonly durability: 'commit' | 'fsync'
}
