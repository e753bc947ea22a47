// The plan of a till: from answers and what is there to a list of steps. Pure.
import { dirname } from 'node:path'
import { dataFiles } from '../../system/index.js'
import { setOrUnset, settingsAfter } from '../answers.js'
import { renderEnvFile } from '../env-file.js'
import type { Texts } from '../question.js'
import { unitSteps } from '../services/index.js'
import {
  changesBetween,
  create,
  directory,
  type Plan,
  PRIVATE_DIR,
  PRIVATE_FILE,
  PUBLIC_DIR,
  PUBLIC_FILE,
  replace,
  type Step,
} from '../steps.js'
import type { Tokens } from './material.js'
import { PAY_QUESTIONS, takesGrin1 } from './questions.js'
import type { Secrets } from './secrets.js'
import type { TillContext } from './survey.js'
import { passwordFiles, renderDropIn, TOR_GROUP, tillUnit } from './unit.js'

/** What a plan is made from. */
interface PlanParts extends Pick<TillContext, 'places' | 'machineWide' | 'found' | 'answers'> {
  readonly request: Pick<TillContext['request'], 'program' | 'rotateTokens'>
  readonly secrets: Pick<Secrets, 'keeping' | 'kept' | 'newWords'>
  /** Texts that were sealed before planning: they cannot be made without the password. */
  readonly sealed: { readonly seed?: string | undefined; readonly identity?: string | undefined }
  readonly tokens: Tokens
  /** systemd holds the port. */
  readonly hasSocket: boolean
}

/** Machine-wide the unit is in the group already; elsewhere the user has to be. */
const torNeeds = (machineWide: boolean): readonly string[] => [
  'tor on this machine: apt install tor',
  "tor's control port: Debian's tor has it at /run/tor/control; elsewhere ControlPort 9051 and CookieAuthentication 1 in torrc, and PAY_TOR_CONTROL=127.0.0.1:9051",
  machineWide
    ? `the group ${TOR_GROUP}, which owns the control port: it comes with tor, so install tor before the till starts`
    : `the group ${TOR_GROUP}, which owns the control port: adduser "$USER" ${TOR_GROUP} as root, then log in anew`,
]

/** Steps in the order in which they are carried out: the wallet first, then the password, then what names both. */
export function planSetup(parts: PlanParts): Plan {
  const settings = settingsOf(parts)
  return {
    steps: [...walletSteps(parts), ...passwordSteps(parts), ...fileSteps(parts, settings)],
    untouched: untouchedOf(parts),
    needs: takesGrin1(parts.answers) ? torNeeds(parts.machineWide) : [],
    changes: changesBetween(parts.found.inForce, settings),
    settings,
  }
}

/** The env file: what is there, overlaid with the answers and with what no answer says. */
function settingsOf({ places, found, answers, tokens, request, secrets, machineWide }: PlanParts): Texts {
  const settings = settingsAfter(PAY_QUESTIONS, answers, found.inForce)
  const keep = (name: string, value: string) => settings.set(name, settings.get(name) ?? value)
  keep('PAY_MATCH_MODE', 'derived')
  const fresh = (name: string, token: string) => {
    if (request.rotateTokens) settings.delete(`${name}_FILE`)
    if (request.rotateTokens || !(settings.has(name) || settings.has(`${name}_FILE`))) settings.set(name, token)
  }
  fresh('PAY_API_TOKEN', tokens.api)
  fresh('PAY_ADMIN_TOKEN', tokens.admin)
  fresh('PAY_WEBHOOK_SECRET', tokens.webhook)
  keep('PAY_DATA_DIR', places.dataDir)
  keep('PAY_DB_PATH', places.dbPath)
  const namesFile = !machineWide && secrets.keeping === 'file'
  setOrUnset(settings, 'PAY_WALLET_PASSWORD_FILE', namesFile ? passwordFiles(places).file : undefined)
  return settings
}

const SEALED_FILE = 0o400
const SETTINGS_FILE = 0o640

function walletSteps({ places, machineWide, found, sealed, answers, secrets }: PlanParts): readonly Step[] {
  const files = dataFiles(places.dataDir)
  // First, or the folder of the secrets would close the one it lies in to the other daemons of the machine.
  const shared = machineWide ? [directory(dirname(places.envFile), PUBLIC_DIR)] : []
  const steps: Step[] = [...shared, directory(places.dataDir, PRIVATE_DIR), directory(places.secretsDir, PRIVATE_DIR)]
  if (!found.hasWallet && sealed.seed !== undefined) {
    steps.push(directory(dirname(files.seed), PRIVATE_DIR))
    steps.push(
      replace(
        files.noDatabaseYet,
        PRIVATE_FILE,
        'the mark of a wallet without a database; the first start removes it',
        '',
      ),
    )
    steps.push(create(files.seed, PRIVATE_FILE, 'the seed, sealed with the wallet password', sealed.seed))
  }
  if (!found.hasIdentity && sealed.identity !== undefined) {
    steps.push(directory(dirname(files.identity), PRIVATE_DIR))
    steps.push(
      create(files.identity, PRIVATE_FILE, "the till's Nostr key, sealed with the wallet password", sealed.identity),
    )
  }
  if (secrets.newWords && answers.words_out !== undefined) {
    const about = 'the new seed words: move them off this machine'
    steps.push(create(answers.words_out, PRIVATE_FILE, about, `${secrets.newWords.reveal()}\n`))
  }
  return steps
}

/** Exactly one way of keeping the password remains. */
function passwordSteps({ places, found, secrets: { keeping, kept } }: PlanParts): readonly Step[] {
  const files = passwordFiles(places)
  const about = {
    credential: 'the wallet password, sealed by systemd',
    file: 'the wallet password, readable by its owner only',
  }
  const leftovers = (['credential', 'file'] as const).filter((way) => way !== keeping && found.keeping === way)
  return [
    ...(keeping !== 'manual' && kept ? [replace(files[keeping], SEALED_FILE, about[keeping], kept.reveal())] : []),
    ...leftovers.map((way): Step => ({ kind: 'remove', path: files[way], about: 'the password kept the old way' })),
  ]
}

function fileSteps(
  { places, request, secrets, answers, machineWide, hasSocket }: PlanParts,
  settings: Texts,
): readonly Step[] {
  const unit = tillUnit(places, request.program, takesGrin1(answers), settings, hasSocket)
  return [
    ...(machineWide ? [] : [directory(dirname(places.envFile), PUBLIC_DIR)]),
    replace(places.envFile, SETTINGS_FILE, 'the settings', renderEnvFile(settings, 'pay')),
    ...unitSteps(places.unitFile, unit, places.dropInDir),
    replace(
      passwordFiles(places).dropIn,
      PUBLIC_FILE,
      'how the password reaches the till',
      renderDropIn(places, secrets.keeping),
    ),
  ]
}

function untouchedOf({ places, found, request, secrets: { keeping, kept } }: PlanParts): readonly string[] {
  const files = dataFiles(places.dataDir)
  const hasTokens = found.inForce.has('PAY_API_TOKEN') || found.inForce.has('PAY_API_TOKEN_FILE')
  return [
    ...(found.hasWallet ? [`${files.seed} (seed and wallet password)`] : []),
    ...(found.hasIdentity ? [`${files.identity} (Nostr key)`] : []),
    ...(found.keeping === keeping && !kept ? ['the way the wallet password is kept'] : []),
    ...(hasTokens && !request.rotateTokens ? ['API token, admin token and webhook secret'] : []),
  ]
}
