// The plan of a name authority: from answers and what is there to a list of steps. Pure.
import { dirname } from 'node:path'
import { settingGroups } from '../../config/index.js'
import type { Secret } from '../../lib/secret.js'
import type { Places } from '../../system/index.js'
import { changesBetween } from '../changes.js'
import { renderEnvFile } from '../env-file.js'
import { credentialsOf, homeOfUnit, renderService, targetStep, userCommand } from '../services/index.js'
import type { Program } from '../services/program.js'
import {
  directory,
  type Plan,
  PRIVATE_DIR,
  PRIVATE_FILE,
  PUBLIC_DIR,
  PUBLIC_FILE,
  replace,
  type Step,
} from '../steps.js'
import type { NameauthTarget } from './places.js'
import { isPaid, type NameauthAnswers } from './questions.js'
import { isPlaceholder, type SecretKey, secretFiles } from './secrets.js'
import { nameauthSettings } from './settings.js'
import type { NameauthSurvey } from './survey.js'

// The systemd unit of the name authority, and how its secrets reach it.
type Settings = ReadonlyMap<string, string>

const foldersOf = (settings: Settings): readonly string[] => [dirname(settings.get('NAMEAUTH_NAMES_DB') ?? '')]

/** How to make the user that a database outside of /var/lib belongs to; undefined when systemd makes one at each start. */
export const ownUser = (settings: Settings): string | undefined =>
  userCommand(homeOfUnit({ daemon: 'nameauth', folders: foldersOf(settings) }))

/** The unit for these places and settings; its Documentation line points below `root`. */
export const renderNameauthUnit = (
  { envFile }: Places,
  program: Program,
  settings: Settings,
  hasSocket = false,
): string =>
  renderService({
    daemon: 'nameauth',
    program,
    settingsFile: envFile,
    folders: foldersOf(settings),
    credentials: credentialsOf(settingGroups('nameauth'), (name) => settings.get(`${name}_FILE`)),
    hasSocket,
  })

export interface NameauthPlanParts {
  readonly target: NameauthTarget
  readonly survey: NameauthSurvey
  readonly answers: NameauthAnswers
  /** Secrets that are newly said. */
  readonly secrets: ReadonlyMap<SecretKey, Secret>
  /** Undefined: no unit, as at a first start by hand. */
  readonly program: Program | undefined
  /** systemd holds the port. */
  readonly hasSocket?: boolean
}

/** Steps in the order in which they are carried out: secrets before what names them. */
export function planNameauth(parts: NameauthPlanParts): Plan {
  const { target, survey, answers, secrets } = parts
  const said = new Set(secrets.keys())
  const settings = nameauthSettings({ places: target.places, survey, answers, said })
  return {
    steps: [...folderSteps(parts), ...secretSteps(parts), envFileStep(parts, settings), ...unitSteps(parts, settings)],
    untouched: untouchedOf(parts),
    needs: needsOf(parts, settings),
    changes: changesBetween(survey.inForce, settings),
    settings,
  }
}

const ABOUT: Readonly<Record<SecretKey, string>> = {
  pay_token_file: 'the API token of the till',
  pay_webhook_secret_file: 'the webhook secret of the till',
}

function secretSteps({ target: { places }, secrets }: NameauthPlanParts): readonly Step[] {
  if (secrets.size === 0) return []
  const files = secretFiles(places)
  const steps = [...secrets].map(([key, secret]) =>
    replace(
      files[key],
      PRIVATE_FILE,
      isPlaceholder(secret) ? `a place for ${ABOUT[key]}` : ABOUT[key],
      `${secret.reveal()}\n`,
    ),
  )
  return [directory(places.secretsDir, PRIVATE_DIR), ...steps]
}

/** The folder of the settings first: the others may lie in it. */
const folderSteps = ({ target: { places }, survey, answers }: NameauthPlanParts): readonly Step[] => [
  ...(survey.hasFolder ? [] : [directory(dirname(places.envFile), PUBLIC_DIR)]),
  directory(answers.data_dir ?? places.dataDir, PRIVATE_DIR),
]

function envFileStep({ target: { places }, survey }: NameauthPlanParts, settings: ReadonlyMap<string, string>): Step {
  const about = survey.hasEnvFile ? 'the settings (your own lines stay, your own remarks do not)' : 'the settings'
  return replace(places.envFile, PRIVATE_FILE, about, renderEnvFile(settings, 'nameauth'))
}

function unitSteps(
  { target: { places, hasUnit }, program, hasSocket }: NameauthPlanParts,
  settings: ReadonlyMap<string, string>,
): readonly Step[] {
  if (!hasUnit || program === undefined) return []
  return [
    directory(dirname(places.unitFile), PUBLIC_DIR),
    replace(places.unitFile, PUBLIC_FILE, 'the systemd unit', renderNameauthUnit(places, program, settings, hasSocket)),
    targetStep(places.unitFile, program),
  ]
}

const untouchedOf = ({ survey, secrets, answers }: NameauthPlanParts): readonly string[] =>
  [...survey.kept].filter((key) => isPaid(answers) && !secrets.has(key)).map((key) => ABOUT[key])

function needsOf(
  { target, survey, answers, secrets, program }: NameauthPlanParts,
  settings: ReadonlyMap<string, string>,
): readonly string[] {
  const token = secrets.get('pay_token_file')
  const lacksToken =
    isPaid(answers) && !survey.kept.has('pay_token_file') && (token === undefined || isPlaceholder(token))
  const user = target.machineWide && program !== undefined ? ownUser(settings) : undefined
  return [
    ...(lacksToken
      ? [
          `the API token of the till in ${settings.get('NAMEAUTH_PAY_TOKEN_FILE')}, mode 0600: until then nothing can be bought; restart it after that`,
        ]
      : []),
    ...(user === undefined ? [] : [`a user for the unit, once:\n${user}`]),
  ]
}
