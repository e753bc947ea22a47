// The settings of the relay and who may read and change what they are in.
import {
  layeredEnvironment,
  loadRelayConfig,
  type RelayConfig,
  type RelaySources,
  settingGroups,
} from '../../config/index.js'
import { relayDataDir } from '../../system/index.js'
import { warn } from '../finding.js'
import { dataFolderMode, type FileMode, inlineSecretMode, secretFileMode, settingsModes } from '../settings-check.js'

/** Throws CONFIGURATION. */
export function loadUsable(sources: RelaySources) {
  const config = loadRelayConfig(sources, { dataDir: relayDataDir() })
  // The check of modes reports who else can read a secret.
  const notices = config.notices.filter(({ remedy }) => remedy === undefined)
  return {
    config,
    where: sources.file?.path ?? 'the environment and defaults',
    remarks: notices.map(({ text, advice = 'docs/settings.md tells what each setting does' }) => warn(text, advice)),
    modes: modesOf(sources, config),
  }
}

/** A path that is missing or unreadable is reported by the check that needs it. */
function modesOf(sources: RelaySources, { dataDir }: RelayConfig): readonly FileMode[] {
  const { file } = sources
  const environment = layeredEnvironment(sources)
  const secrets = settingGroups('relay').flatMap(({ settings }) => settings.filter(({ secret }) => secret))
  const paths = secrets.flatMap(({ name }) => environment.find(`${name}_FILE`)?.text || [])
  const inFile = file && secrets.some(({ name }) => environment.find(name)?.origin === file.path)
  return [
    ...(file ? settingsModes(file.path) : []),
    ...(file && inFile
      ? [inlineSecretMode(file.path, 'grinpay setup relay --reconfigure --yes puts it into a file of its own')]
      : []),
    ...paths.map(secretFileMode),
    dataFolderMode(dataDir),
  ]
}
