// Finds own outputs among those of a page. The rewinding is all arithmetic of a restore; it can be given to threads.
import { formatPath, type Keychain } from '../../grin/keychain/index.js'
import { toHex } from '../../lib/bytes.js'
import type { OwnOutput } from '../model.js'
import type { ProvenOutput } from '../node/node.js'

/** An output of this wallet, as the chain has it. */
export interface FoundOutput extends OwnOutput {
  readonly chain: ProvenOutput
}

/** Returns the places (in the list) of outputs that may be this wallet's; a false one is recognised later, a missing one never. */
export type Sift = (rewindHash: Uint8Array, outputs: readonly ProvenOutput[]) => Promise<readonly number[]>

/** Outputs between two pauses, in which a page in a browser answers and an abort is noticed: about 20 ms of work. */
const CHUNK = 200

/** The next turn of the event loop. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

/** The wallet's outputs in a page. Outputs of switch type `none`, which no wallet makes, are left out: they could not be spent. */
export async function findOwn(
  keychain: Keychain,
  outputs: readonly ProvenOutput[],
  { sift, signal }: { readonly sift?: Sift | undefined; readonly signal?: AbortSignal | undefined },
): Promise<FoundOutput[]> {
  const candidates = sift ? (await sift(keychain.rewindHash, outputs)).flatMap((at) => outputs[at] ?? []) : outputs
  const found: FoundOutput[] = []
  for (let at = 0; at < candidates.length; at += CHUNK) {
    signal?.throwIfAborted()
    if (at > 0) await pause()
    found.push(...candidates.slice(at, at + CHUNK).flatMap((output) => ownOf(keychain, output)))
  }
  return found
}

function ownOf(keychain: Keychain, chain: ProvenOutput): FoundOutput[] {
  const own = keychain.rewindOutput(chain.commitment, chain.proof)
  if (own?.switchType !== 'regular') return []
  return [{ commitment: toHex(chain.commitment), path: formatPath(own.identifier), value: own.value, chain }]
}
