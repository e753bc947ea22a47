// What every setup does: refuse what is set up already, ask, look at the surroundings, show the plan, apply it, say what comes next.
// Everything before the plan is applied only reads.
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DAEMONS, type DaemonName, openEnvironment } from '../config/index.js'
import { hasCode } from '../lib/errors.js'
import { wrapText } from '../lib/wrap-text.js'
import { applyPlan } from './apply.js'
import { renderEnvFile } from './env-file.js'
import { nothingToReconfigure, setupDeclined } from './errors.js'
import type { SetupTerminal } from './form.js'
import type { Look } from './looks.js'
import { planText } from './plan-text.js'
import type { AnswersOf } from './question.js'
import { keepingHandChanges } from './services/index.js'
import { HIDDEN_PROGRAM, isHidden, type Program } from './services/program.js'
import type { Plan } from './steps.js'
import type { SetupTarget } from './survey.js'

/** How a setup talks, and whether it looks at the surroundings. */
export interface Talking {
  readonly skipChecks: boolean
  /** Columns of the terminal; absent: there is none. */
  readonly width?: number | undefined
  /** Prints a message for the person. */
  readonly say: (text: string) => void
}

export interface SetupOptions extends Talking {
  readonly dryRun: boolean
  /** Changes what is there. */
  readonly reconfigure: boolean
  /** Prints only the path of the settings at the end. */
  readonly isQuiet?: boolean
  readonly program: Program
  /** Everything goes under this folder; undefined: the places of the machine. */
  readonly prefix?: string | undefined
  /** Prints the answer of the command. */
  readonly tell: (text: string) => void
}

/** A setup that takes its answers from a person, or unattended from flags and a file. */
export interface AnsweredSetup<Key extends string> extends SetupOptions {
  /** Answers given beforehand: flags over the answers file. */
  readonly given: AnswersOf<Key>
  /** Undefined: no questions. */
  readonly terminal: SetupTerminal<Key> | undefined
  /** Answers were given, or questions waived: a terminal is not needed. */
  readonly isUnattended: boolean
}

/** What a plan is prepared from; without a program neither a unit nor a proxy belongs to it, as at a first start by hand. */
export type Preparing<Key extends string> = Pick<AnsweredSetup<Key>, 'given' | 'terminal'> & {
  readonly program: Program | undefined
}

/** One setup, up to its plan. */
export interface Setup<P extends Plan> {
  readonly daemon: DaemonName
  readonly target: Pick<SetupTarget, 'places' | 'machineWide'>
  /** What is set up already, such as "a till", and the file that configures it; undefined: nothing. */
  readonly present: { readonly what: string; readonly by: string } | undefined
  /** Whether there is something to reconfigure. */
  readonly isReconfigurable: boolean
  /** Undefined: no questions. */
  readonly terminal: { goOn(message: string): Promise<boolean> } | undefined
  /** Asks and plans. Throws for answers and settings that the daemon could not start with. */
  readonly prepare: () => Promise<Prepared<P>>
}

export interface Prepared<P extends Plan> {
  readonly plan: P
  /** Looks at what the answers name: hosts, ports, other daemons. Never throws. */
  readonly look: () => Promise<readonly Look[]>
  /** Between the consent and the first step. */
  readonly beforeApply?: (() => Promise<void>) | undefined
  readonly afterApply?: (() => void) | undefined
  readonly finalText: (plan: P) => string
}

/** Throws NOTHING_TO_RECONFIGURE, SETUP_DECLINED, SETUP_FAILED, and what `prepare` throws. */
export async function runSetup<P extends Plan>(setup: Setup<P>, options: SetupOptions): Promise<void> {
  const { daemon, target, present, terminal } = setup
  const { say, tell, reconfigure, prefix, width } = options
  const { envFile } = target.places
  if (reconfigure && !setup.isReconfigurable) throw nothingToReconfigure(envFile)
  if (present && !reconfigure) return tell(alreadyText(daemon, present, prefix))
  const prepared = await setup.prepare()
  const plan = await finishPlan(setup, prepared, options)
  say(planText(plan, { width }))
  if (target.machineWide && isHidden(options.program)) say(wrapText(HIDDEN_PROGRAM, width, '  '))
  if (options.dryRun) return say('dry run: nothing was changed')
  if (terminal && !(await terminal.goOn('Go ahead?'))) throw setupDeclined()
  await prepared.beforeApply?.()
  await applyPlan(plan)
  prepared.afterApply?.()
  say('')
  tell(options.isQuiet ? envFile : prepared.finalText(plan))
}

/** A first start by hand: applies without another question, and answers the file to start with. */
export async function runFirstStart<P extends Plan>(
  setup: Pick<Setup<P>, 'daemon' | 'target' | 'prepare'>,
  talking: Talking,
): Promise<string> {
  const plan = await finishPlan(setup, await setup.prepare(), talking)
  await applyPlan(plan)
  talking.say(`${planText(plan, { title: 'Written:', width: talking.width })}\nStarting; the next start asks nothing.`)
  return setup.target.places.envFile
}

/** The plan without steps that would undo changes by hand; says what was found in the surroundings. */
async function finishPlan<P extends Plan>(
  { daemon, target }: Pick<Setup<P>, 'daemon' | 'target'>,
  { plan, look }: Prepared<P>,
  { skipChecks, width, say }: Talking,
): Promise<P> {
  const { envFile, unitFile } = target.places
  const kept = keepingHandChanges(plan, { daemon, settingsFile: envFile, unitDir: dirname(unitFile) })
  const looks = skipChecks ? [] : await look()
  for (const { ok, text } of looks) say(wrapText(`${ok ? '' : 'warning: '}${text}`, width, '  '))
  return kept
}

/** A second setup changes nothing, and that is no failure (specification: names, 11). */
const alreadyText = (
  daemon: DaemonName,
  { what, by }: { readonly what: string; readonly by: string },
  prefix: string | undefined,
): string =>
  [
    `there is already ${what}, configured by ${by}; nothing was changed`,
    `to change it: grinpay setup ${daemon} --reconfigure${prefix === undefined ? '' : ` --prefix ${prefix}`}`,
  ].join('\n')

/** The daemon must be able to start from the files that are about to be written. Throws CONFIGURATION. */
export function requireLoadable(daemon: DaemonName, { settings, steps }: Pick<Plan, 'settings' | 'steps'>): void {
  const { load } = DAEMONS[daemon]
  const planned = new Map(steps.flatMap((step) => ('content' in step ? [[step.path, step.content] as const] : [])))
  const text = renderEnvFile(settings, daemon)
  const readFile = (path: string): string =>
    path === 'planned' ? text : (planned.get(path)?.reveal() ?? readPresent(path))
  load({ environment: openEnvironment({ envFile: 'planned', variables: {}, readFile }) }, '')
}

/** What a file of secrets holds, or for one that is there but not for this user a text that passes for a secret and equals no other. */
function readPresent(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (thrown) {
    if (hasCode(thrown, 'EACCES')) return `present after setup: ${path}`
    throw thrown
  }
}
