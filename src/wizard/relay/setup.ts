// `setup relay`, and the first start by hand.
import { existsSync } from 'node:fs'
import { wrapText } from '../../lib/wrap-text.js'
import { answersWrong } from '../errors.js'
import { allAnswers, type SetupTerminal } from '../form.js'
import { proxyCommands, proxyHere, screenOf, startLines, titled } from '../last-screen.js'
import { lookAround } from '../looks.js'
import {
  type AnsweredSetup,
  type Prepared,
  type Preparing,
  runFirstStart,
  runSetup,
  type Talking,
} from '../run-setup.js'
import { hasSocketBeside } from '../services/index.js'
import { namesAddress, type SetupSources, type SetupTarget } from '../survey.js'
import { planRelay, type RelayPlan } from './plan.js'
import { withProfile } from './profile.js'
import { hostOfRelay, RELAY_QUESTIONS, type RelayAnswers, type RelayKey } from './questions.js'
import { relayTarget, surveyRelay } from './survey.js'

export type RelaySetupRequest = SetupSources & AnsweredSetup<RelayKey>

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

export interface FirstRelayStart extends SetupSources, Talking {
  /** Undefined: either end is no terminal. */
  readonly terminal: SetupTerminal<RelayKey> | undefined
}

/**
 * A bare start with nothing configured: offers to ask, writes, and answers the file to start with. Undefined without a terminal, or when
 * the offer is declined: a relay starts without settings too. Writes neither unit nor proxy: a start by hand asks for no service.
 */
export async function firstStartRelay(request: FirstRelayStart): Promise<{ readonly settings: string } | undefined> {
  const target = { ...relayTarget(request), isService: false }
  const { envFile } = target.places
  if (!request.terminal || existsSync(envFile)) return undefined
  request.say(wrapText(greeting(envFile), request.width))
  if (!(await request.terminal.goOn('Answer them now?'))) return undefined
  const prepare = () => prepareRelay(target, { ...request, given: {}, program: undefined })
  return { settings: await runFirstStart({ daemon: 'relay', target, prepare }, request) }
}

const greeting = (envFile: string): string =>
  [
    'No relay is configured yet. A few questions, then it starts; without them it starts on 127.0.0.1:7777 for this machine alone.',
    `The answers go to ${envFile}.`,
    'Press Enter to accept the default in brackets; Ctrl-C quits without writing anything.',
  ].join('\n')

/** From questions to a plan that a daemon can start from. */
async function prepareRelay(
  target: SetupTarget,
  { given, program, terminal }: Preparing<RelayKey>,
): Promise<Prepared<RelayPlan>> {
  const { envFile, dataDir, unitFile } = target.places
  const survey = surveyRelay(envFile)
  const { present } = survey
  const around = { dataDir, namesAt: namesAddress(), proxy: proxyHere(), isService: target.isService }
  const known = { given: withProfile(given), present, around }
  const { answers } = await allAnswers(RELAY_QUESTIONS, known, terminal)
  return {
    plan: planRelay({ target, survey, answers, program, hasSocket: hasSocketBeside(unitFile) }),
    look: () => lookAround(RELAY_QUESTIONS, { answers, ownBind: present.bind }),
    finalText: (applied) => relayFinalText(target, answers, applied, survey.hasFile),
  }
}

const SPAM = [
  'Open to everybody. Against spam, set in the settings file:',
  '  limits.events_per_min_per_connection',
  '  retention.max_events or retention.persist_days',
]

/** What to type next, what the proxy needs, and how to see that it works. `isChange`: it ran already before these settings. */
function relayFinalText(
  { places, machineWide }: SetupTarget,
  answers: RelayAnswers,
  { needs, proxy }: RelayPlan,
  isChange: boolean,
): string {
  const settingsFile = places.envFile
  /** How commands find the settings. */
  const flag = machineWide ? '' : ` --settings ${settingsFile}`
  const host = hostOfRelay(answers)
  return screenOf([
    titled('First:', needs),
    startLines({ daemon: 'relay', settingsFile, machineWide, isChange }),
    proxy
      ? titled(`Proxy (${proxy.program}):`, proxy.commands)
      : titled('Proxy in front:', proxyCommands('relay', flag, proxyHere())),
    answers.profile === 'everybody' ? SPAM : [],
    titled('Then:', [
      `grinpay doctor --daemon relay${flag}`,
      '    settings, database, proxy, names: each with a remedy',
      ...(host === undefined ? [] : [`host ${host}`, '    this machine or its proxy']),
    ]),
  ])
}
