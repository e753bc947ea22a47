// The settings: without usable ones nothing else can be looked at.
import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import {
  configurationProblems,
  type DaemonName,
  type Environment,
  type SettingNotice,
  type SettingProblem,
} from '../config/index.js'
import { messageOf } from '../lib/errors.js'
import { type Finding, fail, pass, warn } from './finding.js'

const CORRECT = 'correct it (docs/settings.md), then grinpay config check'

/** One line per problem. */
export const problemsOf = (problems: readonly SettingProblem[], daemon: DaemonName): readonly Finding[] =>
  problems.map(({ text }) => fail(text, daemon === 'pay' ? CORRECT : `${CORRECT} --daemon ${daemon}`))

const CORRECT_NOTICE = 'correct it or take it out: docs/settings.md tells what each setting does'

/** One line per notice. A secret that others can read is a failure. */
export const remarksOf = (notices: readonly SettingNotice[]): readonly Finding[] =>
  notices.map(({ text, remedy, advice = CORRECT_NOTICE }) =>
    remedy === undefined ? warn(text, advice) : fail(text, remedy),
  )

/** The env file, if there is one. */
export const fileModes = ({ envFile }: Environment): readonly FileMode[] =>
  envFile === undefined ? [] : settingsModes(resolve(envFile))

/** Settings that a daemon can run with. */
interface UsableSettings<Config> {
  readonly config: Config
  readonly where: string
  readonly remarks: readonly Finding[]
  readonly modes: readonly FileMode[]
}

/** One line per problem, per remark and per wrong mode; a config when there is no problem. `load` throws CONFIGURATION. */
export function readSettings<Config>(
  daemon: DaemonName,
  load: () => UsableSettings<Config>,
): { readonly findings: readonly Finding[]; readonly config: Config | undefined } {
  try {
    const { config, where, remarks, modes } = load()
    return { findings: [pass(`usable, from ${where}`), ...remarks, ...modeFindings(modes)], config }
  } catch (thrown) {
    const problems = configurationProblems(thrown) ?? [{ setting: null, text: messageOf(thrown) }]
    return { findings: problemsOf(problems, daemon), config: undefined }
  }
}

// Who else on this machine can read secrets, or change what a daemon does.

/** A path, and the permission bits that it must not have. */
export interface FileMode {
  readonly path: string
  readonly forbidden: number
  readonly what: string
  readonly remedy: string
}

const OTHERS_WRITE = 0o022
const OTHERS_READ = 0o004
const ANY_OTHER = 0o077
/** In a sticky folder users rename and remove only what they own. */
const STICKY = 0o1000

/** The file of the settings and its folder: who can change them decides what the daemon does. */
export const settingsModes = (file: string): readonly FileMode[] => [
  { path: file, forbidden: OTHERS_WRITE, what: 'can be changed by other users', remedy: `chmod go-w ${file}` },
  {
    path: dirname(file),
    forbidden: OTHERS_WRITE,
    what: 'can be changed by other users, and the settings in it replaced',
    remedy: `chmod go-w ${dirname(file)}`,
  },
]

/** Settings with a secret among them; its group may read them, as setup makes it. */
export const inlineSecretMode = (file: string, remedy: string): FileMode => ({
  path: file,
  forbidden: OTHERS_READ,
  what: 'holds a secret and can be read by other users',
  remedy,
})

export const secretFileMode = (path: string): FileMode => ({
  path,
  forbidden: ANY_OTHER,
  what: 'is a secret, and other users can read or change it',
  remedy: `chmod 0600 ${path}`,
})

/** The folder of a database, and of a wallet. */
export const dataFolderMode = (path: string): FileMode => ({
  path,
  forbidden: OTHERS_WRITE | OTHERS_READ,
  what: 'is open to other users, and the whole database with it',
  remedy: `chmod 0700 ${path}`,
})

/** A path that is missing or unreadable is reported by the check that needs it. */
const modeFindings = (modes: readonly FileMode[]): readonly Finding[] =>
  modes.flatMap(({ path, forbidden, what, remedy }) => {
    const mode = modeOf(path)
    return mode === undefined || (mode & forbidden) === 0
      ? []
      : [fail(`${path} ${what} (mode ${mode.toString(8).padStart(4, '0')})`, remedy)]
  })

/** The bits that count; of a sticky folder writing by others does not. */
function modeOf(path: string): number | undefined {
  try {
    const stat = statSync(path)
    const isSafeShared = stat.isDirectory() && (stat.mode & STICKY) !== 0
    return stat.mode & (isSafeShared ? 0o777 & ~OTHERS_WRITE : 0o777)
  } catch {
    return undefined
  }
}
