// What the commands of the console share: which daemon's, and where a browser finds it.
import { Flags } from '@oclif/core'
import { DAEMON_NAMES } from '../lib/daemon-names.js'
import { BaseCommand } from './base-command.js'
import { usage } from './errors.js'
import { settingsFlag } from './flags.js'
import type { ConsoleFlags, ConsoleSettings } from './partial-settings.js'

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
