// Password and seed: where they come from, and how the password will be kept.
import type { Secret } from '../../lib/secret.js'
import { answersWrong } from '../errors.js'
import { readNewPassword, readSecret } from '../inputs.js'
import { newPassword, newSeed, type Seed, seedFromWords } from './material.js'
import { sealCredential } from './sealing.js'
import type { TillContext } from './survey.js'
import type { PasswordKeeping } from './unit.js'
import { openWallet } from './wallet.js'

export interface Secrets {
  /** Undefined when the wallet is there and the password stays where it is. */
  readonly password: Secret | undefined
  readonly seed: Seed | undefined
  readonly keeping: PasswordKeeping
  /** The password as it will be kept. */
  readonly kept: Secret | undefined
  /** Seed words that exist nowhere else yet. */
  readonly newWords: Secret | undefined
}

/** Throws ANSWERS_WRONG, ANSWERS_UNREADABLE, PASSWORD_SHORT, BAD_MNEMONIC, SEED_WRONG_PASSWORD. */
export async function gatherSecrets(context: TillContext): Promise<Secrets> {
  const { found, answers } = context
  if (answers.password_file === '-' && answers.mnemonic_file === '-')
    throw answersWrong(['"password_file" and "mnemonic_file" cannot both be stdin'])
  const isKept = found.keeping !== undefined && (found.keeping === 'manual') === (answers.restart === 'manual')
  const password = found.hasWallet && isKept ? undefined : await passwordFor(context)
  const seed = found.hasWallet ? undefined : await seedFor(context)
  return { password, seed, newWords: seed?.isNew ? seed.words : undefined, ...(await keepingOf(context, password)) }
}

async function keepingOf(
  { request, found, answers }: TillContext,
  password: Secret | undefined,
): Promise<Pick<Secrets, 'keeping' | 'kept'>> {
  if (answers.restart === 'manual') return { keeping: 'manual', kept: undefined }
  if (!password) return { keeping: found.keeping ?? 'file', kept: undefined }
  if (request.prefix !== undefined) return { keeping: 'file', kept: password }
  const sealed = await sealCredential(password)
  if (sealed) return { keeping: 'credential', kept: sealed }
  request.say('warning: systemd-creds is not usable here; the password is kept in a plain file, mode 0400')
  return { keeping: 'file', kept: password }
}

async function passwordFor(context: TillContext): Promise<Secret | undefined> {
  const { request, answers, found } = context
  const { password_file: file, restart } = answers
  if (found.hasWallet) return knownPassword(context)
  if (file !== undefined) return readNewPassword(file)
  const typed = await request.terminal?.newPassword(restart === 'unattended')
  if (typed) return typed
  if (restart === 'unattended') return newPassword(request.random)
  throw answersWrong(['"password_file" is missing: manual restarts need a password that you know'])
}

/**
 * The password of the present wallet, tried on it: before it is kept, and before the only copy of it is removed, which
 * may be a random one that was never typed.
 */
async function knownPassword({ request, answers, wallet }: TillContext): Promise<Secret> {
  const { password_file: file } = answers
  const known = file === undefined ? await request.terminal?.password('Wallet password') : readSecret(file)
  if (!known) throw answersWrong(['"password_file" is missing: another way of restarting needs the wallet password'])
  await openWallet(wallet, known)
  return known
}

async function seedFor({ request, answers }: TillContext): Promise<Seed> {
  const { mnemonic_file: file, words_out: out } = answers
  const words =
    file === undefined ? await request.terminal?.words('Existing seed words (Enter: make new ones)') : readSecret(file)
  if (words) return seedFromWords(words.reveal())
  if (!request.canShowWords && out === undefined)
    throw answersWrong(['"words_out" is missing: new seed words need a terminal, or a file to go to'])
  return newSeed(request.random)
}
