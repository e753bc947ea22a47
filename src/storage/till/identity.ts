// Whose database a file is: two tills must never mix chains or wallets.
import { databaseOtherChain, databaseOtherSeed } from '../errors.js'
import type { Sqlite } from '../sqlite/sqlite.js'

export interface TillIdentity {
  readonly path: string
  readonly chain: 'mainnet' | 'testnet' | 'usernet' | 'sandbox'
  /** Any stable public text that only this wallet's seed gives, e.g. its slatepack address. */
  readonly fingerprint: string
}

/** Whose a store is. */
export type Known = Pick<TillIdentity, 'fingerprint'> & { readonly chain: string }

/** Undefined: no wallet has claimed the file yet. */
export function identityOf(db: Sqlite): Known | undefined {
  const [chain, fingerprint] = db.get('SELECT chain, fingerprint FROM meta') ?? []
  return chain === undefined ? undefined : { chain: String(chain), fingerprint: String(fingerprint) }
}

/**
 * Checks that the file belongs to this wallet on this chain; an unclaimed file takes the identity.
 * Throws DATABASE_OTHER_CHAIN, DATABASE_OTHER_SEED.
 */
export function checkIdentity(
  db: Sqlite,
  { path, chain, fingerprint, now }: TillIdentity & { readonly now: () => number },
): void {
  const known = identityOf(db)
  if (known) compareIdentity(path, known, { chain, fingerprint })
  else createIdentity(db, { path, chain, fingerprint, now })
}

function createIdentity(db: Sqlite, { chain, fingerprint, now }: TillIdentity & { readonly now: () => number }): void {
  db.run('INSERT INTO meta (id, chain, fingerprint, created_at, checked_at) VALUES (1, ?1, ?2, ?3, ?3)', [
    chain,
    fingerprint,
    now(),
  ])
}

/** The same check for a reader; without `fingerprint` it accepts the file of every wallet. */
export function checkKnownIdentity(
  db: Sqlite,
  { path, chain, fingerprint }: Omit<TillIdentity, 'fingerprint'> & { readonly fingerprint?: string },
): void {
  const known = identityOf(db)
  if (known) compareIdentity(path, known, { chain, fingerprint: fingerprint ?? known.fingerprint })
}

/** Throws DATABASE_OTHER_CHAIN, DATABASE_OTHER_SEED. */
export function compareIdentity(path: string, known: Known, wanted: Known): void {
  if (known.chain !== wanted.chain) throw databaseOtherChain(path, known.chain, wanted.chain)
  if (known.fingerprint !== wanted.fingerprint) throw databaseOtherSeed(path, known.fingerprint, wanted.fingerprint)
}
