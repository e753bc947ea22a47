// What left the wallets of a world and what their storages took: watched while it happens, so that two of what must be one are seen at once.
import type { RangeProofInput } from '../../../src/grin/crypto/index.js'
import { digestSlate, type Slate } from '../../../src/grin/slate/index.js'
import { toHex } from '../../../src/lib/bytes.js'
import type { StorageBatch, WalletTransaction } from '../../../src/wallet/index.js'
import { readRow, tableOf } from '../../../src/wallet/storage/tables.js'
import type { Failure } from '../world.js'

export function createWitness(reachState: (state: string) => void) {
  const failures: Failure[] = []
  const wrong = (invariant: number, what: string) => void failures.push({ invariant, what })
  const outputs = new Map<string, string>()
  const signatures = new Map<string, string>()
  const replies = new Map<string, string>()

  /** One key, one thing; another one is a failure. */
  function once(seen: Map<string, string>, key: string, value: string, what: string): void {
    const before = seen.get(key) ?? value
    if (before !== value) wrong(2, what)
    seen.set(key, before)
  }

  return {
    failures,
    wrong,
    /** The seed of `who` makes this output. */
    proves(who: string, { value, blind, message = new Uint8Array() }: RangeProofInput): void {
      once(outputs, `${who} ${toHex(message)}`, `${value} ${blind}`, `${who}: a key makes two outputs`)
    },
    /** A slate left `who`. */
    leaves(who: string, slate: Slate): void {
      for (const { nonce, part } of slate.participants)
        if (part)
          once(signatures, toHex(nonce), toHex(part), `${who}: a nonce signs twice, slate ${slate.id.slice(0, 8)}`)
    },
    /** A request was answered out of one storage. */
    answers(storage: string, request: Slate, reply: Slate): void {
      const key = `${storage} ${toHex(digestSlate(request))}`
      once(replies, key, toHex(digestSlate(reply)), `${storage}: slate ${request.id.slice(0, 8)} has two replies`)
    },
    /** Watches the commits of one storage. `isBelieving`: nodes lied to it, and a coin may look free that is not. */
    watch(who: string, isBelieving: () => boolean) {
      const rows = new Map<number, WalletTransaction>()
      return (batch: StorageBatch): void => {
        for (const record of batch.put) {
          if (tableOf(record) !== 'transaction') continue
          const row = readRow('transaction', record)
          const before = rows.get(row.id)
          if (before?.status !== row.status || before.written !== row.written)
            reachState(
              `${row.kind} ${before?.written ?? 'nothing'} ${before?.status ?? 'new'} × ${row.written ?? 'found'} ${row.status}`,
            )
          const taken = row.inputs.filter((commitment) => !before?.inputs.includes(commitment))
          for (const other of rows.values())
            if (other.id !== row.id && other.status !== 'cancelled' && !isBelieving())
              for (const commitment of other.inputs)
                if (taken.includes(commitment))
                  wrong(2, `${who}: transactions ${other.id} (${other.status}) and ${row.id} spend one output`)
          rows.set(row.id, row)
        }
      }
    },
  }
}

export type Witness = ReturnType<typeof createWitness>
