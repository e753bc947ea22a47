// The settings: without usable ones nothing else can be looked at.
import { type DaemonName, type Environment, loadPayConfig, type PayConfig, readPayValues } from '../config/index.js'
import { type Finding, fail, pass, warn } from './finding.js'

const CORRECT = 'correct it (docs/settings.md), then grinpay config check'

/** One line per problem. */
export const problemsOf = (problems: readonly string[], daemon?: DaemonName): readonly Finding[] =>
  problems.map((problem) => fail(problem, daemon === undefined ? CORRECT : `${CORRECT} --daemon ${daemon}`))

/** One line per problem and per notice; a config when there is no problem. */
export function readSettings(environment: Environment): {
  readonly findings: readonly Finding[]
  readonly config: PayConfig | undefined
} {
  const { problems, notices } = readPayValues(environment)
  if (problems.length > 0) return { findings: problemsOf(problems), config: undefined }
  const where = environment.envFile ?? 'the environment'
  const remarks = notices.map((notice) => warn(notice, 'docs/settings.md tells what each setting does'))
  try {
    return { findings: [pass(`usable, from ${where}`), ...remarks], config: loadPayConfig(environment) }
  } catch (thrown) {
    return { findings: [fail(thrown instanceof Error ? thrown.message : String(thrown), CORRECT)], config: undefined }
  }
}
