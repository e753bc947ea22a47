// What the settings of the relay come to.
import type { KindEntry, RelaySettings } from '../relay/index.js'
import type { DatabaseSettings } from './database-settings.js'
import type { NamesConfig } from './nameauth.js'
import type { SettingNotice } from './problem.js'
import type { Bind } from './values.js'

/** What the daemon is composed from. */
export interface RelayConfig {
  readonly relay: RelaySettings
  readonly policy: RelayPolicyConfig
  readonly bind: Bind
  /** Of the listener for tor, which believes no header. Undefined: there is none. */
  readonly torBind: Bind | undefined
  /** Addresses or ranges whose word on a client's address is believed, and the header it stands in. */
  readonly trustedProxies: readonly string[]
  readonly addressHeader: 'x-real-ip' | 'x-forwarded-for'
  readonly compression: boolean
  readonly dataDir: string
  readonly dbPath: string
  /** Undefined: by processors. */
  readonly readerThreads: number | undefined
  /** Files of the operator, served instead of what is built in. */
  readonly pages: { readonly landing: string | undefined; readonly favicon: string | undefined }
  readonly authority: {
    readonly mode: 'in-process' | 'upstream' | 'off'
    /** Without trailing slash. */
    readonly upstream: string
    readonly colocated: boolean
  }
  /** Undefined: no authority runs in this process. */
  readonly names: NamesConfig | undefined
  /** Undefined: figures are served nowhere. */
  readonly metricsBind: Bind | undefined
  /** Whether there are pages for operators, where they listen, and their public address. */
  readonly console: boolean
  readonly consoleBind: Bind
  readonly consoleUrl: string | undefined
  /** The log of several front ends; undefined: the relay runs alone. */
  readonly log: RelayLogConfig | undefined
  /** Undefined: everything stays. */
  readonly retention: RetentionConfig | undefined
  /** Who may manage the relay (NIP-86); 64 lower-case hex. */
  readonly admins: readonly string[]
  /** Things to tell the operator at start; no secret values. */
  readonly notices: readonly SettingNotice[]
}

/** What the console of another daemon needs of a relay. */
export type RelayFacts = Pick<RelayConfig, 'bind' | 'dbPath' | 'metricsBind' | 'retention'> & {
  readonly name: string | undefined
  readonly relayUrls: readonly string[]
  readonly durability: RelaySettings['durability']
  readonly maxMessageBytes: number
}

export interface RelayLogConfig extends DatabaseSettings {
  /** For which entries are kept at least. */
  readonly days: number
  /** How long an event waits for its place. */
  readonly patienceMs: number
}

/** What is removed again; gift wraps never are. */
export interface RetentionConfig {
  readonly maxEvents: number | undefined
  readonly maxBytes: number | undefined
  readonly days: number | undefined
  /** 64 lower-case hex. */
  readonly keepAuthors: readonly string[]
  /** Only these go. */
  readonly kinds?: readonly KindEntry[]
}

/** Keys are 64 lower-case hex. */
export interface RelayPolicyConfig {
  readonly kinds: readonly KindEntry[]
  readonly blockedKinds: readonly KindEntry[]
  /** Of public notes. */
  readonly authors: readonly string[] | 'everyone'
  readonly whitelist: readonly string[] | undefined
  readonly requireAuth: boolean
  readonly requireName: boolean
  readonly payMode: 'off' | 'write'
  readonly verdictSeconds: number
  readonly plugin: { readonly command: string; readonly timeoutSeconds: number } | undefined
}
