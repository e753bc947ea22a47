// The settings: without usable ones nothing else can be looked at.
import { resolve } from 'node:path'
import {
  configurationProblems,
  type DaemonName,
  type Environment,
  loadPayConfig,
  type PayConfig,
  readPayValues,
  type SettingNotice,
  type SettingProblem,
} from '../config/index.js'
import { messageOf } from '../lib/errors.js'
import { type Finding, fail, pass, warn } from './finding.js'
import { dataFolderMode, type FileMode, modeFindings, settingsModes } from './modes.js'

const CORRECT = 'correct it (docs/settings.md), then grinpay config check'

/** One line per problem. */
export const problemsOf = (problems: readonly SettingProblem[], daemon?: DaemonName): readonly Finding[] =>
  problems.map(({ text }) => fail(text, daemon === undefined ? CORRECT : `${CORRECT} --daemon ${daemon}`))

const CORRECT_NOTICE = 'correct it or take it out: docs/settings.md tells what each setting does'

/** One line per notice. A secret that others can read is a failure. */
export const remarksOf = (notices: readonly SettingNotice[]): readonly Finding[] =>
  notices.map(({ text, remedy, advice = CORRECT_NOTICE }) =>
    remedy === undefined ? warn(text, advice) : fail(text, remedy),
  )

/** The env file, if there is one. */
export const fileModes = ({ envFile }: Environment): readonly FileMode[] =>
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
    const problems = configurationProblems(thrown) ?? [{ setting: null, text: messageOf(thrown) }]
    return { findings: problemsOf(problems), config: undefined }
  }
}
