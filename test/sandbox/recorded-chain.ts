// The recorded chain of test/vectors/real, replayed into the simulator block by block with the recorded headers.

import type { KernelFeaturesJson } from '../../src/grin/tx/index.js'
import { fromHex, toHex } from '../../src/lib/bytes.js'
import type { HeaderJson } from '../../src/sandbox/block.js'
import { createSimulatedChain, type SimulatedChain } from '../../src/sandbox/chain.js'
import { vectors } from '../support/vectors.js'

export const recordedBlocks = vectors('real/chain/blocks.json')
export const recordedCalls = vectors('real/rpc/node-foreign.json')

const reversed = (hex: string) => toHex(fromHex(hex).reverse())
const compact = (raw: string) => reversed(raw.slice(0, 64)) + reversed(raw.slice(64))

function featuresOf(kernel: { features: string; fee: number; fee_shift: number }): KernelFeaturesJson {
  if (kernel.features === 'Coinbase') return 'Coinbase'
  if (kernel.features !== 'Plain' || kernel.fee_shift !== 0) throw new Error('not in the recorded chain')
  return { Plain: { fee: kernel.fee } }
}

/** The simulator as the recorded node was when its tip had this height. */
export function chainAt(height: number): SimulatedChain {
  const headers: HeaderJson[] = recordedBlocks.map((block: { header: HeaderJson }) => block.header)
  const chain = createSimulatedChain({
    seal: ({ height }) => {
      const header = headers[height]
      if (!header) throw new Error(`no recorded header ${height}`)
      return header
    },
    genesisAt: 0,
  })
  for (const block of recordedBlocks.slice(1, height + 1))
    chain.ledger.append(
      {
        inputs: block.inputs,
        outputs: block.outputs.map((output: { output_type: string; commit: string; proof: string }) => ({
          features: output.output_type === 'Coinbase' ? 'Coinbase' : 'Plain',
          commit: output.commit,
          proof: output.proof,
        })),
        kernels: block.kernels.map(
          (kernel: { features: string; fee: number; fee_shift: number; excess: string; excess_sig: string }) => ({
            features: featuresOf(kernel),
            excess: kernel.excess,
            excess_sig: compact(kernel.excess_sig),
          }),
        ),
      },
      Date.parse(block.header.timestamp),
      [],
    )
  return chain
}
