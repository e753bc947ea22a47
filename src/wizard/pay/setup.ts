// `setup pay`.
import { type Places, tillPlaces } from '../../system/index.js'
import { alreadySetUp } from '../errors.js'
import { allAnswers } from '../form.js'
import { proxyCommands, proxyHere, screenOf, startLines, titled } from '../last-screen.js'
import { lookAround } from '../looks.js'
import { type Prepared, requireLoadable, runSetup } from '../run-setup.js'
import { hasSocketBeside } from '../services/index.js'
import type { Plan } from '../steps.js'
import { newTokens } from './material.js'
import { planSetup } from './plan.js'
import { PAY_QUESTIONS, type PayAnswers } from './questions.js'
import { sealIdentity, sealWallet } from './sealing.js'
import { gatherSecrets, type Secrets } from './secrets.js'
import { type SetupRequest, type Survey, surveyTill, type TillContext } from './survey.js'
import { wordsText } from './terminal.js'
import { passwordFiles } from './unit.js'
import type { ChainName, WalletPlaces } from './wallet.js'

/** Throws the wizard's errors, CONFIGURATION, and what opening a wallet throws. */
export async function setupPay(request: SetupRequest): Promise<void> {
  const { prefix, terminal, reconfigure } = request
  const places = tillPlaces(prefix)
  const found = surveyTill(places)
  const prepare = async () => {
    if (!reconfigure && found.hasWallet) throw alreadySetUp(`a wallet in ${places.dataDir}`)
    return prepareTill(places, found, request)
  }
  const present = found.hasEnvFile ? { what: 'a till', by: places.envFile } : undefined
  const target = { places, machineWide: prefix === undefined }
  const isReconfigurable = found.hasEnvFile || found.hasWallet
  return runSetup({ daemon: 'pay', target, present, isReconfigurable, terminal, prepare }, request)
}

/** From questions to a plan that a till can start from. */
async function prepareTill(places: Places, found: Survey, request: SetupRequest): Promise<Prepared<Plan>> {
  const { terminal, given, random, tell, prefix } = request
  const { answers } = await allAnswers(PAY_QUESTIONS, { given, present: found.present, around: {} }, terminal)
  const wallet = walletPlaces(places, answers)
  const context = { request, places, machineWide: prefix === undefined, found, answers, wallet }
  const secrets = await gatherSecrets(context)
  const [tokens, sealed] = [newTokens(random), await sealedTexts(context, secrets)]
  const plan = planSetup({ ...context, secrets, sealed, tokens, hasSocket: hasSocketBeside(places.unitFile) })
  requireLoadable('pay', plan)
  const words = answers.words_out === undefined ? secrets.newWords : undefined
  return {
    plan,
    look: () => lookAround(PAY_QUESTIONS, { answers, ownBind: found.present.bind }),
    beforeApply: words && terminal ? () => terminal.showWords(words, random) : undefined,
    afterApply: words && !terminal ? () => tell(wordsText(words)) : undefined,
    finalText: (applied) => finalText(context, secrets, applied),
  }
}

/** A new wallet, and a new Nostr key unless there is one. */
async function sealedTexts({ request, found, wallet }: TillContext, { password, seed }: Secrets) {
  const { random, sealCost: cost } = request
  if (password === undefined) return {}
  const hasOwnKey = ['PAY_NSEC', 'PAY_NCRYPTSEC'].some(
    (name) => found.inForce.has(name) || found.inForce.has(`${name}_FILE`),
  )
  return {
    seed: seed && (await sealWallet({ entropy: seed.entropy, password, chain: wallet.chain, random, cost })),
    identity: found.hasIdentity || hasOwnKey ? undefined : (await sealIdentity(password, random)).text,
  }
}

const CHAINS: readonly ChainName[] = ['mainnet', 'testnet', 'usernet']

const walletPlaces = ({ dataDir, dbPath }: Places, answers: PayAnswers): WalletPlaces => ({
  dataDir,
  dbPath,
  chain: CHAINS.find((chain) => chain === answers.chain) ?? 'mainnet',
})

/** What to type next, and the three values for the shop. */
function finalText({ places, machineWide, found }: TillContext, { keeping }: Secrets, plan: Plan): string {
  const flag = machineWide ? '' : ` --settings ${places.envFile}`
  const first = keeping === 'manual' ? [manualLine(places, machineWide)] : []
  const hasWebhook = plan.settings.has('PAY_WEBHOOK_URL')
  // Without https the till is reached directly.
  const isBehindProxy = plan.settings.get('PAY_PUBLIC_URL')?.startsWith('https://') === true
  return screenOf([
    shopLines(places, found, plan),
    titled('First, for payments to the grin1 address:', plan.needs),
    startLines({ daemon: 'pay', settingsFile: places.envFile, machineWide, isChange: found.hasEnvFile, first }),
    isBehindProxy ? titled('Proxy in front:', proxyCommands('pay', flag, proxyHere())) : [],
    titled('Then:', [
      ...(machineWide ? [] : [`export GRINPAY_ENV_FILE=${places.envFile}`]),
      'grinpay doctor                     # each thing with a remedy',
      'grinpay invoice create 0.1 --qr',
      ...(hasWebhook ? ['grinpay webhook test'] : []),
    ]),
  ])
}

function shopLines({ envFile }: Places, { inForce }: Survey, { settings }: Plan): readonly string[] {
  /** A new secret is shown once. */
  const value = (name: string) => {
    const text = settings.get(name)
    return text !== undefined && text !== inForce.get(name)
      ? text
      : `as before, in ${settings.get(`${name}_FILE`) ?? envFile}`
  }
  const hook = settings.get('PAY_WEBHOOK_URL')
  return titled('For the shop:', [
    `address         ${settings.get('PAY_PUBLIC_URL')}`,
    // On lines of their own: they are copied.
    `API token\n  ${value('PAY_API_TOKEN')}`,
    `webhook secret\n  ${value('PAY_WEBHOOK_SECRET')}`,
    hook === undefined ? 'no webhooks are sent until PAY_WEBHOOK_URL is set' : `webhooks go to  ${hook}`,
  ])
}

const manualLine = (places: Places, machineWide: boolean): string =>
  machineWide
    ? `install -d -m 0700 /run/grinpay && systemd-ask-password > ${passwordFiles(places).manual}   # after every boot`
    : '(PAY_WALLET_PASSWORD_FILE must name the password at every start)'
