// Relay clients that were not written here, as programs: one round through a relay, a JSON line per step (test/interop/README.md).
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ORACLES = process.env.GRINPAY_ORACLES ?? join(homedir(), '.cache/grinpay-oracles')
const ROUND_MS = 120_000

export const FOREIGN_CLIENTS = { 'rust-nostr': 'grinpay-rust-client', 'go-nostr': 'grinpay-go-client' } as const
export type ForeignClient = keyof typeof FOREIGN_CLIENTS

export const programOf = (client: ForeignClient): string => join(ORACLES, 'bin', FOREIGN_CLIENTS[client])

/** Why this client is not here, or undefined when it is. */
export const missingClient = (client: ForeignClient): string | undefined =>
  existsSync(programOf(client))
    ? undefined
    : `no ${FOREIGN_CLIENTS[client]} in ${ORACLES}/bin (test/interop/install-rails.sh)`

/** What the client saw, by step. Rejects with what it said when its round does not come to an end. */
export async function roundOf(client: ForeignClient, relay: string): Promise<Readonly<Record<string, object>>> {
  const { stdout } = await promisify(execFile)(programOf(client), [relay], { timeout: ROUND_MS })
  const lines = stdout.split('\n').filter(Boolean)
  return Object.fromEntries(
    lines.map((line) => {
      const { step, ...seen } = JSON.parse(line) as { readonly step: string }
      return [step, seen]
    }),
  )
}
