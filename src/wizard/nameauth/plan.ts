// The plan of a name authority: from answers and what is there to a list of steps. Pure.
import { dirname } from 'node:path'
import { aliasesOf, settingGroups } from '../../config/index.js'
import type { Places } from '../../system/index.js'
import { settingsAfter } from '../answers.js'
import { renderEnvFile } from '../env-file.js'
import type { Texts } from '../question.js'
import { credentialsOf, type UnitParts, unitSteps, userNeeds } from '../services/index.js'
import type { Program } from '../services/program.js'
import {
  changesBetween,
  directory,
  type Plan,
  PRIVATE_DIR,
  PRIVATE_FILE,
  PUBLIC_DIR,
  replace,
  type Step,
} from '../steps.js'
import type { SetupTarget } from '../survey.js'
import { isPaid, NAMEAUTH_QUESTIONS, type NameauthAnswers } from './questions.js'
import { isPlaceholder, type SaidSecrets, SECRETS, secretFile, secretWrites } from './secrets.js'
import type { NameauthSurvey } from './survey.js'

/** Secrets that only root can read come as credentials. */
export const namesUnit = ({ envFile }: Places, program: Program, settings: Texts, hasSocket = false): UnitParts => ({
  daemon: 'nameauth',
  program,
  settingsFile: envFile,
  folders: [dirname(settings.get('NAMEAUTH_NAMES_DB') ?? '')],
  credentials: credentialsOf('nameauth', (name) => settings.get(`${name}_FILE`)),
  hasSocket,
})

interface NameauthPlanParts {
  readonly target: SetupTarget
  readonly survey: NameauthSurvey
  readonly answers: NameauthAnswers
  /** Secrets that are newly said. */
  readonly secrets: SaidSecrets
  /** Undefined: no unit, as at a first start by hand. */
  readonly program: Program | undefined
  /** systemd holds the port. */
  readonly hasSocket: boolean
}

/** What the originals call it: our own name takes its place. */
const oldNames = (name: string): readonly string[] =>
  settingGroups('nameauth').flatMap(({ settings }) => settings.filter((each) => each.name === name).flatMap(aliasesOf))

/** Steps in the order in which they are carried out: secrets before what names them. */
export function planNameauth(parts: NameauthPlanParts): Plan {
  const { target, survey, answers, secrets, program, hasSocket } = parts
  const { places, isService, machineWide } = target
  const named = secretWrites({ places, answers, kept: survey.kept, secrets })
  const settings = settingsAfter(NAMEAUTH_QUESTIONS, answers, survey.inForce, { oldNames, secretWrites: named })
  const unit = program && isService ? namesUnit(places, program, settings, hasSocket) : undefined
  return {
    steps: [
      ...folderSteps(parts),
      ...secretSteps(parts),
      envFileStep(parts, settings),
      ...(unit ? unitSteps(places.unitFile, unit) : []),
    ],
    untouched: SECRETS.flatMap(([key, { what }]) =>
      survey.kept.has(key) && isPaid(answers) && !secrets.has(key) ? [what] : [],
    ),
    needs: [...tokenNeeds(parts, settings), ...(unit && machineWide ? userNeeds(unit) : [])],
    changes: changesBetween(survey.inForce, settings),
    settings,
  }
}

function secretSteps({ target: { places }, secrets }: NameauthPlanParts): readonly Step[] {
  if (secrets.size === 0) return []
  const rows = new Map(SECRETS)
  const steps = [...secrets].flatMap(([key, secret]) => {
    const row = rows.get(key)
    const about = isPlaceholder(secret) ? `a place for ${row?.what}` : `${row?.what}`
    return row ? [replace(secretFile(places, row), PRIVATE_FILE, about, `${secret.reveal()}\n`)] : []
  })
  return [directory(places.secretsDir, PRIVATE_DIR), ...steps]
}

/** The folder of the settings first: the others may lie in it. */
const folderSteps = ({ target: { places }, survey, answers }: NameauthPlanParts): readonly Step[] => [
  ...(survey.hasFolder ? [] : [directory(dirname(places.envFile), PUBLIC_DIR)]),
  directory(answers.data_dir ?? places.dataDir, PRIVATE_DIR),
]

function envFileStep({ target: { places }, survey }: NameauthPlanParts, settings: Texts): Step {
  const about = survey.hasFile ? 'the settings (your own lines stay, your own remarks do not)' : 'the settings'
  return replace(places.envFile, PRIVATE_FILE, about, renderEnvFile(settings, 'nameauth'))
}

function tokenNeeds({ survey, answers, secrets }: NameauthPlanParts, settings: Texts): readonly string[] {
  const token = secrets.get('pay_token_file')
  if (!isPaid(answers) || survey.kept.has('pay_token_file') || (token && !isPlaceholder(token))) return []
  return [
    `the API token of the till in ${settings.get('NAMEAUTH_PAY_TOKEN_FILE')}, mode 0600: until then nothing can be bought; restart it after that`,
  ]
}
