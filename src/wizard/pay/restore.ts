// `wallet restore`: a wallet from its words or from grin-wallet's seed file. Which keys it may use is settled at every start.
import { existsSync } from 'node:fs'
import type { Environment } from '../../config/index.js'
import { type Cost, importGrinWalletSeed } from '../../grin/seedfile/index.js'
import type { Secret } from '../../lib/secret.js'
import { createFile, dataFiles, markNewWallet, type SystemRandom } from '../../system/index.js'
import { inputMissing, walletExists } from '../errors.js'
import { readInput, readPassword, readSecret } from '../inputs.js'
import { seedFromWords } from './material.js'
import { newPasswordOf, tillWallet } from './password.js'
import { sealWallet } from './sealing.js'
import type { Terminal } from './terminal.js'
import { requireStopped, walletAddress } from './wallet.js'

export interface RestoreRequest {
  readonly environment: Environment
  readonly mnemonicFile: string | undefined
  /** grin-wallet's wallet.seed, with the file of its own password. */
  readonly seedFile: string | undefined
  readonly seedPasswordFile: string | undefined
  readonly passwordFile: string | undefined
  readonly terminal: Terminal | undefined
  readonly random: SystemRandom
  /** How much a guess at the wallet password costs; the usual cost when undefined. */
  readonly sealCost?: Cost
}

export interface Restored {
  readonly address: string
  readonly path: string
}

/** Throws WALLET_EXISTS, DATABASE_IN_USE, DATABASE_OTHER_SEED, BAD_MNEMONIC, SEED_FILE_INVALID, SEED_WRONG_PASSWORD, PASSWORD_SHORT. */
export async function restoreWallet(request: RestoreRequest): Promise<Restored> {
  const { places, password: known } = tillWallet(request.environment)
  const path = dataFiles(places.dataDir).seed
  if (existsSync(path)) throw walletExists(path)
  const entropy = await entropyOf(request)
  await requireStopped(places, entropy)
  const password = await newPasswordOf(request.passwordFile, known, request.terminal)
  const sealed = await sealWallet({
    entropy,
    password,
    chain: places.chain,
    random: request.random,
    cost: request.sealCost,
  })
  await markNewWallet(places.dataDir)
  await createFile(path, sealed, 0o600)
  return { address: walletAddress(entropy, places.chain), path }
}

async function entropyOf(request: RestoreRequest): Promise<Secret<Uint8Array>> {
  const { mnemonicFile, seedFile, seedPasswordFile, terminal } = request
  if (mnemonicFile !== undefined && seedFile !== undefined) throw inputMissing('give words or a seed file, not both')
  if (seedFile !== undefined) {
    const password =
      seedPasswordFile === undefined
        ? await terminal?.password("Password of grin-wallet's seed file (Enter: it has none)", true)
        : readPassword(seedPasswordFile)
    if (!password)
      throw inputMissing(
        'the password of the seed file is missing: --seed-password-file (an empty file if it has none)',
      )
    return importGrinWalletSeed(readInput(seedFile), password)
  }
  const words = mnemonicFile === undefined ? await terminal?.words('Seed words') : readSecret(mnemonicFile)
  if (!words) throw inputMissing('the seed words are missing: --mnemonic-file, or --seed-file')
  return seedFromWords(words.reveal()).entropy
}
