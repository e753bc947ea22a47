// The plan of a relay: from answers and what is there to a list of steps. Pure.
import { dirname, join } from 'node:path'
import { loadRelayConfig, openEnvironment, type RelayConfig } from '../../config/index.js'
import type { Secret } from '../../lib/secret.js'
import type { Places } from '../../system/index.js'
import { settingsAfter } from '../answers.js'
import { renderRelayProxy } from '../proxy/index.js'
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
  PUBLIC_FILE,
  replace,
  type Step,
} from '../steps.js'
import type { SetupTarget } from '../survey.js'
import { RELAY_QUESTIONS, type RelayAnswers } from './questions.js'
import type { RelaySurvey } from './survey.js'
import { renderRelayToml } from './toml.js'

/** Files that only root can read are handed over by systemd. `values`: as `plannedValues` has them; `folder`: of the database. */
export const relayUnit = (
  settingsFile: string,
  program: Program,
  values: Texts = new Map(),
  folder = '/var/lib/grinpay-relay',
  hasSocket = false,
): UnitParts => ({
  daemon: 'relay',
  program,
  settingsFile,
  folders: [folder],
  credentials: credentialsOf('relay', (_, key) => values.get(`${key}_file`)),
  hasSocket,
})

interface RelayPlanParts {
  readonly target: SetupTarget
  readonly survey: RelaySurvey
  readonly answers: RelayAnswers
  /** Undefined: neither unit nor proxy, as at a first start by hand. */
  readonly program: Program | undefined
  /** systemd holds the port. */
  readonly hasSocket: boolean
}

export interface RelayPlan extends Plan {
  readonly proxy: PlannedProxy | undefined
}

/** Steps in the order in which they are carried out: secrets before what names them. Throws CONFIGURATION, NOT_FOR_PROXY. */
export function planRelay({ target, survey, answers, program, hasSocket }: RelayPlanParts): RelayPlan {
  const { places, machineWide, isService } = target
  const moved = movedSecrets(survey, places.secretsDir)
  const paths = moved.map(({ key, path }) => [`${key}_file`, path] as const)
  const settings = settingsAfter(RELAY_QUESTIONS, answers, new Map([...survey.inForce, ...paths]))
  const text = renderRelayToml(settings)
  const config = checkedConfig(target, text)
  const unit =
    isService && program ? relayUnit(places.envFile, program, settings, config.dataDir, hasSocket) : undefined
  const proxy = unit && plannedProxy(places, answers, config)
  return {
    steps: [
      // The folder of the settings first: the others may lie in it, and the relay's user must pass through it.
      ...(survey.hasFolder ? [] : [directory(dirname(places.envFile), PUBLIC_DIR)]),
      directory(config.dataDir, PRIVATE_DIR),
      ...secretSteps(places.secretsDir, moved),
      replace(places.envFile, PUBLIC_FILE, aboutSettings(survey), text),
      ...(unit ? unitSteps(places.unitFile, unit) : []),
      ...(proxy ? [replace(proxy.path, PUBLIC_FILE, `the site for ${proxy.program}`, proxy.text)] : []),
    ],
    untouched: [...settings.keys()].filter((key) => key.endsWith('_file') && survey.inForce.has(key)),
    needs: unit && machineWide ? [...userNeeds(unit), ...folderNeeds(survey, places.envFile)] : [],
    changes: changesBetween(survey.inForce, settings),
    settings,
    proxy,
  }
}

/** A secret that stood among the settings until now, and the file of its own that it gets. */
interface MovedSecret {
  readonly key: string
  readonly path: string
  readonly secret: Secret
}

const movedSecrets = ({ inline }: RelaySurvey, secretsDir: string): readonly MovedSecret[] =>
  [...inline].map(([key, secret]) => ({ key, secret, path: join(secretsDir, key.replace('.', '_')) }))

function secretSteps(secretsDir: string, moved: readonly MovedSecret[]): readonly Step[] {
  if (moved.length === 0) return []
  const files = moved.map(({ key, path, secret }) =>
    replace(path, PRIVATE_FILE, `${key}, out of the settings`, `${secret.reveal()}\n`),
  )
  return [directory(secretsDir, PRIVATE_DIR), ...files]
}

/** The daemon must be able to start from what we are about to write; files of secrets are there by then. */
function checkedConfig({ places }: SetupTarget, text: string): RelayConfig {
  const environment = openEnvironment({ variables: {}, readFile: () => 'present after setup' })
  return loadRelayConfig({ environment, file: { path: places.envFile, text } }, { dataDir: places.dataDir })
}

const aboutSettings = ({ hasFile }: RelaySurvey): string =>
  hasFile ? 'the settings (your own values stay, your own remarks do not)' : 'the settings'

/** A command that only root can answer for. */
const folderNeeds = ({ isFolderClosed }: RelaySurvey, settingsFile: string): readonly string[] =>
  isFolderClosed
    ? [`a folder of settings that the relay may pass through, once:\nchmod 0755 ${dirname(settingsFile)}`]
    : []

/** The configuration of the proxy as a file of its own, and how the proxy learns of it. */
interface PlannedProxy {
  readonly program: 'caddy' | 'nginx'
  readonly path: string
  readonly text: string
  /** What makes the proxy read it, once. */
  readonly commands: readonly string[]
}

/** Undefined: no proxy, or one that setup does not configure. Throws NOT_FOR_PROXY. */
function plannedProxy({ envFile }: Places, { proxy }: RelayAnswers, config: RelayConfig): PlannedProxy | undefined {
  if (proxy !== 'caddy' && proxy !== 'nginx') return undefined
  const { bind, trustedProxies, addressHeader, relay } = config
  const { relayUrls } = relay.info
  const path = join(dirname(envFile), proxy === 'caddy' ? 'relay.Caddyfile' : 'relay.nginx.conf')
  const text = renderRelayProxy(proxy, { relayUrls, bind, addressHeader, trustedProxies })
  return { program: proxy, path, text, commands: COMMANDS[proxy](path) }
}

const COMMANDS = {
  caddy: (path: string) => [
    `echo 'import ${path}' >> /etc/caddy/Caddyfile     # once`,
    'caddy validate --config /etc/caddy/Caddyfile && systemctl reload caddy',
  ],
  nginx: (path: string) => [
    '# the certificate comes first: the head of this file tells how',
    `ln -sf ${path} /etc/nginx/conf.d/grinpay-relay.conf`,
    'nginx -t && systemctl reload nginx',
  ],
} as const
