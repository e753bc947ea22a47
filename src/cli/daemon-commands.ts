import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { Args, Flags } from '@oclif/core'
import type { RelayConfig } from '../config/index.js'
import { DAEMON_NAMES } from '../lib/daemon-names.js'
import { plainText } from '../lib/plain-text.js'
import { BaseCommand } from './base-command.js'
import { filesOfOtherUser, relayFolderMissing, usage } from './errors.js'
import { settingsFlag } from './flags.js'
import type {
  ConsoleFlags,
  ConsoleSettings,
  NameSettings,
  readRelayLogSettings,
  readTillStoreSettings,
} from './partial-settings.js'
import type { SettingsFlags } from './settings.js'
import type { Column } from './table.js'
import { terminalWidth } from './terminal.js'
import { reasonOf } from './values.js'

// What the commands of the console share: which daemon's, and where a browser finds it.

/** What stands in the audit log, and on every page. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u

/** A name for the console. Throws USAGE. */
export function consoleName(text: string): string {
  if (NAME.test(text)) return text
  throw usage('a name has up to 40 letters, digits, spaces, dots, hyphens and underscores')
}

export const CONSOLE_ROLES = ['viewer', 'cashier', 'operator'] as const

/** Works on the database itself, whether the daemon runs or not. */
export abstract class ConsoleCommand extends BaseCommand {
  static override enableJsonFlag = true
  static override baseFlags = {
    ...BaseCommand.baseFlags,
    settings: settingsFlag('settings of the daemon (or GRINPAY_ENV_FILE)', { helpGroup: 'CONSOLE' }),
    daemon: Flags.option({
      options: DAEMON_NAMES,
      description:
        'the daemon; default: the till or name authority with settings here; --settings of a relay is its TOML file',
      helpGroup: 'CONSOLE',
    })(),
    db: Flags.string({
      description: "with --daemon relay: folder of the relay's database, instead of the one in the settings",
      helpGroup: 'CONSOLE',
      helpValue: 'DIR',
    }),
  }

  /** Throws CONSOLE_OFF, USAGE, NOT_CONFIGURED, CONFIGURATION, FILES_OF_OTHER_USER. */
  protected async consoleSettings(flags: ConsoleFlags): Promise<ConsoleSettings> {
    const { readConsoleSettings } = await import('./partial-settings.js')
    return readConsoleSettings(flags)
  }
}

// What the commands of the name authority share: which database, the reason of a change, lists page by page.

/** Where the rows of a daemon are. */
type StorePlace =
  | (NameSettings & { readonly daemon: 'nameauth' })
  | (ReturnType<typeof readTillStoreSettings> & { readonly daemon: 'pay' })
  | (ReturnType<typeof readRelayLogSettings> & { readonly daemon: 'relay' })

/** Works on the database itself, whether the authority runs or not. */
export abstract class NameCommand extends BaseCommand {
  static override enableJsonFlag = true
  static override baseFlags = {
    ...BaseCommand.baseFlags,
    settings: settingsFlag('settings of the name authority (or NAMEAUTH_ENV_FILE)', { helpGroup: 'NAMES' }),
    db: Flags.string({
      description: 'database of the names, instead of the one in the settings',
      helpGroup: 'NAMES',
      helpValue: 'FILE',
    }),
  }

  protected async nameSettings(flags: SettingsFlags): Promise<NameSettings> {
    const { readNameSettings } = await import('./partial-settings.js')
    return readNameSettings(flags)
  }

  /** Where the rows of a daemon are; `--db` names its file. */
  protected async storeSettings({
    daemon,
    ...flags
  }: SettingsFlags & { readonly daemon: string }): Promise<StorePlace> {
    if (daemon === 'nameauth') return { ...(await this.nameSettings(flags)), daemon }
    const { readRelayLogSettings, readTillStoreSettings } = await import('./partial-settings.js')
    if (daemon === 'relay') return { ...readRelayLogSettings(flags), daemon }
    return { ...readTillStoreSettings(flags), daemon: 'pay' }
  }

  /** For answers with amounts: `ask` returns their chain. */
  protected async learnChain(ask: () => Promise<string | undefined>): Promise<void> {
    this.chain = await this.waiting('asking for the chain', ask)
  }

  /** The one id that begins with what was typed. Throws ID_AMBIGUOUS. */
  protected async wholeId<Kind extends 'offer' | 'grant'>(
    kind: Kind,
    typed: string,
    { findIds }: { findIds(kind: Kind, prefix: string): Promise<readonly string[]> },
  ): Promise<string> {
    const { wholeId } = await import('../client/index.js')
    return wholeId(kind, typed, (prefix) => findIds(kind, prefix))
  }

