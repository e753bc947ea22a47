// Who writes and who is written to. The accounts follow from a fixed seed, so every set speaks of the same ones.
import { createHash } from 'node:crypto'
import { createSigner, type Signer } from './signer.js'
import { busyIndex, type Source } from './source.js'

export interface World {
  readonly authors: readonly Signer[]
  /** Keys, hex. */
  readonly recipients: readonly string[]
}

/** Accounts on each side. */
export const WHOLE_WORLD = 10_000
export const SMALL_WORLD = 500

const accounts = (role: string, count: number): readonly Signer[] =>
  Array.from({ length: count }, (_, index) => createSigner(createHash('sha256').update(`${role} ${index}`).digest()))

export const createWorld = (size: number): World => ({
  authors: accounts('author', size),
  recipients: accounts('recipient', size).map(({ pubkey }) => pubkey),
})

export const busy = <T>(source: Source, list: readonly T[]): T => list[busyIndex(source, list.length)]!
