// The systemd unit of the name authority, and how its secrets reach it.
import { dirname } from 'node:path'
import { settingGroups } from '../../config/index.js'
import type { Places } from '../../system/index.js'
import { credentialsOf, homeOfUnit, renderService, userCommand } from '../services/index.js'
import type { Program } from '../services/program.js'

type Settings = ReadonlyMap<string, string>

const foldersOf = (settings: Settings): readonly string[] => [dirname(settings.get('NAMEAUTH_NAMES_DB') ?? '')]

/** How to make the user that a database outside of /var/lib belongs to; undefined when systemd makes one at each start. */
export const ownUser = (settings: Settings): string | undefined =>
  userCommand(homeOfUnit({ daemon: 'nameauth', folders: foldersOf(settings) }))

/** The unit for these places and settings; its Documentation line points below `root`. */
export const renderNameauthUnit = (
  { envFile }: Places,
  program: Program,
  settings: Settings,
  hasSocket = false,
): string =>
  renderService({
    daemon: 'nameauth',
    program,
    settingsFile: envFile,
    folders: foldersOf(settings),
    credentials: credentialsOf(settingGroups('nameauth'), (name) => settings.get(`${name}_FILE`)),
    hasSocket,
  })
