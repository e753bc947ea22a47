// The wallet's seed at start: opened from its sealed file, or created once from PAY_MNEMONIC.
import { readFile } from 'node:fs/promises'
import type { PayConfig } from '../../../config/index.js'
import { entropyFromMnemonic } from '../../../grin/keychain/index.js'
import { openSeed, sealSeed, weakPassword } from '../../../grin/seedfile/index.js'
import { equalBytes } from '../../../lib/bytes.js'
import { Secret } from '../../../lib/secret.js'
import { createFile, dataFiles, markNewWallet, type SystemRandom, walletMissing } from '../../../system/index.js'
import { mnemonicOther, walletPasswordMissing, walletPasswordShort } from '../../errors.js'

type Settings = Pick<PayConfig, 'chain' | 'dataDir' | 'mnemonic' | 'walletPassword'>

/**
 * The wallet's entropy. Throws WALLET_PASSWORD_MISSING, WALLET_MISSING (no file and no words), WALLET_PASSWORD_SHORT (of a wallet
 * that would be made now), MNEMONIC_OTHER (words of another wallet) and what opening a sealed seed throws: SEED_WRONG_CHAIN, SEED_WRONG_PASSWORD, SEED_FILE_INVALID.
 */
export async function openWalletSeed(settings: Settings, random: SystemRandom): Promise<Secret<Uint8Array>> {
  const { chain, dataDir, mnemonic, walletPassword } = settings
  const path = dataFiles(dataDir).seed
  if (!walletPassword) throw walletPasswordMissing()
  const given = mnemonic && new Secret(entropyFromMnemonic(mnemonic.reveal()))
  const sealed = await readIfThere(path)
  if (sealed === undefined) {
    if (!given) throw walletMissing(path)
    const weak = weakPassword(walletPassword.reveal())
    if (weak !== undefined) {
      given.wipe()
      throw walletPasswordShort(weak)
    }
    await markNewWallet(dataDir)
    await createFile(path, await sealSeed({ entropy: given, password: walletPassword, chain, random }), 0o600)
    return given
  }
  const entropy = await openSeed(sealed, walletPassword, chain)
  const isOther = given !== undefined && !equalBytes(given.reveal(), entropy.reveal())
  given?.wipe()
  if (!isOther) return entropy
  entropy.wipe()
  throw mnemonicOther(path)
}

/** The file's text, or undefined when there is none; every other trouble rejects. */
export const readIfThere = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') return undefined
    throw thrown
  })
