// Runs checks side by side, each with a limit, and tells the findings in the order of the list.
import { messageOf } from '../lib/errors.js'
import { createOpenWebSocket, systemClock, systemRandom } from '../system/index.js'
import type { Check, Context, Surroundings } from './check.js'
import { CHECKS, SETTINGS } from './checks.js'
import { type Finding, fail, failed } from './finding.js'
import { createIdentityLookup } from './identity.js'
import { readSettings } from './settings-check.js'

/** A finding with the name of its check. */
export interface Told extends Finding {
  readonly check: string
}

export interface Request
  extends Pick<Surroundings, 'environment' | 'tillUrl' | 'address'>,
    Partial<Pick<Surroundings, 'clock' | 'random' | 'openSocket'>> {
  /** Names of CHECK_NAMES; undefined = all. */
  readonly only?: readonly string[] | undefined
  /** Hears every finding as soon as those before it are there. */
  readonly tell?: (finding: Told) => void
  /** All checks unless told. */
  readonly checks?: readonly Check[]
}

/** Never throws: what goes wrong is a finding. Broken settings are told whatever was asked for, because nothing else runs then. */
export async function examine({ only, tell, checks = CHECKS, ...given }: Request): Promise<readonly Told[]> {
  const surroundings = { clock: systemClock, random: systemRandom, openSocket: createOpenWebSocket(), ...given }
  const told: Told[] = []
  const say = (check: string, findings: readonly Finding[]) => {
    for (const finding of findings) {
      told.push({ ...finding, check })
      tell?.({ ...finding, check })
    }
  }
  const isWanted = (name: string) => only === undefined || only.includes(name)
  const { findings, config } = readSettings(surroundings.environment)
  if (isWanted(SETTINGS) || !config) say(SETTINGS, findings)
  if (!config) return told
  const identity = createIdentityLookup(config, surroundings.random)
  const running = checks
    .filter((check) => isWanted(check.name) && check.applies(config))
    .map((check) => ({ name: check.name, findings: runOne(check, { ...surroundings, config, identity }) }))
  for (const { name, findings } of running) say(name, await findings)
  return told
}

async function runOne(check: Check, context: Omit<Context, 'signal'>): Promise<readonly Finding[]> {
  const { clock } = context
  const [tooLate, done] = [new AbortController(), new AbortController()]
  const limit = clock.sleep(check.limitMs, done.signal).then(() => {
    tooLate.abort()
    return [fail(`no result within ${check.limitMs / 1000} s`, 'try again; journalctl -u grinpay-pay may say more')]
  })
  const result = check
    .run({ ...context, signal: tooLate.signal })
    .catch((thrown: unknown) => [failed(thrown, `report this: ${messageOf(thrown)}`)])
  return Promise.race([result, limit]).finally(() => done.abort())
}
