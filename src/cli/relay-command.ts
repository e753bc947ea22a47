// What the commands of a relay on this machine share: which one is meant, and what its lists are called.
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { Flags } from '@oclif/core'
import type { RelayConfig } from '../config/index.js'
import { plainText } from '../lib/plain-text.js'
import { BaseCommand } from './base-command.js'
import { filesOfOtherUser, relayFolderMissing, usage } from './errors.js'
import type { RelayFlags } from './settings.js'
import type { Column } from './table.js'

/** Works on the files themselves, whether the relay runs or not. */
export abstract class RelayCommand extends BaseCommand {
  static override enableJsonFlag = true
  static override baseFlags = {
    ...BaseCommand.baseFlags,
    config: Flags.string({
      description: 'settings of the relay (or RELAY_CONFIG_FILE)',
      helpGroup: 'RELAY',
      helpValue: 'FILE',
    }),
    db: Flags.string({
      description: "folder of the relay's database, instead of the one in the settings",
      helpGroup: 'RELAY',
      helpValue: 'DIR',
    }),
  }

  /** Of a relay that ran here. Throws CONFIGURATION and the like, RELAY_FOLDER_MISSING, FILES_OF_OTHER_USER. */
  protected async relayConfig(flags: RelayFlags): Promise<RelayConfig> {
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
  protected async relayDatabase(flags: RelayFlags): Promise<string> {
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

/** The one thing that a command is about. Throws USAGE for none and for several. */
export function exactlyOne<Name extends string>(
  given: Readonly<Record<Name, string | undefined>>,
  what: string,
): { readonly name: Name; readonly text: string } {
  const named = (Object.keys(given) as Name[]).flatMap((name) => {
    const text = given[name]
    return text === undefined ? [] : [{ name, text }]
  })
  const [first, ...others] = named
  if (!first || others.length > 0) throw usage(`name exactly one: ${what}`)
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
