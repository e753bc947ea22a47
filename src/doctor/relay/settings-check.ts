// The settings of the relay and who may read and change what they are in.
import {
  configurationProblems,
  layeredEnvironment,
  loadRelayConfig,
  type RelayConfig,
  type RelaySources,
  settingGroups,
} from '../../config/index.js'
import { relayDataDir } from '../../system/index.js'
import { type Finding, pass, warn } from '../finding.js'
import {
  dataFolderMode,
  type FileMode,
  inlineSecretMode,
  modeFindings,
  problemsOf,
  secretFileMode,
  settingsModes,
} from '../settings-check.js'

export interface ReadRelay {
  readonly findings: readonly Finding[]
  readonly config: RelayConfig | undefined
}

/** One line per problem, notice and wrong mode; a config when there is no problem. */
export function readRelaySettings(sources: RelaySources): ReadRelay {
  try {
    const config = loadRelayConfig(sources, { dataDir: relayDataDir() })
    const where = sources.file?.path ?? 'the environment and defaults'
    // The check of modes reports who else can read a secret.
    const notices = config.notices.filter(({ remedy }) => remedy === undefined)
    const remarks = notices.map(({ text, advice = 'docs/settings.md tells what each setting does' }) =>
      warn(text, advice),
    )
    return { findings: [pass(`usable, from ${where}`), ...remarks, ...modeFindings(modesOf(sources, config))], config }
  } catch (thrown) {
    const problems = configurationProblems(thrown)
    if (problems === undefined) throw thrown
    return { findings: problemsOf(problems, 'relay'), config: undefined }
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
