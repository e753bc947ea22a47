// Finds own outputs among those of a page. Nearly all outputs are foreign: a sieve lets them fall with half of the work, and only what
// remains is rewound. The sieve can run in other threads; it needs the view key and no secret.
import { createSieve } from '../../grin/crypto/index.js'
import type { ViewKey } from '../../grin/kinds/index.js'
import { nextTurn } from '../../lib/next-turn.js'
import type { WebAbortSignal } from '../../lib/web-types.js'
import type { ProvenOutput } from '../node/node.js'
import type { FoundOutput, Signer } from '../signer/signer.js'

/** What the sieve reads of an output. */
export type SiftedOutput = Pick<ProvenOutput, 'commitment' | 'proof'>

/** `siftOutputs` as a port. A place too many costs a rewind; a missing one is a lost output. */
export type Sift = (rewindHash: Uint8Array, outputs: readonly SiftedOutput[]) => Promise<readonly number[]>

/**
 * The places of the outputs that may belong to the wallet with this rewind hash (32 bytes, the view key: it reveals amounts, and spends
 * nothing). Of foreign outputs one in 2^32 is among them. Throws BAD_LENGTH.
 */
export function siftOutputs(rewindHash: Uint8Array, outputs: readonly SiftedOutput[]): number[] {
  const mayBeOurs = createSieve(rewindHash)
  return outputs.flatMap(({ commitment, proof }, at) => (mayBeOurs(commitment, proof) ? [at] : []))
}

/** Outputs between two pauses, in which a page in a browser answers and an abort is noticed: about 20 ms of work. */
const CHUNK = 400

interface FindOptions {
  readonly sift?: Sift | undefined
  readonly signal?: WebAbortSignal | undefined
}

/** The wallet's outputs in a page. */
export async function findOwn(
  signer: Signer,
  outputs: readonly ProvenOutput[],
  { sift, signal }: FindOptions,
): Promise<FoundOutput[]> {
  const viewKey = await signer.viewKey()
  const candidates = sift ? pick(outputs, await sift(viewKey, outputs)) : await siftInChunks(viewKey, outputs, signal)
  return candidates.length === 0 ? [] : signer.identify(candidates)
}

const pick = (outputs: readonly ProvenOutput[], places: readonly number[]): ProvenOutput[] =>
  places.flatMap((at) => outputs[at] ?? [])

async function siftInChunks(
  viewKey: ViewKey,
  outputs: readonly ProvenOutput[],
  signal?: WebAbortSignal,
): Promise<ProvenOutput[]> {
  const candidates: ProvenOutput[] = []
  for (let at = 0; at < outputs.length; at += CHUNK) {
    if (at > 0) await nextTurn()
    signal?.throwIfAborted()
    const chunk = outputs.slice(at, at + CHUNK)
    candidates.push(...pick(chunk, siftOutputs(viewKey, chunk)))
  }
  return candidates
}
