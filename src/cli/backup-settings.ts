// Whose backup a command was asked for, and whether this user may make it.
import { type Environment, loadRelayConfig, type RelaySources } from '../config/index.js'
import { ownerInTheWay, relayDataDir } from '../system/index.js'
import { filesOfOtherUser, usage } from './errors.js'
import { relaySources } from './relay-settings.js'
import { requiredSettings } from './settings.js'

export interface BackupFlags {
  readonly daemon?: 'pay' | 'nameauth' | 'relay' | undefined
  readonly settings?: string | undefined
  readonly config?: string | undefined
  /** Of a relay's database. */
  readonly db?: string | undefined
}

export type BackupSettings =
  | { readonly daemon: 'pay' | 'nameauth'; readonly environment: Environment }
  | { readonly daemon: 'relay'; readonly sources: RelaySources }

/** Throws USAGE, NOT_CONFIGURED, NAMEAUTH_NOT_CONFIGURED, CONFIGURATION and the like. */
export function backupSettings(flags: BackupFlags): BackupSettings {
  const { daemon, config, db, settings: envFile } = flags
  if ((config ?? db) !== undefined && daemon !== 'relay') throw usage('--config and --db belong to --daemon relay')
  if (daemon === 'relay') {
    if (envFile !== undefined) throw usage('--daemon relay takes its settings from --config, not from --settings')
    const sources = relaySources({ config, db })
    loadRelayConfig(sources, { dataDir: relayDataDir() })
    return { daemon, sources }
  }
  const located = requiredSettings(envFile, daemon)
  return { daemon: located.daemon === 'nameauth' ? 'nameauth' : 'pay', environment: located.environment }
}

/** Throws FILES_OF_OTHER_USER: a copy cannot be made of what may not be opened. */
export function requireOwnFile(path: string): void {
  const owner = ownerInTheWay(path, 'write')
  if (owner !== undefined) throw filesOfOtherUser(path, owner)
}
