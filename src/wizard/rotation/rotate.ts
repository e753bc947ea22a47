// A new secret beside the old one: what is written where, in an order to which no crash does harm.
import { readFile, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { aliasesOf, configurationError, type Environment, findSetting, readPayValues } from '../../config/index.js'
import { causedBy, GrinpayError, messageOf } from '../../lib/errors.js'
import type { Secret } from '../../lib/secret.js'
import {
  formatSecretLines,
  hashOfSecret,
  inForce,
  isHashed,
  parseSecretLines,
  type SecretLine,
} from '../../lib/secret-lines.js'
import { webhookSecretFault } from '../../lib/webhooks.js'
import {
  createFolderForFolder,
  createWhileLocked,
  isHandedOver,
  replaceInPlace,
  type SystemClock,
  type SystemRandom,
} from '../../system/index.js'
import { envLine } from '../env-file.js'
import { secretElsewhere, secretNotKept, secretNotSet } from '../errors.js'
import { KINDS, newSecret, type Rotated, type SecretKind, secretFileIn, settingOf, writeSecretFile } from './kinds.js'

// Where a till's secret is kept now, and so what a rotation has to change.
interface Place {
  /** What is in force, as it is written. */
  readonly text: string
  /** The file that holds it from now on. */
  readonly file: string
  /** The env file that holds it now, and the names that it has there; undefined: it is in `file` already. */
  readonly inline: { readonly envFile: string; readonly names: readonly string[] } | undefined
  /** The env file, wherever the secret is kept. */
  readonly settingsFile: string | undefined
}

/** Throws SECRET_NOT_SET, SECRET_ELSEWHERE, CONFIGURATION. */
function placeOf(environment: Environment, which: Rotated): Place {
  const name = settingOf(which)
  const { envFile, credentialsDirectory } = environment
  const found = findSetting(environment, name)
  if (found.outcome === 'problem') throw configurationError([{ setting: name, text: found.problem }])
  if (found.outcome === 'unset') throw secretNotSet(name, envFile ?? 'the environment')
  const { origin, text } = found
  if (origin === 'environment') throw secretElsewhere(name, 'the environment of this process')
  if (credentialsDirectory !== undefined && origin.startsWith(`${credentialsDirectory}/`))
    throw secretElsewhere(name, 'a systemd credential')
  if (origin.endsWith('.cred')) throw secretElsewhere(name, `${origin}, which systemd-creds has sealed`)
  if (origin !== envFile) return { text, file: resolve(origin), inline: undefined, settingsFile: envFile }
  const { values, problems } = readPayValues(environment)
  if (values.dataDir === undefined) throw configurationError(problems)
  const names = [name, ...aliasesOf({ name })].flatMap((one) => [one, `${one}_FILE`])
  return { text, file: secretFileIn(resolve(values.dataDir), which), inline: { envFile, names }, settingsFile: envFile }
}

// One setting of an env file becomes another, and every other byte of the file stays.
const assigned = (line: string): string | undefined => /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/.exec(line)?.[1]

/** The text with the lines of `names` taken out, and `name=value` where the first of them stood. Throws VALUE_UNSAFE. */
function replaceSetting(text: string, names: readonly string[], name: string, value: string): string {
  const lines = text.split('\n')
  const isOld = (line: string): boolean => names.includes(assigned(line) ?? '')
  const first = lines.findIndex(isOld)
  const [before, after] = first < 0 ? [lines, []] : [lines.slice(0, first), lines.slice(first)]
  return [...before, envLine(name, value), ...after.filter((line) => !isOld(line))].join('\n')
}

export interface RotationRequest extends Rotated {
  /** Reads the settings of the till, each time anew. */
  readonly settings: () => Environment
  /** How long the old one is still good; 0 = it ends at once. */
  readonly overlapSeconds: number
  /** Of the new one only the hash is kept: commands on this machine can no longer show it. */
  readonly hash: boolean
  /** A new file (0600) for the new secret, for the program that gets it. */
  readonly out: string | undefined
  readonly clock: SystemClock
  readonly random: SystemRandom
}

export interface Rotation {
  readonly secret: Secret
  /** Holds what is in force. */
  readonly file: string
  /** When the old one ends, in epoch milliseconds; undefined: it ended. */
  readonly oldUntil: number | undefined
  /** The env file that names `file` from now on: a till that systemd handed its settings to must be restarted once. */
  readonly movedFrom: string | undefined
  /** systemd hands `file` to the till at its start: until the next one the till knows the old secret alone. */
  readonly isHandedOver: boolean
}

/** Throws SECRET_NOT_SET, SECRET_ELSEWHERE, CONFIGURATION, SECRET_NOT_KEPT, FILE_LOCKED; then the old secret stays in force. */
export async function rotateSecret(request: RotationRequest): Promise<Rotation> {
  const { file } = placeOf(request.settings(), request)
  return keeping(file, async () => {
    await createFolderForFolder(dirname(file))
    return createWhileLocked(request.clock)(file, () => rotateInTurn(request))
  })
}

async function rotateInTurn(request: RotationRequest): Promise<Rotation> {
  const { settings, kind, overlapSeconds, random, clock, out } = request
  const place = placeOf(settings(), request) // again: another rotation may have come first
  const secret = newSecret(kind, random)
  const now = clock.now()
  const old = inForce(parseSecretLines(place.text), now).filter((line) => mayStay(kind, line))
  const hasOverlap = overlapSeconds > 0 && old.length > 0
  const oldUntil = hasOverlap ? Math.ceil(now / 1000 + overlapSeconds) * 1000 : undefined
  const lines = rotated(old, secret, { ...request, oldUntil })
  if (out !== undefined) await writeSecretFile(out, secret)
  try {
    await write(place, settingOf(request), lines)
  } catch (thrown) {
    if (out !== undefined) await rm(out, { force: true })
    throw thrown
  }
  const { file, settingsFile, inline } = place
  return { secret, file, oldUntil, movedFrom: inline?.envFile, isHandedOver: isGiven(settingsFile, settingOf(request)) }
}

const isGiven = (settingsFile: string | undefined, setting: string): boolean =>
  settingsFile !== undefined && isHandedOver(resolve(settingsFile), setting)

/** A webhook secret that is no key ends at once: an attacker who guesses what a decoder makes of it signs as the till. */
const mayStay = (kind: SecretKind, { secret }: SecretLine): boolean =>
  kind !== 'webhook' || webhookSecretFault(secret.reveal()) === undefined

interface RotationOptions extends Pick<RotationRequest, 'kind' | 'hash'> {
  readonly oldUntil: number | undefined
}

/** Pure: the new one first; what counted for good gets the end, what had one keeps it. Without an end all older ones go. */
function rotated(lines: readonly SecretLine[], fresh: Secret, options: RotationOptions): readonly SecretLine[] {
  const { kind, oldUntil, hash } = options
  const { isCompared } = KINDS[kind]
  const older = (oldUntil === undefined ? [] : lines)
    .map((line) => ({ ...line, until: line.until ?? oldUntil }))
    .map((line) => (isCompared && !isHashed(line) ? { ...line, secret: hashOfSecret(line.secret) } : line))
  return [{ secret: isCompared && hash ? hashOfSecret(fresh) : fresh }, ...older]
}

/** The file first: until the env file names it, no program reads it. */
async function write({ file, inline }: Place, setting: string, lines: readonly SecretLine[]): Promise<void> {
  await keeping(file, () => replaceInPlace(file, formatSecretLines(lines), 0o600))
  if (inline === undefined) return
  const { envFile, names } = inline
  try {
    const before = await readFile(envFile, 'utf8')
    const after = replaceSetting(before, names, `${setting}_FILE`, file)
    await keeping(envFile, () => replaceInPlace(envFile, after, 0o600))
  } catch (thrown) {
    await rm(file, { force: true })
    throw thrown
  }
}

/** What the system throws becomes SECRET_NOT_KEPT. */
async function keeping<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof GrinpayError) throw error
    throw causedBy(secretNotKept(path, messageOf(error)), error)
  }
}
