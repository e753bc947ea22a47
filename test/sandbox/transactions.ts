// Transactions for the state machine alone: right in form, without any arithmetic behind them.
import type { InputJson, OutputJson, TransactionJson } from '../../src/sandbox/transaction.js'
import { jsonSortKey } from '../../src/sandbox/transaction.js'

/** A commitment-shaped name: `coin(1)` and `coin(2)` differ. */
export const coin = (number: number): string => `08${number.toString(16).padStart(64, '0')}`

const sorted = <T extends InputJson>(entries: T[]): T[] =>
  entries.sort((a, b) => (jsonSortKey(a) < jsonSortKey(b) ? -1 : 1))

export const output = (commit: string, features: OutputJson['features'] = 'Plain'): OutputJson => ({
  features,
  commit,
  proof: '00'.repeat(675),
})

/** Spends and creates the named coins; its kernel is named by `id`. Pays far more than it must by default. */
export function transaction(id: number, spends: readonly string[], creates: readonly string[], fee = 10 ** 9) {
  const made: TransactionJson = {
    offset: '00'.repeat(32),
    body: {
      inputs: sorted(spends.map((commit) => ({ features: 'Plain' as const, commit }))),
      outputs: sorted(creates.map((commit) => output(commit))),
      kernels: [{ features: { Plain: { fee } }, excess: kernelOf(id), excess_sig: 'ab'.repeat(64) }],
    },
  }
  return made
}

export const kernelOf = (id: number): string => `09${id.toString(16).padStart(64, '0')}`

/** A coinbase output `coin(number)` with a kernel of its own. */
export const coinbase = (number: number) => ({
  output: output(coin(number), 'Coinbase'),
  kernel: { features: 'Coinbase' as const, excess: kernelOf(number + 1_000_000), excess_sig: 'cd'.repeat(64) },
})
