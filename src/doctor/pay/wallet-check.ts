// The wallet's seed: whether its file is one of this till, and the password opens it. The seed itself is wiped at once.
import { readFile } from 'node:fs/promises'
import { openSeed, requireSeedOf, weakPassword } from '../../grin/seedfile/index.js'
import { messageOf } from '../../lib/errors.js'
import type { Secret } from '../../lib/secret.js'
import { dataFiles } from '../../system/index.js'
import type { DoctorCheck } from '../check.js'
import { type Finding, fail, failed, pass, warn } from '../finding.js'

const MAKE_ONE = 'grinpay setup pay makes one; grinpay wallet restore makes it from the seed words'

export const walletCheck: DoctorCheck = {
  name: 'wallet',
  limitMs: 30_000,
  applies: () => true,
  async run({ config: { dataDir, chain, mnemonic, walletPassword: password } }) {
    const path = dataFiles(dataDir).seed
    const text = await readFile(path, 'utf8').catch((thrown: NodeJS.ErrnoException) => thrown)
    if (typeof text !== 'string') return [unreadable(path, text, { isMadeAtStart: mnemonic !== undefined, password })]
    try {
      requireSeedOf(text, chain)
      if (!password) return [pass(`${path}, made for ${chain}; only the service has its password`)]
      const seed = await openSeed(text, password, chain)
      seed.wipe()
      return [pass(`${path} opens`)]
    } catch (thrown) {
      return [failed(thrown, MAKE_ONE)]
    }
  },
}

interface FirstStart {
  /** From PAY_MNEMONIC. */
  readonly isMadeAtStart: boolean
  readonly password: Secret | undefined
}

function unreadable(path: string, thrown: NodeJS.ErrnoException, { isMadeAtStart, password }: FirstStart): Finding {
  if (thrown.code !== 'ENOENT')
    return warn(`${path} cannot be read (${messageOf(thrown)})`, 'run grinpay doctor as root')
  const weak = isMadeAtStart && password ? weakPassword(password.reveal()) : undefined
  if (weak !== undefined)
    return fail(
      `there is no ${path} yet, and the first start makes none: ${weak}`,
      'write a longer one into the file of PAY_WALLET_PASSWORD_FILE',
    )
  if (isMadeAtStart) return pass(`there is no ${path} yet: the first start makes it from PAY_MNEMONIC`)
  return warn(`there is no wallet at ${path}: the till does not start without one`, MAKE_ONE)
}
