// The till's Nostr identity, with its file in the data folder (specification: invoicing, 4.1).
import { dirname } from 'node:path'
import type { PayConfig } from '../../../config/index.js'
import { type Identity, openIdentity } from '../../../nostr/identity/index.js'
import { createDirectory, createFile, dataFiles, type SystemRandom } from '../../../system/index.js'
import { readIfThere } from './seed.js'

type Settings = Pick<PayConfig, 'dataDir' | 'nsec' | 'ncryptsec' | 'walletPassword'>

/** Throws the documented IDENTITY_… errors. */
export function openTillIdentity({ dataDir, ...sources }: Settings, random: SystemRandom): Promise<Identity> {
  const path = dataFiles(dataDir).identity
  return openIdentity({
    ...sources,
    random,
    file: {
      read: () => readIfThere(path),
      async write(text) {
        await createDirectory(dirname(path), 0o700)
        await createFile(path, text, 0o600)
      },
    },
  })
}
