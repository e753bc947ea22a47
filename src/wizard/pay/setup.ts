// `setup pay`.
import { isPrivateHost, isTorHost } from '../../lib/private-host.js'
import { type Places, tillPlaces } from '../../system/index.js'
import { completeAnswers } from '../answers.js'
import { checkNodes, checkRelays } from '../checks.js'
import { alreadySetUp } from '../errors.js'
import { proxyHere } from '../last-screen.js'
import { isFree, type Look, resolves } from '../reachability.js'
import { type Prepared, requireLoadable, runSetup } from '../run-setup.js'
import { hasSocketBeside } from '../services/index.js'
import type { Plan } from '../steps.js'
import { finalText } from './final-text.js'
import { newTokens } from './material.js'
import { planSetup } from './plan.js'
import { type Answers, QUESTIONS } from './questions.js'
import type { SetupRequest } from './request.js'
import { sealIdentity, sealWallet } from './sealing.js'
import { gatherSecrets, type Secrets, type TillContext } from './secrets.js'
import type { PlanParts } from './settings.js'
import { type Survey, survey } from './survey.js'
import { wordsText } from './terminal.js'
import type { ChainName, WalletPlaces } from './wallet.js'

/** Throws the wizard's errors, CONFIGURATION, and what opening a wallet throws. */
export async function setupPay(request: SetupRequest): Promise<void> {
  const { prefix, terminal, reconfigure } = request
  const places = tillPlaces(prefix)
  const found = survey(places)
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
  const { terminal, given, prefix, random, tell } = request
  const said = (await terminal?.answers(given, found.present)) ?? given
  const answers = completeAnswers(QUESTIONS, said, found.present)
  const context = { request, places, found, answers, wallet: walletPlaces(places, answers) }
  const secrets = await gatherSecrets(context)
  const plan = planSetup(await planParts(context, secrets))
  requireLoadable('pay', plan)
  const words = secrets.seed?.isNew === true && answers.words_out === undefined ? secrets.seed.words : undefined
  return {
    plan,
    look: () => checkTillWorld(answers, found.present.bind),
    beforeApply: words && terminal ? () => terminal.showWords(words, random) : undefined,
    afterApply: words && !terminal ? () => tell(wordsText(words)) : undefined,
    finalText: ({ settings, needs }) =>
      finalText({
        places,
        machineWide: prefix === undefined,
        settings,
        keeping: secrets.keeping,
        needs,
        proxy: proxyHere(),
        isChange: found.hasEnvFile,
        fresh: new Set([...settings].filter(([name, text]) => found.inForce.get(name) !== text).map(([name]) => name)),
      }),
  }
}

async function planParts(
  { request, places, found, answers, wallet }: TillContext,
  { password, seed, keeping, kept }: Secrets,
): Promise<PlanParts> {
  const { random, program, rotateTokens, prefix } = request
  const hasOwnKey = ['PAY_NSEC', 'PAY_NCRYPTSEC'].some(
    (name) => found.inForce.has(name) || found.inForce.has(`${name}_FILE`),
  )
  const wantsIdentity = password !== undefined && !found.hasIdentity && !hasOwnKey
  const words = seed?.isNew === true && answers.words_out !== undefined ? seed.words : undefined
  return {
    places,
    machineWide: prefix === undefined,
    survey: found,
    answers,
    tokens: newTokens(random),
    rotateTokens,
    keeping,
    sealed: {
      seed:
        seed && password
          ? await sealWallet({ entropy: seed.entropy, password, chain: wallet.chain, random, cost: request.sealCost })
          : undefined,
      identity: wantsIdentity ? (await sealIdentity(password, random)).text : undefined,
      password: kept,
    },
    program,
    hasSocket: hasSocketBeside(places.unitFile),
    wordsFile: words && answers.words_out !== undefined ? { path: answers.words_out, words } : undefined,
  }
}

const CHAINS: readonly ChainName[] = ['mainnet', 'testnet', 'usernet']

const walletPlaces = ({ dataDir, dbPath }: Places, answers: Answers): WalletPlaces => ({
  dataDir,
  dbPath,
  chain: CHAINS.find((chain) => chain === answers.chain) ?? 'mainnet',
})

/** `ownBind`: where the present till listens, which is no obstacle. */
async function checkTillWorld(answers: Answers, ownBind: string | undefined): Promise<readonly Look[]> {
  const { node_url = '', relays = '', bind = '', public_url: url = '' } = answers
  const { hostname } = new URL(url)
  const [host, port, nodes, greeted] = await Promise.all([
    isPrivateHost(hostname) || isTorHost(hostname) ? [] : resolves('host', hostname).then((look) => [look]),
    bind === ownBind ? [] : isFree(bind),
    checkNodes(listed(node_url)),
    checkRelays(listed(relays)),
  ])
  return [
    ...host,
    ...port,
    ...nodes.map(({ url: node, height, detail }) => ({ ok: height !== undefined, text: `node ${node}: ${detail}` })),
    ...greeted.map(({ url: relay, ok, detail }) => ({ ok, text: `relay ${relay}: ${detail}` })),
  ]
}

const listed = (text: string): readonly string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
