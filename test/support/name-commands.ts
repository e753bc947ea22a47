// Runs the commands of the name authority from source, on a real names.db that a store of this process has open as well.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Offer } from '../../src/authority/index.js'
import { shapeOf } from '../../src/authority/index.js'
import { nanoGrin } from '../../src/grin/amount/index.js'
import { formatNpub } from '../../src/nostr/nip19/index.js'
import { type OpenNameStore, openNameStore } from '../../src/storage/index.js'
import { type Ran, runCommandClass } from './run-command.js'

export const [ADA, BOB] = ['a1'.repeat(32), 'b2'.repeat(32)] as const
export const [ADA_NPUB, BOB_NPUB] = [formatNpub(ADA), formatNpub(BOB)] as const
export const NOON = Date.UTC(2026, 10, 21, 12)

export interface NamesForCommands {
  readonly folder: string
  readonly dbPath: string
  readonly envFile: string
  /** As the running authority would have it. */
  readonly store: OpenNameStore
  claim(name: string, pubkey: string): Promise<void>
  /** Of `name`, by ADA to BOB for 1.5 GRIN. */
  offer(name: string): Promise<Offer>
  /** A grant of 2 GRIN for a name, pending. */
  grant(pubkey: string, invoiceId: string): Promise<void>
  /** Runs with `--settings` of this authority. */
  run(command: Parameters<typeof runCommandClass>[0], ...argv: readonly string[]): Promise<Ran>
  close(): Promise<void>
}

export async function namesForCommands(settings = ''): Promise<NamesForCommands> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-names-'))
  const dbPath = join(folder, 'names.db')
  const envFile = join(folder, 'nameauth.env')
  writeFileSync(envFile, `NAMEAUTH_DOMAIN=names.example.org\nNAMEAUTH_NAMES_DB=${dbPath}\n${settings}`)
  const store = await openNameStore({ path: dbPath, now: () => NOON })
  return {
    folder,
    dbPath,
    envFile,
    store,
    async claim(name, pubkey) {
      const claim = { shape: shapeOf(name), pubkey, now: NOON, cooldownMs: 0, paid: false }
      const { outcome } = await store.claimName(claim)
      if (outcome !== 'claimed') throw new Error(`${name}: ${outcome}`)
    },
    async offer(name) {
      const offer = anOffer(name)
      const outcome = await store.createOffer(offer)
      if (outcome !== 'stored') throw new Error(`${name}: ${outcome}`)
      return offer
    },
    async grant(pubkey, invoiceId) {
      const payUrl = `https://pay.example/${invoiceId}`
      const amount = nanoGrin(2_000_000_000n)
      const state = { status: 'pending', createdAt: NOON, paidAt: null } as const
      await store.saveGrant({ pubkey, resource: 'name', serial: 1, invoiceId, payUrl, amount, ...state }, null)
    },
    run: (command, ...argv) => runCommandClass(command, [...argv, '--settings', envFile]),
    async close() {
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Of `name`, by ADA to BOB for 1.5 GRIN. */
export function anOffer(name: string): Offer {
  const id = Buffer.from(name).toString('hex').padEnd(64, '0')
  return {
    id,
    event: {
      id,
      pubkey: ADA,
      created_at: NOON / 1000,
      kind: 3402,
      tags: [['name', name]],
      content: '',
      sig: '5f'.repeat(64),
    },
    name,
    seller: ADA,
    buyer: BOB,
    price: nanoGrin(1_500_000_000n),
    proofAddress: `grin1${name}`,
    expiration: NOON / 1000 + 60,
    status: 'live',
    endHeight: null,
    stateChangedAt: NOON,
    createdAt: NOON,
  }
}
