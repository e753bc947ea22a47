// What needs the wallet password: the sealed seed, the sealed Nostr key, and systemd's own safe.
import { type Cost, DEFAULT_COST, sealSeed } from '../../grin/seedfile/index.js'
import { Secret } from '../../lib/secret.js'
import { openIdentity } from '../../nostr/identity/index.js'
import type { SystemRandom } from '../../system/index.js'
import { CREDENTIAL } from './unit.js'

/** The identity file of a new Nostr key, and its public half. */
export async function sealIdentity(
  password: Secret,
  random: SystemRandom,
): Promise<{ readonly text: string; readonly npub: string }> {
  let text = ''
  const file = {
    read: async () => undefined,
    write: async (made: string) => {
      text = made
    },
  }
  const { npub } = await openIdentity({ walletPassword: password, file, random })
  return { text, npub }
}

export interface WalletToSeal {
  readonly entropy: Secret<Uint8Array>
  readonly password: Secret
  readonly chain: string
  readonly random: SystemRandom
  /** How much a guess at the password costs; the usual cost of the seed file when undefined. */
  readonly cost?: Cost | undefined
}

export const sealWallet = ({ cost = DEFAULT_COST, ...wallet }: WalletToSeal): Promise<string> =>
  sealSeed({ ...wallet, cost })

/** The password as systemd keeps it, or undefined where systemd-creds is missing or refuses. */
export async function sealCredential(password: Secret): Promise<Secret | undefined> {
  const { execa } = await import('execa')
  const args = ['encrypt', `--name=${CREDENTIAL}`, '-', '-']
  const { failed, stdout } = await execa('systemd-creds', args, {
    input: password.reveal(),
    reject: false,
    timeout: 15_000,
  })
  return failed || stdout === '' ? undefined : new Secret(`${stdout}\n`)
}
