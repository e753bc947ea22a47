// Whose a schema is: two tills must never mix chains or wallets. Asked before the first verb, which may be long after the start.
import { textCell } from '../../sqlite/columns.js'
import { compareIdentity, type Known, type TillIdentity } from '../../till/identity.js'
import type { ReadAnywhere } from '../any-node.js'
import type { Queries } from '../change.js'
import type { DatabasePlace } from '../place.js'
import type { Transactions } from '../transactions.js'

/** Without `fingerprint`: that of whichever wallet is taken, and none is written. */
export interface SharedIdentity extends Pick<TillIdentity, 'chain'> {
  readonly fingerprint?: string | undefined
}

const KNOWN = 'SELECT chain, fingerprint FROM meta WHERE id = 1'
const CLAIM = `INSERT INTO meta (id, chain, fingerprint, created_at, checked_at) VALUES (1, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`

/**
 * Compares, and claims a schema that is free. Answers the fingerprint of the wallet; undefined: none has claimed it yet.
 * Throws DATABASE_OTHER_CHAIN, DATABASE_OTHER_SEED.
 */
export async function requireIdentity(
  { read, repeatable }: Transactions,
  { schema }: DatabasePlace,
  { chain, fingerprint }: SharedIdentity,
  now: number,
): Promise<string | undefined> {
  if (fingerprint !== undefined)
    await repeatable(async (db) => {
      if (!(await knownIdentity(db))) await db.run(CLAIM, [chain, fingerprint, now, now])
    })
  const known = await read(knownIdentity)
  if (known) compareIdentity(`schema "${schema}"`, known, { chain, fingerprint: fingerprint ?? known.fingerprint })
  return known?.fingerprint
}

async function knownIdentity(db: Queries): Promise<Known | undefined> {
  const [chain, fingerprint] = (await db.get(KNOWN)) ?? []
  return chain === undefined
    ? undefined
    : { chain: textCell.read(chain), fingerprint: textCell.read(fingerprint ?? null) }
}

type Verbs = Transactions & { readonly readAnywhere: ReadAnywhere }

/** The same transactions, each after `known` has resolved once; it is asked again after it failed. */
export function afterwards(transactions: Verbs, known: () => Promise<unknown>): Verbs {
  let passed: Promise<unknown> | undefined
  const pass = (): Promise<unknown> => {
    passed ??= known().catch((error: unknown) => {
      passed = undefined
      throw error
    })
    return passed
  }
  return {
    read: (verb, patienceMs) => pass().then(() => transactions.read(verb, patienceMs)),
    readAnywhere: (verb, patienceMs) => pass().then(() => transactions.readAnywhere(verb, patienceMs)),
    repeatable: (verb) => pass().then(() => transactions.repeatable(verb)),
    change: (verb) => pass().then(() => transactions.change(verb)),
  }
}
