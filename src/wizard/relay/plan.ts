// The plan of a relay: from answers and what is there to a list of steps. Pure.
import { dirname } from 'node:path'
import { loadRelayConfig, openEnvironment, type RelayConfig, settingGroups } from '../../config/index.js'
import { changesBetween } from '../changes.js'
import { type Credential, homeOfUnit, renderService, targetStep, userCommand } from '../services/index.js'
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
import type { RelayTarget } from './places.js'
import { type PlannedProxy, plannedProxy } from './proxy-file.js'
import type { RelayAnswers } from './questions.js'
import { type PlannedRelay, plannedRelay } from './settings.js'
import type { RelaySurvey } from './survey.js'
import { renderRelayToml } from './toml.js'

// The systemd unit of the relay.
interface RelayUnitParts {
  readonly configFile: string
  /** Files that only root can read: systemd hands them over under these names. */
  readonly credentials?: readonly (Pick<Credential, 'name' | 'path'> & Partial<Credential>)[]
  /** Of the database; the usual one when undefined. */
  readonly folder?: string
  /** systemd holds the port. */
  readonly hasSocket?: boolean
}

/** Its Documentation line points below `root`. */
export const renderRelayUnit = (
  { configFile, credentials = [], folder = '/var/lib/grinpay-relay', hasSocket = false }: RelayUnitParts,
  program: Program,
): string =>
  renderService({
    daemon: 'relay',
    program,
    settingsFile: configFile,
    folders: [folder],
    credentials: credentials.map((given) => ({ isSealed: given.path.endsWith('.cred'), ...given })),
    hasSocket,
  })

export interface RelayPlanParts {
  readonly target: RelayTarget
  readonly survey: RelaySurvey
  readonly answers: RelayAnswers
  /** Undefined: neither unit nor proxy, as at a first start by hand. */
  readonly program: Program | undefined
  /** systemd holds the port. */
  readonly hasSocket?: boolean
}

export interface RelayPlan extends Plan {
  readonly proxy: PlannedProxy | undefined
}

/** Steps in the order in which they are carried out: secrets before what names them. Throws CONFIGURATION, NOT_FOR_PROXY. */
export function planRelay(parts: RelayPlanParts): RelayPlan {
  const { target, survey, answers, program } = parts
  const planned = plannedRelay(survey, answers, target.places.secretsDir)
  const text = renderRelayToml(planned.values)
  const config = checkedConfig(target, text)
  const isService = target.isService && program !== undefined
  const proxy = isService ? plannedProxy(target.places, answers, config) : undefined
  return {
    steps: [
      ...folderSteps(parts, config),
      ...secretSteps(target, planned),
      replace(target.places.envFile, PUBLIC_FILE, aboutSettings(survey), text),
      ...(isService ? [...unitSteps(parts, planned, config, program), ...proxySteps(proxy)] : []),
    ],
    untouched: [...planned.values.keys()].filter((key) => key.endsWith('_file') && survey.inForce.has(key)),
    needs: isService && target.machineWide ? needsOf(survey, target, config) : [],
    changes: changesBetween(survey.inForce, planned.values),
    settings: planned.values,
    proxy,
  }
}

/** The daemon must be able to start from what we are about to write; files of secrets are there by then. */
function checkedConfig({ places }: RelayTarget, text: string): RelayConfig {
  const environment = openEnvironment({ variables: {}, readFile: () => 'present after setup' })
  return loadRelayConfig({ environment, file: { path: places.envFile, text } }, { dataDir: places.dataDir })
}

const aboutSettings = ({ hasFile }: RelaySurvey): string =>
  hasFile ? 'the settings (your own values stay, your own remarks do not)' : 'the settings'

/** The folder of the settings first: the others may lie in it, and the relay's user must pass through it. */
const folderSteps = ({ target: { places }, survey }: RelayPlanParts, { dataDir }: RelayConfig): readonly Step[] => [
  ...(survey.hasFolder ? [] : [directory(dirname(places.envFile), PUBLIC_DIR)]),
  directory(dataDir, PRIVATE_DIR),
]

function secretSteps({ places }: RelayTarget, { moved }: PlannedRelay): readonly Step[] {
  if (moved.length === 0) return []
  const files = moved.map(({ key, path, secret }) =>
    replace(path, PRIVATE_FILE, `${key}, out of the settings`, `${secret.reveal()}\n`),
  )
  return [directory(places.secretsDir, PRIVATE_DIR), ...files]
}

function unitSteps(
  { target: { places }, hasSocket = false }: RelayPlanParts,
  { values }: PlannedRelay,
  { dataDir }: RelayConfig,
  program: Program,
): readonly Step[] {
  const secrets = settingGroups('relay').flatMap(({ settings }) => settings.filter(({ secret }) => secret))
  const credentials = secrets.flatMap(({ name, key }) => {
    const path = values.get(`${key}_file`)
    return path === undefined ? [] : [{ name: name.toLowerCase(), path }]
  })
  const unit = renderRelayUnit({ configFile: places.envFile, credentials, folder: dataDir, hasSocket }, program)
  return [
    directory(dirname(places.unitFile), PUBLIC_DIR),
    replace(places.unitFile, PUBLIC_FILE, 'the systemd unit', unit),
    targetStep(places.unitFile, program),
  ]
}

const proxySteps = (proxy: PlannedProxy | undefined): readonly Step[] =>
  proxy === undefined ? [] : [replace(proxy.path, PUBLIC_FILE, `the site for ${proxy.program}`, proxy.text)]

/** Commands only root can answer for. */
function needsOf(
  { isFolderClosed }: RelaySurvey,
  { places }: RelayTarget,
  { dataDir }: RelayConfig,
): readonly string[] {
  const user = userCommand(homeOfUnit({ daemon: 'relay', folders: [dataDir] }))
  const folder = dirname(places.envFile)
  return [
    ...(user === undefined ? [] : [`a user for the unit, once:\n${user}`]),
    ...(isFolderClosed ? [`a folder of settings that the relay may pass through, once:\nchmod 0755 ${folder}`] : []),
  ]
}
