// `setup relay` and the first start by hand: ask, show the plan, apply. Everything before apply only reads.
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { wrapText } from '../../lib/wrap-text.js'
import { alreadyText } from '../already-text.js'
import { completeAnswers } from '../answers.js'
import { applyPlan } from '../apply.js'
import { answersWrong, nothingToReconfigure, setupDeclined } from '../errors.js'
import type { Asked, Known } from '../form.js'
import { HIDDEN_PROGRAM, isHidden, type Program } from '../pay/unit.js'
import { planText } from '../plan-text.js'
import { proxyHere } from '../proxy-here.js'
import type { Question } from '../question.js'
import { hasSocketBeside, keepingHandChanges } from '../services/index.js'
import { checkRelayWorld } from './checks.js'
import { relayFinalText } from './final-text.js'
import { type RelayTarget, relayTarget, type Wanted } from './places.js'
import { planRelay, type RelayPlan } from './plan.js'
import { type RelayAnswers, type RelayKey, relayQuestions } from './questions.js'
import { namesAddress, type RelaySurvey, surveyRelay } from './survey.js'

/** A person at a terminal. */
export interface RelayTerminal {
  ask(questions: readonly Question<RelayKey>[], known: Known<RelayKey>): Promise<Asked<RelayKey>>
  /** The end of input means yes, as it takes every default. */
  goOn(message: string): Promise<boolean>
}

interface Talking {
  /** Whom to ask; undefined when nobody sits there, or nothing shall be asked. */
  readonly terminal: RelayTerminal | undefined
  readonly skipChecks: boolean
  /** Columns of the terminal, if any. */
  readonly width: number | undefined
  /** Talk. */
  readonly say: (text: string) => void
}

export interface RelaySetupRequest extends Wanted, Talking {
  /** What was said beforehand: flags over the answers file. */
  readonly given: RelayAnswers
  readonly dryRun: boolean
  readonly reconfigure: boolean
  /** Only the path of the settings is printed at the end. */
  readonly isQuiet?: boolean
  readonly program: Program
  /** Nobody needs to sit there: questions were waived. */
  readonly isUnattended: boolean
  /** The answer. */
  readonly tell: (text: string) => void
}

const NOBODY_HERE =
  '"relay_url" is missing and there is nobody to ask; name the answers with --answers FILE or flags, or take what is there with --yes'

/** Throws the wizard's errors, CONFIGURATION. */
export async function setupRelay(request: RelaySetupRequest): Promise<void> {
  const { terminal, dryRun, say, tell, reconfigure, isUnattended, program } = request
  const target = relayTarget(request)
  const { envFile } = target.places
  const isThere = existsSync(envFile)
  if (reconfigure && !isThere) throw nothingToReconfigure(envFile)
  if (isThere && !reconfigure) return tell(alreadyText('relay', 'a relay', envFile, request.prefix))
  if (!terminal && !isUnattended) throw answersWrong([NOBODY_HERE])
  const { plan, answers } = await prepare(target, surveyRelay(envFile), request)
  say(planText(plan, { width: request.width }))
  if (target.machineWide && isHidden(program)) say(wrapText(HIDDEN_PROGRAM, request.width, '  '))
  if (dryRun) return say('dry run: nothing was changed')
  if (terminal && !(await terminal.goOn('Go ahead?'))) throw setupDeclined()
  await applyPlan(plan)
  say('')
  const { needs, proxy } = plan
  if (request.isQuiet) return tell(envFile)
  tell(relayFinalText({ target, answers, needs, proxy, proxyHere: proxyHere(), isChange: isThere }))
}

export interface FirstRelayStart extends Wanted, Talking {}

/**
 * A bare start with nothing configured: offers to ask, writes, and answers the file to start with. Undefined when nobody sits there, or
 * the offer is declined: a relay starts without settings too. Writes neither unit nor proxy: whoever starts by hand asked for no service.
 */
export async function firstStartRelay(request: FirstRelayStart): Promise<{ readonly config: string } | undefined> {
  const target = relayTarget(request)
  const { envFile } = target.places
  if (!request.terminal || existsSync(envFile)) return undefined
  request.say(wrapText(greeting(envFile), request.width))
  if (!(await request.terminal.goOn('Answer them now?'))) return undefined
  const byHand = { ...target, isService: false }
  const { plan } = await prepare(byHand, surveyRelay(envFile), { ...request, given: {}, program: undefined })
  await applyPlan(plan)
  request.say(`${planText(plan, { title: 'Written:', width: request.width })}\nStarting; the next start asks nothing.`)
  return { config: envFile }
}

const greeting = (envFile: string): string =>
  [
    'No relay is configured yet. A few questions, then it starts; without them it starts on 127.0.0.1:7777 for this machine alone.',
    `The answers go to ${envFile}.`,
    'Enter takes what stands in brackets; Ctrl-C leaves and writes nothing.',
  ].join('\n')

type Preparing = Talking & { readonly given: RelayAnswers; readonly program: Program | undefined }

interface Prepared {
  readonly plan: RelayPlan
  readonly answers: RelayAnswers
}

/** From questions to a plan that a daemon can start from. */
async function prepare(target: RelayTarget, survey: RelaySurvey, request: Preparing): Promise<Prepared> {
  const { given, program, terminal, width, say } = request
  const questions = relayQuestions({
    dataDir: target.places.dataDir,
    namesAt: namesAddress(),
    proxy: proxyHere(),
    isService: target.isService,
  })
  const { answers: said } = (await terminal?.ask(questions, { given, present: survey.present })) ?? { answers: given }
  const answers = completeAnswers(questions, said, survey.present)
  const { unitFile, envFile } = target.places
  const planned = planRelay({ target, survey, answers, program, hasSocket: hasSocketBeside(unitFile) })
  const plan = keepingHandChanges(planned, {
    daemon: 'relay',
    settingsFile: envFile,
    unitDir: dirname(unitFile),
  })
  const world = { answers, ownBind: survey.present.bind }
  const looks = request.skipChecks ? [] : await checkRelayWorld(world)
  for (const { ok, text } of looks) say(wrapText(`${ok ? '' : 'warning: '}${text}`, width, '  '))
  return { plan, answers }
}
