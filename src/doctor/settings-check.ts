// The settings: without usable ones nothing else can be looked at.
import { resolve } from 'node:path'
import { type DaemonName, type Environment, loadPayConfig, type PayConfig, readPayValues } from '../config/index.js'
import { type Finding, fail, pass, warn } from './finding.js'
import { dataFolderMode, type Mode, modeFindings, settingsModes } from './modes.js'

const CORRECT = 'correct it (docs/settings.md), then grinpay config check'

/** One line per problem. */
export const problemsOf = (problems: readonly string[], daemon?: DaemonName): readonly Finding[] =>
  problems.map((problem) => fail(problem, daemon === undefined ? CORRECT : `${CORRECT} --daemon ${daemon}`))

/** One line per notice. Whoever else can read a secret is more than worth a word. */
export const remarksOf = (notices: readonly string[]): readonly Finding[] =>
  notices.map((notice) => {
    const [, what, command] = /^(.*): (chmod .*)$/.exec(notice) ?? []
    if (what !== undefined && command !== undefined) return fail(what, command)
    return warn(notice, 'correct it or take it out: docs/settings.md tells what each setting does')
  })

/** The env file, if there is one. */
export const fileModes = ({ envFile }: Environment): readonly Mode[] =>
  envFile === undefined ? [] : settingsModes(resolve(envFile))

/** One line per problem, per notice and per wrong mode; a config when there is no problem. */
export function readSettings(environment: Environment): {
  readonly findings: readonly Finding[]
  readonly config: PayConfig | undefined
} {
  const { problems, notices } = readPayValues(environment)
  if (problems.length > 0) return { findings: problemsOf(problems), config: undefined }
  const where = environment.envFile ?? 'the environment'
  const remarks = remarksOf(notices)
  try {
    const config = loadPayConfig(environment)
    const modes = modeFindings([...fileModes(environment), dataFolderMode(config.dataDir)])
    return { findings: [pass(`usable, from ${where}`), ...remarks, ...modes], config }
  } catch (thrown) {
    return { findings: [fail(thrown instanceof Error ? thrown.message : String(thrown), CORRECT)], config: undefined }
  }
}
