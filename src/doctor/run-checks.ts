// Runs checks side by side, each with a limit, and reports the findings in the order of the list.
import { messageOf } from '../lib/errors.js'
import type { CheckContext, DoctorCheck } from './check.js'
import { type Finding, fail, failed } from './finding.js'

/** A finding with the name of its check. */
export interface CheckFinding extends Finding {
  readonly check: string
}

type Basics = Omit<CheckContext, 'signal'>

type CheckOf<B extends Basics> = DoctorCheck<B & Pick<CheckContext, 'signal'>>

export interface RunParts<B extends Basics> {
  /** Looked at before all others, because these need them. */
  readonly settings: { readonly name: string; readonly findings: readonly Finding[] }
  readonly checks: readonly CheckOf<B>[]
  /** Undefined: the settings are broken, and no check runs. */
  readonly context: B | undefined
  /** Names of checks; undefined = all. */
  readonly only: readonly string[] | undefined
  /** Hears every finding as soon as those before it are there. */
  readonly tell: ((finding: CheckFinding) => void) | undefined
  /** Whose log may say more. */
  readonly unit: string
}

/** Never throws. */
export async function runChecks<B extends Basics>(parts: RunParts<B>): Promise<readonly CheckFinding[]> {
  const { settings, checks, context, only, tell, unit } = parts
  const all: CheckFinding[] = []
  const say = (check: string, findings: readonly Finding[]) => {
    for (const finding of findings) {
      all.push({ ...finding, check })
      tell?.({ ...finding, check })
    }
  }
  const isWanted = (name: string) => only === undefined || only.includes(name)
  if (isWanted(settings.name) || !context) say(settings.name, settings.findings)
  if (!context) return all
  const running = checks
    .filter((check) => isWanted(check.name) && check.applies(context.config))
    .map((check) => ({ name: check.name, findings: runOne(check, context, unit) }))
  for (const { name, findings } of running) say(name, await findings)
  return all
}

async function runOne<B extends Basics>(check: CheckOf<B>, context: B, unit: string): Promise<readonly Finding[]> {
  const [tooLate, done] = [new AbortController(), new AbortController()]
  const limit = context.clock.sleep(check.limitMs, done.signal).then(() => {
    tooLate.abort()
    return [fail(`no result within ${check.limitMs / 1000} s`, `try again; journalctl -u ${unit} may say more`)]
  })
  const result = check
    .run({ ...context, signal: tooLate.signal })
    .catch((thrown: unknown) => [failed(thrown, `report this: ${messageOf(thrown)}`)])
  return Promise.race([result, limit]).finally(() => done.abort())
}
