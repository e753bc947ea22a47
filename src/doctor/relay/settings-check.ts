// The settings of the relay and who may read and change what they are in.
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  loadRelayConfig,
  type RelayConfig,
  type RelaySources,
  relayEnvironment,
  settingGroups,
} from '../../config/index.js'
import { GrinpayError, messageOf } from '../../lib/errors.js'
import { relayDataDir } from '../../system/index.js'
import { type Finding, fail, pass, warn } from '../finding.js'
import { problemsOf } from '../settings-check.js'

export interface ReadRelay {
  readonly findings: readonly Finding[]
  readonly config: RelayConfig | undefined
}

/** One line per problem, notice and wrong mode; a config when there is no problem. */
export function readRelaySettings(sources: RelaySources): ReadRelay {
  try {
    const config = loadRelayConfig(sources, { dataDir: relayDataDir() })
    const where = sources.file?.path ?? 'the environment and defaults'
    const remarks = config.notices.map((notice) => warn(notice, 'docs/settings.md tells what each setting does'))
    return { findings: [pass(`usable, from ${where}`), ...remarks, ...modeFindings(sources, config)], config }
  } catch (thrown) {
    if (!(thrown instanceof GrinpayError)) throw thrown
    const text = messageOf(thrown).replace(/^configuration error: /, '')
    return { findings: problemsOf(text.split('; '), 'relay'), config: undefined }
  }
}

const OTHERS_WRITE = 0o022
const OTHERS_READ = 0o004
const ANY_OTHER = 0o077

interface Mode {
  readonly path: string
  readonly forbidden: number
  readonly what: string
  readonly remedy: string
}

/** What is not there, or not ours to look at, is told by those who need it. */
function modeFindings(sources: RelaySources, { dataDir }: RelayConfig): readonly Finding[] {
  return [...modesOf(sources), folderOf(dataDir)].flatMap(({ path, forbidden, what, remedy }) => {
    const mode = modeOf(path)
    return mode === undefined || (mode & forbidden) === 0
      ? []
      : [fail(`${path} ${what} (mode ${mode.toString(8).padStart(4, '0')})`, remedy)]
  })
}

const folderOf = (path: string): Mode => ({
  path,
  forbidden: OTHERS_WRITE | OTHERS_READ,
  what: 'is open to other users, and the whole database with it',
  remedy: `chmod 0700 ${path}`,
})

function modesOf(sources: RelaySources): readonly Mode[] {
  const { file } = sources
  const environment = relayEnvironment(sources)
  const secrets = settingGroups('relay').flatMap(({ settings }) => settings.filter(({ secret }) => secret))
  const paths = secrets.flatMap(({ name }) => environment.find(`${name}_FILE`)?.text || [])
  const inFile = file && secrets.some(({ name }) => environment.find(name)?.origin === file.path)
  return [
    ...(file ? [file.path, dirname(file.path)] : []).map((path) => ({
      path,
      forbidden: OTHERS_WRITE,
      what: 'can be changed by other users',
      remedy: `chmod go-w ${path}`,
    })),
    ...(file && inFile
      ? [
          {
            path: file.path,
            forbidden: OTHERS_READ,
            what: 'holds a secret and can be read by other users',
            remedy: 'grinpay setup relay --reconfigure --yes puts it into a file of its own',
          },
        ]
      : []),
    ...paths.map((path) => ({
      path,
      forbidden: ANY_OTHER,
      what: 'is a secret, and other users can read or change it',
      remedy: `chmod 0600 ${path}`,
    })),
  ]
}

function modeOf(path: string): number | undefined {
  try {
    return statSync(path).mode & 0o777
  } catch {
    return undefined
  }
}
