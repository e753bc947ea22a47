// `setup nameauth`, and the first start by hand.

import { wrapText } from '../../lib/wrap-text.js'
import { completeAnswers } from '../answers.js'
import { renderEnvFile } from '../env-file.js'
import { setupNeedsTerminal } from '../errors.js'
import type { SetupTerminal } from '../form.js'
import { proxyHere } from '../last-screen.js'
import {
  type Prepared,
  requireLoadable,
  runFirstStart,
  runSetup,
  type SetupOptions,
  type Talking,
} from '../run-setup.js'
import { hasSocketBeside } from '../services/index.js'
import type { Program } from '../services/program.js'
import type { Plan } from '../steps.js'
import { checkWorld } from './checks.js'
import { findNameauth, type NameauthContext, type NameauthSources } from './context.js'
import { nameauthFinalText } from './final-text.js'
import { planNameauth } from './plan.js'
import { type NameauthAnswers, type NameauthKey, nameauthQuestions } from './questions.js'
import { gatherNameauthSecrets, withPlaceholder } from './secrets.js'
import { tillAddress } from './survey.js'

export interface NameauthSetupRequest extends NameauthSources, SetupOptions {
  /** Answers given beforehand: flags over the answers file. */
  readonly given: NameauthAnswers
  /** Undefined: no questions. */
  readonly terminal: SetupTerminal<NameauthKey> | undefined
  /** Answers were given, or questions waived: a terminal is not needed. */
  readonly isUnattended: boolean
}

/** Throws the wizard's errors, CONFIGURATION, ENV_FILE_UNREADABLE. */
export async function setupNameauth(request: NameauthSetupRequest): Promise<void> {
  const { terminal, isUnattended } = request
  const context = findNameauth(request)
  const { target, survey, configured } = context
  const present = configured && { what: `a name authority for ${configured.domain}`, by: configured.by }
  const prepare = async () => {
    if (!terminal && !isUnattended) throw setupNeedsTerminal()
    return prepareNameauth(context, request)
  }
  const isReconfigurable = survey.domain !== undefined
  return runSetup({ daemon: 'nameauth', target, present, isReconfigurable, terminal, prepare }, request)
}

export interface FirstStart extends NameauthSources, Talking {
  /** Undefined: either end is no terminal. */
  readonly terminal: SetupTerminal<NameauthKey> | undefined
}

/**
 * A bare start: when nothing is configured and a person sits there, asks, writes, and answers the file to start with. Undefined when
 * there is nothing to do. Writes no unit: a start by hand asks for no service.
 */
export async function firstStartNameauth(request: FirstStart): Promise<{ readonly envFile: string } | undefined> {
  const context = findNameauth(request)
  if (!request.terminal || context.configured) return undefined
  const { target } = context
  request.say(wrapText(greeting(target.places.envFile), request.width))
  const prepare = () => prepareNameauth(context, { ...request, given: {}, program: undefined })
  return { envFile: await runFirstStart({ daemon: 'nameauth', target, prepare }, request) }
}

const greeting = (envFile: string): string =>
  [
    'No name authority is configured yet. A few questions, then it starts.',
    `The answers go to ${envFile}.`,
    'Press Enter to accept the default in brackets; Ctrl-C quits without writing anything.',
  ].join('\n')

type Preparing = Pick<NameauthSetupRequest, 'given' | 'terminal'> & { readonly program: Program | undefined }

/** From questions to a plan that a daemon can start from. */
async function prepareNameauth(
  { target, survey, configured }: NameauthContext,
  { given, program, terminal }: Preparing,
): Promise<Prepared<Plan>> {
  renderEnvFile(survey.inForce, 'nameauth') // a value that cannot be written again is an error before the first question
  const questions = nameauthQuestions({ dataDir: target.places.dataDir, payUrl: tillAddress() })
  const known = { given, present: survey.present, kept: survey.kept }
  const { answers: said, typed } = (await terminal?.ask(questions, known)) ?? { answers: given, typed: new Map() }
  const answers = completeAnswers(questions, said, survey.present)
  const gathered = gatherNameauthSecrets(answers, typed)
  const secrets = withPlaceholder(gathered, { answers, kept: survey.kept, places: target.places })
  const hasSocket = hasSocketBeside(target.places.unitFile)
  const plan = planNameauth({ target, survey, answers, secrets, program, hasSocket })
  requireLoadable('nameauth', plan)
  return {
    plan,
    look: () => checkWorld({ answers, token: gathered.get('pay_token_file'), ownBind: survey.present.bind }),
    finalText: ({ settings, needs }) =>
      nameauthFinalText({ target, settings, needs, isChange: configured !== undefined, proxy: proxyHere() }),
  }
}
