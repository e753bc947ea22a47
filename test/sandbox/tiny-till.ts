// A checkout page with a receiver behind it, as small as it can be: enough to see that the payer is a real customer.
import { createServer } from 'node:http'
import { nanoGrin } from '../../src/grin/amount/index.js'
import { proveRange } from '../../src/grin/crypto/index.js'
import { openKeychain, outputIdentifier } from '../../src/grin/keychain/index.js'
import { armorSlate, readSlatepack } from '../../src/grin/slatepack/index.js'
import {
  boundSecrets,
  openSigningSession,
  participantOf,
  signedParticipant,
  stepOffset,
} from '../../src/grin/tx/index.js'
import { systemRandom } from '../../src/system/index.js'

export interface TinyTill {
  readonly payUrl: string
  /** Commitments of the outputs it was paid with, hex. */
  readonly received: string[]
  close(): Promise<void>
}

/** Asks for `amount` nanogrin and answers every S1 with an S2 for `credit` (the same, unless the till is to cheat). */
export async function startTinyTill(amount: number, credit = amount): Promise<TinyTill> {
  const keychain = openKeychain(systemRandom.bytes(32))
  const received: string[] = []

  async function receive(text: string): Promise<string> {
    const { slate } = await readSlatepack(text, { prefix: 'tgrin' })
    const identifier = outputIdentifier(0, received.length)
    const { commitment, ...input } = keychain.proofInput(identifier, BigInt(credit))
    const secrets = boundSecrets({ random: systemRandom }, 'S1', new Uint8Array(32))
    const session = openSigningSession(slate, [...slate.participants, participantOf(secrets)])
    received.push(Buffer.from(commitment).toString('hex'))
    return armorSlate(
      {
        ...slate,
        state: 'S2',
        amount: nanoGrin(0n),
        fee: 0n,
        participants: [signedParticipant(secrets, session)],
        commitments: [{ coinbase: false, commitment, proof: proveRange(input) }],
        offset: stepOffset(slate.offset, { key: secrets.key, inputs: [], outputs: [input.blind] }),
      },
      { prefix: 'tgrin' },
    )
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', async () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
      const json = request.url?.endsWith('/status')
        ? { expected_amount: amount }
        : request.headers.accept === 'application/json'
          ? { ok: true, slatepack: await receive(form.get('slatepack') ?? '') }
          : { ok: false, error: 'not asked for JSON' }
      response.end(JSON.stringify(json))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    payUrl: `http://127.0.0.1:${port}/shop/pay/tok`,
    received,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
