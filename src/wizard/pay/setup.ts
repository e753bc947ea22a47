// `setup pay`: ask, show the plan, apply. Everything before apply only reads.
import { dirname } from 'node:path'
import { loadPayConfig, openEnvironment } from '../../config/index.js'
import type { Cost } from '../../grin/seedfile/index.js'
import { isPrivateHost, isTorHost } from '../../lib/private-host.js'
import { wrapText } from '../../lib/wrap-text.js'
import { type Random, type TillPlaces, tillPlaces } from '../../system/index.js'
import { alreadyText } from '../already-text.js'
import { completeAnswers } from '../answers.js'
import { applyPlan } from '../apply.js'
import { checkNodes, checkRelays } from '../checks.js'
import { renderEnvFile } from '../env-file.js'
import { alreadySetUp, nothingToReconfigure, setupDeclined } from '../errors.js'
import { planText } from '../plan-text.js'
import { plannedSecret } from '../planned-secret.js'
import { proxyHere } from '../proxy-here.js'
import { isFree, resolves } from '../reachability.js'
import { hasSocketBeside, keepingHandChanges } from '../services/index.js'
import type { Plan } from '../steps.js'
import { finalText } from './final-text.js'
import { newTokens } from './material.js'
import { type PlanParts, planSetup } from './plan.js'
import { type Answers, QUESTIONS } from './questions.js'
import { sealIdentity, sealWallet } from './sealing.js'
import { gatherSecrets, type Secrets, type Situation } from './secrets.js'
import { type Survey, survey } from './survey.js'
import { type Terminal, wordsText } from './terminal.js'
import { HIDDEN_PROGRAM, isHidden, type Program } from './unit.js'
import type { ChainName, WalletPlaces } from './wallet.js'

export interface SetupRequest {
  /** What was said beforehand: flags over the answers file. */
  readonly given: Answers
  /** Undefined: the machine's own places. */
  readonly prefix: string | undefined
  readonly dryRun: boolean
  readonly reconfigure: boolean
  readonly rotateTokens: boolean
  readonly skipChecks: boolean
  readonly program: Program
  readonly random: Random
  /** How much a guess at the wallet password costs; the default unless told. */
  readonly sealCost?: Cost
  /** Whom to ask; undefined when nobody sits there or --yes was given. */
  readonly terminal: Terminal | undefined
  /** Whether new words may be printed: stdout is a terminal. */
  readonly canShowWords: boolean
  /** Only the path of the settings is printed at the end; no secret is. */
  readonly isQuiet?: boolean
  /** Columns of the terminal, if any. */
  readonly width?: number | undefined
  /** Talk. */
  readonly say: (text: string) => void
  /** The answer. */
  readonly tell: (text: string) => void
}

/** Throws the wizard's errors, CONFIGURATION, and what opening a wallet throws. */
export async function setupPay(request: SetupRequest): Promise<void> {
  const { prefix, terminal, dryRun, say } = request
  const places = tillPlaces(prefix)
  const found = survey(places)
  if (found.hasEnvFile && !request.reconfigure)
    return request.tell(alreadyText('pay', 'a till', places.envFile, prefix))
  guard(found, places, request.reconfigure)
  const said = (await terminal?.answers(request.given, found.present)) ?? request.given
  const answers = completeAnswers(QUESTIONS, said, found.present)
  const situation = { request, places, found, answers, wallet: walletPlaces(places, answers) }
  const secrets = await gatherSecrets(situation)
  const planned = planSetup(await planParts(situation, secrets))
  const plan = keepingHandChanges(planned, {
    daemon: 'pay',
    settingsFile: places.envFile,
    unitDir: dirname(places.unitFile),
  })
  checkSettings(plan)
  if (!request.skipChecks)
    await reportWorld(answers, found.present.bind, (text) => say(wrapText(text, request.width, '  ')))
  say(planText(plan, { width: request.width }))
  if (prefix === undefined && isHidden(request.program)) say(HIDDEN_PROGRAM)
  if (dryRun) return say('dry run: nothing was changed')
  if (terminal && !(await terminal.goOn('Go ahead?'))) throw setupDeclined()
  const { seed } = secrets
  const isShown = seed?.isNew === true && answers.words_out === undefined
  if (isShown && terminal) await terminal.showWords(seed.words, request.random)
  await applyPlan(plan)
  if (isShown && !terminal) request.tell(wordsText(seed.words))
  say('')
  if (request.isQuiet) return request.tell(places.envFile)
  request.tell(
    finalText({
      places,
      machineWide: prefix === undefined,
      settings: plan.settings,
      keeping: secrets.keeping,
      needs: plan.needs,
      proxy: proxyHere(),
      isChange: found.hasEnvFile,
      fresh: new Set(
        [...plan.settings].filter(([name, text]) => found.inForce.get(name) !== text).map(([name]) => name),
      ),
    }),
  )
}

function guard(found: Survey, places: TillPlaces, reconfigure: boolean): void {
  if (reconfigure && !found.hasEnvFile && !found.hasWallet) throw nothingToReconfigure(places.envFile)
  if (reconfigure) return
  if (found.hasWallet) throw alreadySetUp(`a wallet in ${places.dataDir}`)
}

async function planParts(
  { request, places, found, answers, wallet }: Situation,
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

const walletPlaces = ({ dataDir, dbPath }: TillPlaces, answers: Answers): WalletPlaces => ({
  dataDir,
  dbPath,
  chain: CHAINS.find((chain) => chain === answers.chain) ?? 'mainnet',
})

/** The daemon must be able to start from what we are about to write. Throws CONFIGURATION. */
function checkSettings({ settings }: Plan): void {
  const text = renderEnvFile(settings, 'pay')
  const readFile = (path: string): string => (path === 'planned' ? text : plannedSecret(path))
  loadPayConfig(openEnvironment({ envFile: 'planned', variables: {}, readFile }))
}

/** `ownBind`: where the present till listens, which is no obstacle. */
async function reportWorld(answers: Answers, ownBind: string | undefined, say: (text: string) => void): Promise<void> {
  const { node_url = '', relays = '', bind = '', public_url: url = '' } = answers
  const { hostname } = new URL(url)
  const [nodes, greeted, port, host] = await Promise.all([
    checkNodes(listed(node_url)),
    checkRelays(listed(relays)),
    bind === ownBind ? [] : isFree(bind),
    isPrivateHost(hostname) || isTorHost(hostname) ? [] : resolves('host', hostname).then((look) => [look]),
  ])
  for (const { ok, text } of [...host, ...port]) say(`${ok ? '' : 'warning: '}${text}`)
  for (const { url, height, detail } of nodes) say(`${height === undefined ? 'warning: ' : ''}node ${url}: ${detail}`)
  for (const { url, ok, detail } of greeted) say(`${ok ? '' : 'warning: '}relay ${url}: ${detail}`)
}

const listed = (text: string): readonly string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
