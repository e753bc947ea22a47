// What the commands of the name authority share: which database, the reason of a change, lists page by page.
import { Args, Flags } from '@oclif/core'
import { BaseCommand } from './base-command.js'
import { settingsFlag } from './flags.js'
import type { NameFlags, NameSettings, readRelayLogSettings, readTillStoreSettings } from './partial-settings.js'
import { terminalWidth } from './terminal.js'
import { reasonOf } from './values.js'

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

  protected async nameSettings(flags: NameFlags): Promise<NameSettings> {
    const { readNameSettings } = await import('./partial-settings.js')
    return readNameSettings(flags)
  }

  /** Where the rows of a daemon are; `--db` names its file. */
  protected async storeSettings({ daemon, ...flags }: NameFlags & { readonly daemon: string }): Promise<StorePlace> {
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
  protected async nameRules(flags: NameFlags): Promise<NameSettings> {
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
