// `setup nameauth` and the first start by hand: ask, show the plan, apply. Everything before apply only reads.
import { dirname } from 'node:path'
import { loadNameauthConfig, openEnvironment } from '../../config/index.js'
import { wrapText } from '../../lib/wrap-text.js'
import { alreadyText } from '../already-text.js'
import { completeAnswers } from '../answers.js'
import { applyPlan } from '../apply.js'
import { renderEnvFile } from '../env-file.js'
import { nothingToReconfigure, setupDeclined, setupNeedsTerminal } from '../errors.js'
import type { Asked, Known } from '../form.js'
import { HIDDEN_PROGRAM, isHidden, type Program } from '../pay/unit.js'
import { planText } from '../plan-text.js'
import { plannedSecret } from '../planned-secret.js'
import { proxyHere } from '../proxy-here.js'
import type { Question } from '../question.js'
import { hasSocketBeside, keepingHandChanges } from '../services/index.js'
import type { Plan } from '../steps.js'
import { checkWorld } from './checks.js'
import { nameauthFinalText } from './final-text.js'
import { planNameauth } from './plan.js'
import { type NameauthAnswers, type NameauthKey, nameauthQuestions } from './questions.js'
import { gatherNameauthSecrets } from './secrets.js'
import { lookAround, type Situation, type Wanted } from './situation.js'
import { tillAddress } from './survey.js'

/** A person at a terminal. */
export interface NameauthTerminal {
  ask(questions: readonly Question<NameauthKey>[], known: Known<NameauthKey>): Promise<Asked<NameauthKey>>
  /** The end of input means yes, as it takes every default. */
  goOn(message: string): Promise<boolean>
}

export interface NameauthSetupRequest extends Wanted {
  /** What was said beforehand: flags over the answers file. */
  readonly given: NameauthAnswers
  readonly dryRun: boolean
  readonly reconfigure: boolean
  /** Only the path of the settings is printed at the end. */
  readonly isQuiet?: boolean
  readonly skipChecks: boolean
  readonly program: Program
  /** Whom to ask; undefined when nobody sits there, or nothing shall be asked. */
  readonly terminal: NameauthTerminal | undefined
  /** Nobody needs to sit there: questions were waived. */
  readonly isUnattended: boolean
  /** Columns of the terminal, if any. */
  readonly width: number | undefined
  /** Talk. */
  readonly say: (text: string) => void
  /** The answer. */
  readonly tell: (text: string) => void
}

/** Throws the wizard's errors, CONFIGURATION, ENV_FILE_UNREADABLE. */
export async function setupNameauth(request: NameauthSetupRequest): Promise<void> {
  const { terminal, dryRun, say, tell, reconfigure, isUnattended } = request
  const situation = lookAround(request)
  const { target, survey, configured } = situation
  if (reconfigure && survey.domain === undefined) throw nothingToReconfigure(target.places.envFile)
  if (configured && !reconfigure) {
    const { domain, by } = configured
    return tell(alreadyText('nameauth', `a name authority for ${domain}`, by, request.prefix))
  }
  if (!terminal && !isUnattended) throw setupNeedsTerminal()
  const plan = await prepare(situation, request)
  say(planText(plan, { width: request.width }))
  if (target.machineWide && isHidden(request.program)) say(wrapText(HIDDEN_PROGRAM, request.width, '  '))
  if (dryRun) return say('dry run: nothing was changed')
  if (terminal && !(await terminal.goOn('Go ahead?'))) throw setupDeclined()
  await applyPlan(plan)
  say('')
  const { settings, needs } = plan
  if (request.isQuiet) return tell(target.places.envFile)
  tell(nameauthFinalText({ target, settings, needs, isChange: configured !== undefined, proxy: proxyHere() }))
}

export interface FirstStart extends Wanted {
  /** Whom to ask; undefined when either end is no terminal. */
  readonly terminal: NameauthTerminal | undefined
  readonly skipChecks: boolean
  readonly width: number | undefined
  readonly say: (text: string) => void
}

/**
 * A bare start: when nothing is configured and a person sits there, asks, writes, and answers the file to start with. Undefined when
 * there is nothing to do. Writes no unit: whoever starts by hand did not ask for a service.
 */
export async function firstStartNameauth(request: FirstStart): Promise<{ readonly envFile: string } | undefined> {
  const situation = lookAround(request)
  if (!request.terminal || situation.configured) return undefined
  const { envFile } = situation.target.places
  request.say(wrapText(greeting(envFile), request.width))
  const plan = await prepare(situation, { ...request, given: {}, program: undefined })
  await applyPlan(plan)
  request.say(`${planText(plan, { title: 'Written:', width: request.width })}\nStarting; the next start asks nothing.`)
  return { envFile }
}

const greeting = (envFile: string): string =>
  [
    'No name authority is configured yet. A few questions, then it starts.',
    `The answers go to ${envFile}.`,
    'Enter takes what stands in brackets; Ctrl-C leaves and writes nothing.',
  ].join('\n')

type Preparing = Pick<NameauthSetupRequest, 'given' | 'terminal' | 'skipChecks' | 'width' | 'say'> & {
  readonly program: Program | undefined
}

/** From questions to a plan that a daemon can start from. */
async function prepare({ target, survey }: Situation, { given, program, ...request }: Preparing): Promise<Plan> {
  renderEnvFile(survey.inForce, 'nameauth') // what cannot be written again is said before anybody answers
  const questions = nameauthQuestions({ dataDir: target.places.dataDir, payUrl: tillAddress() })
  const known = { given, present: survey.present, kept: survey.kept }
  const { answers: said, typed } = (await request.terminal?.ask(questions, known)) ?? {
    answers: given,
    typed: new Map(),
  }
  const answers = completeAnswers(questions, said, survey.present)
  const secrets = gatherNameauthSecrets(answers, typed)
  const { unitFile, envFile } = target.places
  const planned = planNameauth({ target, survey, answers, secrets, program, hasSocket: hasSocketBeside(unitFile) })
  const plan = keepingHandChanges(planned, {
    daemon: 'nameauth',
    settingsFile: envFile,
    unitDir: dirname(unitFile),
  })
  checkSettings(plan)
  const world = { answers, token: secrets.get('pay_token_file'), ownBind: survey.present.bind }
  const findings = request.skipChecks ? [] : await checkWorld(world)
  for (const { ok, text } of findings) request.say(wrapText(`${ok ? '' : 'warning: '}${text}`, request.width, '  '))
  return plan
}

/** The daemon must be able to start from what we are about to write. Throws CONFIGURATION. */
function checkSettings({ settings }: Plan): void {
  const text = renderEnvFile(settings, 'nameauth')
  const readFile = (path: string): string => (path === 'planned' ? text : plannedSecret(path))
  loadNameauthConfig(openEnvironment({ envFile: 'planned', form: 'plain', variables: {}, readFile }))
}
