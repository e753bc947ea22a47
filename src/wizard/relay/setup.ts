// `setup relay`, and the first start by hand.

import { existsSync } from 'node:fs'
import { wrapText } from '../../lib/wrap-text.js'
import { completeAnswers } from '../answers.js'
import { answersWrong } from '../errors.js'
import type { SetupTerminal } from '../form.js'
import { proxyHere } from '../last-screen.js'
import { type Prepared, runFirstStart, runSetup, type SetupOptions, type Talking } from '../run-setup.js'
import { hasSocketBeside } from '../services/index.js'
import type { Program } from '../services/program.js'
import { checkRelayWorld } from './checks.js'
import { relayFinalText } from './final-text.js'
import { type RelayTarget, relayTarget, type Wanted } from './places.js'
import { planRelay, type RelayPlan } from './plan.js'
import { withProfile } from './profile.js'
import { type RelayAnswers, type RelayKey, relayQuestions } from './questions.js'
import { namesAddress, surveyRelay } from './survey.js'

export interface RelaySetupRequest extends Wanted, SetupOptions {
  /** Answers given beforehand: flags over the answers file. */
  readonly given: RelayAnswers
  /** Undefined: no questions. */
  readonly terminal: SetupTerminal<RelayKey> | undefined
  /** Answers were given, or questions waived: a terminal is not needed. */
  readonly isUnattended: boolean
}

const NO_ANSWERS =
  '"relay_url" is missing and there is no terminal to ask at; name the answers with --answers FILE or flags, or take what is there with --yes'

/** Throws the wizard's errors, CONFIGURATION. */
export async function setupRelay(request: RelaySetupRequest): Promise<void> {
  const { terminal, isUnattended } = request
  const target = relayTarget(request)
  const { envFile } = target.places
  const isThere = existsSync(envFile)
  const prepare = async () => {
    if (!terminal && !isUnattended) throw answersWrong([NO_ANSWERS])
    return prepareRelay(target, request)
  }
  const present = isThere ? { what: 'a relay', by: envFile } : undefined
  return runSetup({ daemon: 'relay', target, present, isReconfigurable: isThere, terminal, prepare }, request)
}

export interface FirstRelayStart extends Wanted, Talking {
  /** Undefined: either end is no terminal. */
  readonly terminal: SetupTerminal<RelayKey> | undefined
}

/**
 * A bare start with nothing configured: offers to ask, writes, and answers the file to start with. Undefined without a terminal, or when
 * the offer is declined: a relay starts without settings too. Writes neither unit nor proxy: a start by hand asks for no service.
 */
export async function firstStartRelay(request: FirstRelayStart): Promise<{ readonly config: string } | undefined> {
  const target = { ...relayTarget(request), isService: false }
  const { envFile } = target.places
  if (!request.terminal || existsSync(envFile)) return undefined
  request.say(wrapText(greeting(envFile), request.width))
  if (!(await request.terminal.goOn('Answer them now?'))) return undefined
  const prepare = () => prepareRelay(target, { ...request, given: {}, program: undefined })
  return { config: await runFirstStart({ daemon: 'relay', target, prepare }, request) }
}

const greeting = (envFile: string): string =>
  [
    'No relay is configured yet. A few questions, then it starts; without them it starts on 127.0.0.1:7777 for this machine alone.',
    `The answers go to ${envFile}.`,
    'Press Enter to accept the default in brackets; Ctrl-C quits without writing anything.',
  ].join('\n')

type Preparing = Pick<RelaySetupRequest, 'given' | 'terminal'> & { readonly program: Program | undefined }

/** From questions to a plan that a daemon can start from. */
async function prepareRelay(
  target: RelayTarget,
  { given: saidBefore, program, terminal }: Preparing,
): Promise<Prepared<RelayPlan>> {
  const { envFile, dataDir, unitFile } = target.places
  const survey = surveyRelay(envFile)
  const given = withProfile(saidBefore)
  const questions = relayQuestions({
    dataDir,
    namesAt: namesAddress(),
    proxy: proxyHere(),
    isService: target.isService,
  })
  const { answers: said } = (await terminal?.ask(questions, { given, present: survey.present })) ?? { answers: given }
  const answers = completeAnswers(questions, said, survey.present)
  return {
    plan: planRelay({ target, survey, answers, program, hasSocket: hasSocketBeside(unitFile) }),
    look: () => checkRelayWorld({ answers, ownBind: survey.present.bind }),
    finalText: ({ needs, proxy }) =>
      relayFinalText({ target, answers, needs, proxy, proxyHere: proxyHere(), isChange: survey.hasFile }),
  }
}