  /** For commands whose answer depends on the name rules: prints a notice where these settings are incomplete. */
  protected async nameRules(flags: SettingsFlags): Promise<NameSettings> {
    const settings = await this.nameSettings(flags)
    for (const notice of settings.notices) this.note(notice)
    return settings
  }
}

/** Of commands that work on the rows of a till or a name authority. */
export const rowsFlag = {
  daemon: Flags.string({ description: 'whose rows', options: ['nameauth', 'pay'], default: 'nameauth' }),
}

/** The same, or on the log of a relay. */
export const storeFlag = {
  daemon: Flags.string({ description: 'whose tables', options: ['nameauth', 'pay', 'relay'], default: 'nameauth' }),
}

export const nameArg = Args.string({ required: true, description: 'the name' })

/** Of every change. */
export const reasonFlag = {
  reason: Flags.string({
    description: 'reason, kept in the history',
    required: true,
    helpValue: 'TEXT',
    parse: async (text) => reasonOf(text),
  }),
}

export const yesFlag = { yes: Flags.boolean({ description: 'skip the typed confirmation' }) }

/** Both spellings of a key need more room than most terminals have; programs get both. */
export const hasRoomForKeys = (width: number | undefined = terminalWidth()): boolean =>
  width === undefined || width >= 190

// What the commands of a relay on this machine share: which one is meant, and what its lists are called.

/** Works on the files themselves, whether the relay runs or not. */
export abstract class RelayCommand extends BaseCommand {
  static override enableJsonFlag = true
  static override baseFlags = {
    ...BaseCommand.baseFlags,
    settings: settingsFlag('settings of the relay (or RELAY_CONFIG_FILE)', { helpGroup: 'RELAY', aliases: ['config'] }),
    db: Flags.string({
      description: "folder of the relay's database, instead of the one in the settings",
      helpGroup: 'RELAY',
      helpValue: 'DIR',
    }),
  }

  /** Of a relay that ran here. Throws CONFIGURATION and the like, RELAY_FOLDER_MISSING, FILES_OF_OTHER_USER. */
  protected async relayConfig(flags: SettingsFlags): Promise<RelayConfig> {
    const { loadRelaySettings } = await import('./settings.js')
    const { ownerInTheWay } = await import('../system/index.js')
    const { config } = loadRelaySettings(flags)
    const folder = dirname(config.dbPath)
    const owner = ownerInTheWay(folder, 'write')
    if (owner !== undefined) throw filesOfOtherUser(folder, owner)
    if (!existsSync(folder)) throw relayFolderMissing(folder)
    return config
  }

  /** Of relay.db. Throws what `relayConfig` throws. */
  protected async relayDatabase(flags: SettingsFlags): Promise<string> {
    return (await this.relayConfig(flags)).dbPath
  }
}

/** Of `relay ban` and `relay allow`. */
export const relayListFlags = {
  kind: Flags.string({ description: 'event kind', helpValue: 'NUMBER' }),
  address: Flags.string({ description: 'IP address, or a network such as 203.0.113.0/24', helpValue: 'ADDRESS' }),
  event: Flags.string({ description: 'event id', helpValue: 'ID' }),
  reason: Flags.string({ description: 'reason, required for changes, kept in the audit', helpValue: 'TEXT' }),
  remove: Flags.boolean({ description: 'remove the entry again; needs --reason too' }),
  list: Flags.boolean({ description: 'show the lists and change nothing', exclusive: ['reason', 'remove'] }),
}

/** The one thing that `relay ban` or `relay allow` is about. Throws USAGE for none and for several. */
export function exactlyOne<Name extends string>(
  given: Readonly<Record<Name, string | undefined>>,
): { readonly name: Name; readonly text: string } {
  const named = (Object.keys(given) as Name[]).flatMap((name) => {
    const text = given[name]
    return text === undefined ? [] : [{ name, text }]
  })
  const [first, ...others] = named
  if (!first || others.length > 0) throw usage('name exactly one: KEY, --kind, --address or --event')
  return first
}

/** For a terminal. */
export const relayListTable: readonly Column<ListedView>[] = [
  { title: 'LIST', value: ({ list }) => WORDS[list] ?? list },
  { title: 'ENTRY', id: true, value: ({ entry }) => entry },
  { title: 'SINCE', value: ({ since }) => since ?? '-', spare: 1 },
  { title: 'REASON', value: ({ reason }) => plainText(reason), shrinks: true, spare: 0 },
]

const WORDS: Readonly<Record<string, string>> = {
  bannedKeys: 'banned key',
  allowedKeys: 'allowed key',
  bannedEvents: 'banned event',
  allowedKinds: 'allowed kind',
  bannedKinds: 'banned kind',
  blockedAddresses: 'blocked address',
  admins: 'manager',
}

interface ListedView {
  readonly list: string
  readonly entry: string
  readonly since: string | null
  readonly reason: string
}
