// The frame of the doctor: a check is a name, when it applies, and what it does. A new check is a new row in the list of its daemon (examine.ts).
import type { DaemonName, Environment, PayConfig, SettingProblem } from '../config/index.js'
import { messageOf } from '../lib/errors.js'
import type { Clock } from '../lib/ports.js'
import type { Secret } from '../lib/secret.js'
import type { OpenSocket } from '../nostr/relays/index.js'
import { createOpenWebSocket, diskSpace, systemClock, systemRandom } from '../system/index.js'
import { type Finding, fail, failed } from './finding.js'
import { problemsOf } from './settings-check.js'

/** Of the disk that a folder lies on, in bytes. */
export type RoomOf = (folder: string) => Promise<{ readonly free: number; readonly total: number }>

/** Where a machine keeps units and copies; others in tests. */
export interface ServicePlaces {
  /** As systemd looks for units, the first that has one counts. */
  readonly unitDirs: readonly string[]
  /** What is below it: `grinpay-backup-pay` and the like. */
  readonly copies: string
  /** Settings below it belong to a service; others may be started by hand. */
  readonly settings: string
}

/** The till's Nostr key as far as the doctor can open it. */
export interface KnownIdentity {
  /** Undefined: the key cannot be opened here; `why` says so. */
  readonly secret: Secret<Uint8Array> | undefined
  /** Known without the wallet password too, when the identity file can be read. */
  readonly pubkey: string | undefined
  readonly why: string
  readonly remedy: string
  /** No wallet password was given here: only the service has it. Nothing is wrong with that. */
  readonly isSealed?: boolean
  /** What keeps it from being opened here keeps the till from starting too. */
  readonly stopsTheTill?: boolean
}

/** Ways to the outside; others in tests. */
export interface DoctorWays {
  readonly clock: Clock
  readonly random: { bytes(length: number): Uint8Array }
  readonly openSocket: OpenSocket
  readonly roomOf: RoomOf
  readonly services: ServicePlaces
}

export const usualWays = (): DoctorWays => ({
  clock: systemClock,
  random: systemRandom,
  openSocket: createOpenWebSocket(),
  async roomOf(folder) {
    const { free, size: total } = await diskSpace(folder)
    return { free, total }
  },
  services: {
    unitDirs: [
      '/etc/systemd/system',
      '/run/systemd/system',
      '/usr/local/lib/systemd/system',
      '/usr/lib/systemd/system',
    ],
    copies: '/var/lib',
    settings: '/etc',
  },
})

/** What every doctor may be asked. */
export interface DoctorRequest extends Partial<DoctorWays> {
  /** Names of its checks; undefined = all. */
  readonly only?: readonly string[] | undefined
  /** Hears every finding as soon as those before it are there. */
  readonly tell?: ((finding: CheckFinding) => void) | undefined
  /** What is wrong with files that the start reads because settings name them; by default nothing. */
  readonly fileProblems?: () => readonly SettingProblem[]
}

/** What the doctor of a till is given: the settings, and ways to the outside. */
export interface TillDoctorParts extends DoctorWays {
  readonly environment: Environment
  /** Where the till of this machine answers. */
  readonly tillUrl: string
  /** The grin1 address of the till; rejects when neither database nor wallet tells it. */
  readonly address: () => Promise<string>
}

/** What a check works with. */
export interface TillDoctorContext extends TillDoctorParts {
  readonly config: PayConfig
  /** The till's Nostr key, looked up once for all checks. Never makes one. */
  readonly identity: () => Promise<KnownIdentity>
  /** Time is up. */
  readonly signal: AbortSignal
}

/** The least that every check works with. */
export interface CheckContext {
  readonly config: unknown
  readonly clock: Clock
  /** Aborts when time is up. */
  readonly signal: AbortSignal
}

export interface DoctorCheck<C extends { readonly config: unknown } = TillDoctorContext> {
  /** As `--check` takes it. */
  readonly name: string
  /** After so long it has failed. */
  readonly limitMs: number
  /** By default it does. */
  applies?(config: C['config']): boolean
  /** One finding per line. What it throws counts as a failure. */
  run(context: C): Promise<readonly Finding[]>
}

// Runs checks side by side, each with a limit, and reports the findings in the order of the list.

/** A finding with the name of its check. */
export interface CheckFinding extends Finding {
  readonly check: string
}

type Basics = Omit<CheckContext, 'signal'>

type CheckOf<B extends Basics> = DoctorCheck<B & Pick<CheckContext, 'signal'>>

/** Looked at before all others, because these need them. */
const SETTINGS = 'settings'

/** Names of all checks of a doctor, in the order of the findings. */
export const checkNamesOf = (checks: readonly { readonly name: string }[]): readonly string[] => [
  SETTINGS,
  ...checks.map(({ name }) => name),
]

interface RunParts<B extends Basics> {
  readonly daemon: DaemonName
  /** Of the settings. */
  readonly findings: readonly Finding[]
  readonly checks: readonly CheckOf<B>[]
  /** Undefined: the settings are broken, and no check runs. */
  readonly context: B | undefined
}

/** Never throws: what goes wrong is a finding. Broken settings are always reported, because no check runs with them. */
export async function runChecks<B extends Basics>(
  { daemon, findings: ofSettings, checks, context }: RunParts<B>,
  { only, tell, fileProblems = () => [] }: DoctorRequest,
): Promise<readonly CheckFinding[]> {
  const all: CheckFinding[] = []
  const say = (check: string, findings: readonly Finding[]) => {
    for (const finding of findings) {
      all.push({ ...finding, check })
      tell?.({ ...finding, check })
    }
  }
  const isWanted = (name: string) => only === undefined || only.includes(name)
  if (isWanted(SETTINGS) || !context) say(SETTINGS, [...ofSettings, ...problemsOf(fileProblems(), daemon)])
  if (!context) return all
  const running = checks
    .filter((check) => isWanted(check.name) && (check.applies?.(context.config) ?? true))
    .map((check) => ({ name: check.name, findings: runOne(check, context, daemon) }))
  for (const { name, findings } of running) say(name, await findings)
  return all
}

async function runOne<B extends Basics>(
  check: CheckOf<B>,
  context: B,
  daemon: DaemonName,
): Promise<readonly Finding[]> {
  const [tooLate, done] = [new AbortController(), new AbortController()]
  const limit = context.clock.sleep(check.limitMs, done.signal).then(() => {
    tooLate.abort()
    return [
      fail(`no result within ${check.limitMs / 1000} s`, `try again; journalctl -u grinpay-${daemon} may say more`),
    ]
  })
  const result = check
    .run({ ...context, signal: tooLate.signal })
    .catch((thrown: unknown) => [failed(thrown, `report this: ${messageOf(thrown)}`)])
  return Promise.race([result, limit]).finally(() => done.abort())
}
