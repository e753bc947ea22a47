// test/vectors/wallet/wallet_states.json: what the real wallet kept through receive, mining, reorg, cancel and restore.
// Its life cycle is the store's business; here: the same words, index and amount give the same output.
import { expect, test } from 'vitest'
import { identifierFromPath, outputIdentifier } from '../../../src/grin/keychain/index.js'
import { toHex } from '../../../src/lib/bytes.js'
import { walletOf } from '../../support/grin.js'
import { vectors } from '../../support/vectors.js'

type Output = { key_id: string; value: string; commit: string }
type Snapshot = { outputs: Output[]; next_child_index: number }
const { steps, recovered_from_mnemonic: recovered } = vectors('wallet/wallet_states.json')
const keychain = walletOf(recovered.mnemonic)

test.each<{ step: string; receiver: Snapshot }>(steps)('$step', ({ receiver }) => {
  for (const { key_id, value, commit } of receiver.outputs)
    expect(toHex(keychain.commitOutput(identifierFromPath(key_id), BigInt(value)))).toBe(commit)
  // A counter that is never lowered: no output lives at or above it.
  const highest = Math.max(-1, ...receiver.outputs.map(({ key_id }) => Number(key_id.split('/').at(-1))))
  expect(highest).toBeLessThan(receiver.next_child_index)
})

test('the restored wallet finds the mined output and would hand out the next index again', () => {
  const [output] = recovered.snapshot.outputs as Output[]
  expect(toHex(keychain.commitOutput(identifierFromPath(output!.key_id), BigInt(output!.value)))).toBe(output!.commit)
  const { next_child_index } = recovered.snapshot
  expect(toHex(keychain.commitOutput(outputIdentifier(0, next_child_index), 1n))).toBe(
    recovered.next_key_commit_for_one_nanogrin,
  )
})
