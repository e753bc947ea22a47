// The plan of a till: from answers and what is there to a list of steps. Pure.
import { dirname } from 'node:path'
import { dataFiles } from '../../system/index.js'
import { changesBetween } from '../changes.js'
import { renderEnvFile } from '../env-file.js'
import { targetStep } from '../services/index.js'
import {
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
import { type PlanParts, settingsOf, takesGrin1 } from './settings.js'
import { passwordFiles, renderDropIn, renderUnit, TOR_GROUP } from './unit.js'

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
    changes: changesBetween(parts.survey.inForce, settings),
    settings,
  }
}

const SEALED_FILE = 0o400
const SETTINGS_FILE = 0o640

function walletSteps({ places, machineWide, survey, sealed, wordsFile }: PlanParts): readonly Step[] {
  const files = dataFiles(places.dataDir)
  // First, or the folder of the secrets would close the one it lies in to the other daemons of the machine.
  const shared = machineWide ? [directory(dirname(places.envFile), PUBLIC_DIR)] : []
  const steps: Step[] = [...shared, directory(places.dataDir, PRIVATE_DIR), directory(places.secretsDir, PRIVATE_DIR)]
  if (!survey.hasWallet && sealed.seed !== undefined) {
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
  if (!survey.hasIdentity && sealed.identity !== undefined) {
    steps.push(directory(dirname(files.identity), PRIVATE_DIR))
    steps.push(
      create(files.identity, PRIVATE_FILE, "the till's Nostr key, sealed with the wallet password", sealed.identity),
    )
  }
  if (wordsFile)
    steps.push(
      create(
        wordsFile.path,
        PRIVATE_FILE,
        'the new seed words: move them off this machine',
        `${wordsFile.words.reveal()}\n`,
      ),
    )
  return steps
}

/** Exactly one way of keeping the password remains. */
function passwordSteps({ places, survey, keeping, sealed }: PlanParts): readonly Step[] {
  const files = passwordFiles(places)
  const about = {
    credential: 'the wallet password, sealed by systemd',
    file: 'the wallet password, readable by its owner only',
  }
  const leftovers = (['credential', 'file'] as const).filter((way) => way !== keeping && survey.keeping === way)
  return [
    ...(keeping !== 'manual' && sealed.password
      ? [replace(files[keeping], SEALED_FILE, about[keeping], sealed.password.reveal())]
      : []),
    ...leftovers.map((way): Step => ({ kind: 'remove', path: files[way], about: 'the password kept the old way' })),
  ]
}

function fileSteps(
  { places, program, keeping, answers, machineWide, hasSocket }: PlanParts,
  settings: ReadonlyMap<string, string>,
): readonly Step[] {
  return [
    ...(machineWide ? [] : [directory(dirname(places.envFile), PUBLIC_DIR)]),
    replace(places.envFile, SETTINGS_FILE, 'the settings', renderEnvFile(settings, 'pay')),
    directory(places.dropInDir, PUBLIC_DIR),
    replace(
      places.unitFile,
      PUBLIC_FILE,
      'the systemd unit',
      renderUnit(places, program, takesGrin1(answers), settings, hasSocket),
    ),
    targetStep(places.unitFile, program),
    replace(
      passwordFiles(places).dropIn,
      PUBLIC_FILE,
      'how the password reaches the till',
      renderDropIn(places, keeping),
    ),
  ]
}

function untouchedOf({ places, survey, rotateTokens, sealed, keeping }: PlanParts): readonly string[] {
  const files = dataFiles(places.dataDir)
  const hasTokens = survey.inForce.has('PAY_API_TOKEN') || survey.inForce.has('PAY_API_TOKEN_FILE')
  return [
    ...(survey.hasWallet ? [`${files.seed} (seed and wallet password)`] : []),
    ...(survey.hasIdentity ? [`${files.identity} (Nostr key)`] : []),
    ...(survey.keeping === keeping && !sealed.password ? ['the way the wallet password is kept'] : []),
    ...(hasTokens && !rotateTokens ? ['API token, admin token and webhook secret'] : []),
  ]
}
