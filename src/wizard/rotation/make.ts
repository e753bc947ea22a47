// A new secret; the settings stay as they are.
import { causedBy, messageOf } from '../../lib/errors.js'
import type { Secret } from '../../lib/secret.js'
import { createFile, systemRandom } from '../../system/index.js'
import { secretFileRefused } from '../errors.js'
import { newSecret, type SecretKind } from './kinds.js'

/** With `out` also as the one line of a new file, mode 0600. Throws SECRET_FILE_REFUSED. */
export async function makeSecret(kind: SecretKind, out: string | undefined): Promise<Secret> {
  const secret = newSecret(kind, systemRandom)
  if (out !== undefined) await writeSecretFile(out, secret)
  return secret
}

/** The one line of a new file, mode 0600 from its first byte. Throws SECRET_FILE_REFUSED, also when there is one already. */
export async function writeSecretFile(path: string, secret: Secret): Promise<void> {
  try {
    await createFile(path, `${secret.reveal()}\n`, 0o600)
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    throw causedBy(secretFileRefused(path, exists ? 'it exists' : messageOf(error)), error)
  }
}
