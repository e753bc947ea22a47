// `setup nameauth`, and the first start by hand.
import { wrapText } from '../../lib/wrap-text.js'
import { renderEnvFile } from '../env-file.js'
import { setupNeedsTerminal } from '../errors.js'
import { allAnswers, type SetupTerminal } from '../form.js'
import { type ProxyHere, proxyCommands, proxyHere, screenOf, startLines, titled } from '../last-screen.js'
import { lookAround } from '../looks.js'
import {
  type AnsweredSetup,
  type Prepared,
  type Preparing,
  requireLoadable,
  runFirstStart,
  runSetup,
  type Talking,
} from '../run-setup.js'
import { hasSocketBeside } from '../services/index.js'
import type { Plan } from '../steps.js'
import { type SetupTarget, tillAddress } from '../survey.js'
import { planNameauth } from './plan.js'
import { NAMEAUTH_QUESTIONS, type NameauthKey } from './questions.js'
import { gatherNameauthSecrets, withPlaceholder } from './secrets.js'
import { findNameauth, type NameauthContext, type NameauthSources } from './survey.js'

export type NameauthSetupRequest = NameauthSources & AnsweredSetup<NameauthKey>

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

/** From questions to a plan that a daemon can start from. */
async function prepareNameauth(
  { target, survey, configured }: NameauthContext,
  { given, program, terminal }: Preparing<NameauthKey>,
): Promise<Prepared<Plan>> {
  renderEnvFile(survey.inForce, 'nameauth') // a value that cannot be written again is an error before the first question
  const { places } = target
  const { present, kept } = survey
  const around = { dataDir: places.dataDir, tillAt: tillAddress() }
  const { answers, typed } = await allAnswers(NAMEAUTH_QUESTIONS, { given, present, kept, around }, terminal)
  const gathered = gatherNameauthSecrets(answers, typed)
  const secrets = withPlaceholder(gathered, { answers, kept, places })
  const plan = planNameauth({ target, survey, answers, secrets, program, hasSocket: hasSocketBeside(places.unitFile) })
  requireLoadable('nameauth', plan)
  const token = gathered.get('pay_token_file')
  return {
    plan,
    look: () => lookAround(NAMEAUTH_QUESTIONS, { answers, token, ownBind: present.bind }),
    finalText: (applied) => nameauthFinalText(target, applied, configured !== undefined, proxyHere()),
  }
}

/** What to type next, what the proxy needs, and how to see that it works. `isChange`: it ran already before these settings. */
export function nameauthFinalText(
  { places, machineWide }: Pick<SetupTarget, 'places' | 'machineWide'>,
  { settings, needs }: Pick<Plan, 'settings' | 'needs'>,
  isChange: boolean,
  proxy: ProxyHere,
): string {
  const settingsFile = places.envFile
  const [domain, base] = [settings.get('NAMEAUTH_DOMAIN'), settings.get('NAMEAUTH_BASE_URL')]
  const takesWebhooks = settings.has('NAMEAUTH_PAY_WEBHOOK_SECRET_FILE')
  return screenOf([
    titled('First:', needs),
    startLines({ daemon: 'nameauth', settingsFile, machineWide, isChange }),
    // The whole configuration is a command away; it follows the settings.
    titled(
      'Proxy in front, on one host with a relay; with --split on a host of its own:',
      proxyCommands('nameauth', machineWide ? '' : ` --settings ${settingsFile}`, proxy),
    ),
    takesWebhooks ? titled('Webhook address, for the till:', [`${base}/api/v1/pay/webhook`]) : [],
    titled('Then, from another machine:', [
      `host ${domain}`,
      '    this machine or its proxy',
      `curl '${base}/.well-known/nostr.json?name=alice'`,
      '    {"names":{},"relays":{}} until alice@ is claimed',
    ]),
  ])
}
