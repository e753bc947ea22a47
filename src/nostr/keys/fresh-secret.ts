import type { RandomBytes } from '../../lib/random-bytes.js'
import { Secret } from '../../lib/secret.js'
import { isSecretKey } from './key-pair.js'

/** A new secret key, 32 bytes. The odd draw that is none (one in 2^127) is thrown away. */
export function freshSecret(random: RandomBytes): Secret<Uint8Array> {
  const bytes = random.bytes(32)
  return isSecretKey(bytes) ? new Secret(bytes) : freshSecret(random)
}
