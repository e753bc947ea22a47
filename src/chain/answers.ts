// Schemas of a node's responses, with the members that are used.
import { z } from 'zod'

const height = z.int().min(0)
const hash = z.string().regex(/^[0-9a-f]{64}$/)
const commitment = z.string().regex(/^[0-9a-f]{66}$/)

export const versionAnswer = z
  .object({ node_version: z.string().max(50), block_header_version: z.int() })
  .transform((answer) => ({ nodeVersion: answer.node_version, headerVersion: answer.block_header_version }))

export const tipAnswer = z
  .object({ height, last_block_pushed: hash })
  .transform((answer) => ({ height: answer.height, hash: answer.last_block_pushed }))

/** `timestamp` in epoch milliseconds. */
export const headerAnswer = z.object({
  height,
  hash,
  timestamp: z
    .string()
    .transform((text) => Date.parse(text))
    .pipe(z.int()),
})

export const kernelAnswer = z.object({ height, tx_kernel: z.object({ excess: commitment }) })

/** A tip with optional hash: a name sale needs the height only. */
export const heightAnswer = z
  .object({ height, last_block_pushed: z.string().catch('') })
  .transform((answer) => ({ height: answer.height, hash: answer.last_block_pushed }))

const namedKernel = z.object({ excess: z.string().optional().catch(undefined) }).catch({})

/** Location of a kernel. Older nodes return a list: kernel, height, index. */
export const kernelPlaceAnswer = z.union([
  z.object({ height, tx_kernel: namedKernel }).transform((answer) => ({ height: answer.height, ...answer.tx_kernel })),
  z.tuple([namedKernel, height], z.unknown()).transform(([kernel, at]) => ({ height: at, ...kernel })),
])

const output = z
  .object({
    commit: commitment,
    spent: z.boolean(),
    proof: z
      .string()
      .regex(/^[0-9a-f]*$/)
      .nullable(),
    block_height: height.nullable(),
    mmr_index: z.int(),
    output_type: z.enum(['Coinbase', 'Transaction']),
  })
  .transform((answer) => ({
    commitment: answer.commit,
    spent: answer.spent,
    proof: answer.proof,
    height: answer.block_height,
    mmrIndex: answer.mmr_index,
    coinbase: answer.output_type === 'Coinbase',
  }))

export const outputsAnswer = z.array(output)

export const outputPageAnswer = z
  .object({ highest_index: z.int(), last_retrieved_index: z.int(), outputs: outputsAnswer })
  .transform((answer) => ({
    highest: answer.highest_index,
    last: answer.last_retrieved_index,
    outputs: answer.outputs,
  }))

export const poolAnswer = z
  .array(z.object({ tx: z.object({ body: z.object({ kernels: z.array(z.object({ excess: commitment })) }) }) }))
  .transform((entries) => entries.flatMap(({ tx }) => tx.body.kernels.map(({ excess }) => excess)))

/** The contents of a block that a wallet needs. */
export const blockAnswer = z.object({
  header: headerAnswer,
  inputs: z.array(commitment),
  outputs: outputsAnswer,
  kernels: z.array(z.object({ excess: commitment }).transform(({ excess }) => excess)),
})

/** An unspent output; commitment and proof are hex, and `proof` is null unless requested. */
export type NodeOutput = z.infer<typeof output>
export type NodeHeader = z.infer<typeof headerAnswer>
export type NodeBlock = z.infer<typeof blockAnswer>
export type OutputPage = z.infer<typeof outputPageAnswer>
