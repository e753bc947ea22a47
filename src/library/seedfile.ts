// Seed files, in Node only: our own encrypted document, and grin-wallet's `wallet.seed` (read, never written).
import type { WalletSeed } from '../grin/kinds/index.js'
import {
  chainOfSealedSeed as chainOf,
  importGrinWalletSeed as importSeed,
  openSeed as open,
  sealSeed as seal,
  DEFAULT_COST as USUAL_COST,
} from '../grin/seedfile/index.js'
import { checkKind, ofKind } from '../lib/kinds.js'
import { Secret } from '../lib/secret.js'
import { type RandomSource, randomFrom } from './surroundings.js'

/** The cost of scrypt: memory is 128 × N × r bytes. */
export interface Cost {
  /** A power of two, 2^14 or above. */
  readonly N: number
  readonly r: number
  /** 1 … 4. */
  readonly p: number
}

/** About 0.4 s and 128 MiB. */
export const DEFAULT_COST: Cost = USUAL_COST

/** The chain of a document, read without its password. Throws SEED_FILE_INVALID, SEED_FILE_TOO_NEW. */
export const chainOfSealedSeed = (text: string): string => chainOf(text)

/** What `sealSeed` encrypts, and how. */
export interface SealOptions {
  /** The wallet seed (secret): 16, 20, 24, 28 or 32 bytes. */
  readonly entropy: WalletSeed
  /** Secret. */
  readonly password: string
  /** The chain of the seed, such as `mainnet`: lower-case letters, digits, hyphens. */
  readonly chain: string
  /** The cost of scrypt. Default: `DEFAULT_COST`, about 0.4 s and 128 MiB. */
  readonly cost?: Cost
  readonly random?: RandomSource
}

/** Encrypts a seed: the text of the document to store. Rejects with RangeError for an impossible seed or chain name. */
export const sealSeed = ({ entropy, password, random, ...options }: SealOptions): Promise<string> =>
  seal({
    ...options,
    entropy: new Secret(checkKind('wallet seed', entropy)),
    password: new Secret(password),
    random: randomFrom(random),
  })

/**
 * The seed (secret, 16 … 32 bytes) of such a document for `chain`. Rejects with SEED_FILE_INVALID, SEED_FILE_TOO_NEW, SEED_WRONG_CHAIN
 * (before the password is tried) or SEED_WRONG_PASSWORD.
 */
export const openSeed = async (text: string, password: string, chain: string): Promise<WalletSeed> =>
  ofKind('wallet seed', (await open(text, new Secret(password), chain)).reveal())

/** The seed (secret, 16 … 32 bytes) in the text of grin-wallet's `wallet.seed`. Rejects with SEED_FILE_INVALID or SEED_WRONG_PASSWORD. */
export const importGrinWalletSeed = async (text: string, password: string): Promise<WalletSeed> =>
  ofKind('wallet seed', (await importSeed(text, new Secret(password))).reveal())
