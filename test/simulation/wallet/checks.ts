// What must hold of every wallet when its world is at rest: nodes are well, and what may be mined is.
import { fromHex } from '../../../src/lib/bytes.js'
import type { Wallet } from '../../../src/wallet/index.js'
import type { DirectChain } from '../../wallet/direct-chain.js'
import type { Nodes } from './nodes.js'
import type { People, Person } from './people.js'
import type { WorldProofs } from './proofs.js'
import type { Window } from './windows.js'
import type { Witness } from './witness.js'

export interface RestedWallets {
  readonly people: People
  readonly nodes: Nodes
  readonly chain: DirectChain['chain']
  readonly proofs: WorldProofs
  readonly witness: Witness
  readonly mine: (blocks: number) => void
}

/** Everyone opens a fresh window; the transactions that can be mined are mined; then rows, balances and the chain agree. */
export async function checkWallets(world: RestedWallets): Promise<void> {
  const { people, nodes, witness, mine } = world
  const fresh = new Map<Person, Window>()
  for (const person of people.people) {
    const window = await people.open(person, 0)
    if (window) fresh.set(person, window)
    else witness.wrong(3, `${person.name}: the wallet does not open at rest`)
  }
  const does = async (person: Person, verb: string, job: (wallet: Wallet) => Promise<unknown>): Promise<void> => {
    const result = await fresh
      .get(person)
      ?.does(job)
      .catch((thrown: unknown) => thrown)
    if (result instanceof Error) witness.wrong(6, `${person.name}: ${verb} at rest: ${result.message}`)
  }
  const node = nodes.honest
  for (const person of fresh.keys()) await does(person, 'refresh', (wallet) => wallet.refresh({ node }))
  for (const person of fresh.keys()) await does(person, 'posts', (wallet) => postAll(wallet, nodes))
  mine(2)
  for (const person of fresh.keys()) {
    await does(person, 'refresh', (wallet) => wallet.refresh({ node }))
    await does(person, 'refresh', (wallet) => wallet.refresh({ node }))
    // What another copy of the wallet did, and what nodes denied, a refresh does not see.
    const isOnlyFoundByScan = person.isMisled || person.lives > 0
    if (isOnlyFoundByScan) {
      // A coin that another copy spent stays locked for what waits for it.
      await does(person, 'cancel', cancelOpen)
      await does(person, 'check', (wallet) => people.scan(wallet, node))
    }
    await does(person, 'rest', (wallet) => checkWallet(world, person, wallet))
  }
}

async function postAll(wallet: Wallet, { honest }: Nodes): Promise<void> {
  for (const { slateId, status, written } of await wallet.transactions())
    if (
      slateId !== undefined &&
      (status === 'pending' || status === 'reverted') &&
      (written === 'S3' || written === 'I3')
    )
      await wallet.post(slateId, { node: honest }).catch(() => undefined) // its inputs are gone
}

/** Newest first: a later transaction may spend what an earlier one makes. */
async function cancelOpen(wallet: Wallet): Promise<void> {
  for (const { id, status } of [...(await wallet.transactions())].reverse())
    if (status === 'pending' || status === 'reverted') await wallet.cancel(id)
}

/** What the chain holds for a seed. */
const onChain = ({ chain, proofs }: RestedWallets, { keychain }: Person): Map<string, bigint> => {
  const outputs = chain.ledger.unspent().map(({ commit, proof, height, position, features }) => ({
    commitment: fromHex(commit) as never,
    proof: fromHex(proof) as never,
    ...{ height, mmrIndex: position, coinbase: features === 'Coinbase' },
  }))
  const found = proofs.identify
    ? proofs.identify(keychain, outputs).map(({ commitment, value }) => [commitment, value] as const)
    : outputs.flatMap(({ commitment, proof }) => {
        const own = keychain.rewindOutput(commitment, proof)
        return own ? [[Buffer.from(commitment).toString('hex'), own.value] as const] : []
      })
  return new Map(found)
}

async function checkWallet(world: RestedWallets, person: Person, wallet: Wallet): Promise<void> {
  const { witness, chain } = world
  const { name } = person
  const wrong = (invariant: number, what: string): void =>
    witness.wrong(invariant, `${name} (life ${person.lives}${person.isMisled ? ', misled' : ''}): ${what}`)
  const held = onChain(world, person)
  const rows = await wallet.transactions()
  const outputs = await wallet.outputs()
  const isMined = (maker: number): boolean => rows.find(({ id }) => id === maker)?.status === 'confirmed'

  // 1. The wallet holds what the chain holds for its seed.
  const own = outputs.filter(
    ({ status, transaction }) => (status === 'unspent' || status === 'locked') && isMined(transaction),
  )
  for (const { commitment, value, status } of own)
    if (held.get(commitment) !== value)
      wrong(1, `output ${commitment.slice(0, 10)} is ${status}, the chain does not hold it`)
  const known = new Set(own.map(({ commitment }) => commitment))
  for (const [commitment, value] of held)
    if (!known.has(commitment)) {
      const row = outputs.find((one) => one.commitment === commitment)
      wrong(1, `the chain holds ${value} in ${commitment.slice(0, 10)}, the wallet has it ${row?.status ?? 'nowhere'}`)
    }

  // 2. A key makes one output.
  const paths = outputs.map(({ path, value }) => `${path} ${value}`)
  if (new Set(paths).size !== paths.length) wrong(2, 'two outputs of one key')

  // 3. What was acknowledged is there.
  for (const { verb, slateId, kind } of person.promised)
    if (!rows.some((row) => row.slateId === slateId && row.kind === kind))
      wrong(3, `${verb} of slate ${slateId.slice(0, 8)} was acknowledged and is gone`)

  // 4. Confirmed is what the chain holds, and nothing else.
  for (const { id, status, excess, written } of rows) {
    if (excess === undefined) continue
    const isOnChain = chain.ledger.kernel(excess) !== undefined
    if ((status === 'confirmed') !== isOnChain)
      wrong(4, `transaction ${id} (${written}) is ${status}, its kernel is ${isOnChain ? '' : 'not '}on the chain`)
  }

  // 6. When what is left is cancelled, nothing is locked, and the balance is what the chain holds.
  await cancelOpen(wallet)
  const { total, locked, awaitingFinalization, reverted } = await wallet.balance({ minConfirmations: 1 })
  const sum = [...held.values()].reduce((all, value) => all + value, 0n)
  if (total !== sum) wrong(1, `the balance is ${total}, the chain holds ${sum}`)
  if (locked + awaitingFinalization + reverted !== 0n)
    wrong(6, `of nothing pending, ${locked} is locked, ${awaitingFinalization} awaited, ${reverted} reverted`)
}
