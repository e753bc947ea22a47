// The wallet's Foreign API v2, as far as a till has one (specification: invoicing, 5.2; grin-wallet, 7). Slates are V4 JSON both ways.
import { decodeSlate, formatSlateJson } from '../../grin/slate/index.js'
import { badArgument, type RpcMethod } from '../../lib/json-rpc.js'
import type { PasteReply } from '../api.js'
import type { Wallet } from '../parts.js'
import type { RailIntake } from '../till.js'
import { grin1Rail } from './rail.js'

export interface MethodParts {
  readonly wallet: Pick<Wallet, 'read'>
  readonly till: Pick<RailIntake, 'accept' | 'finalize' | 'markReplied'>
}

/** Runs work that may take long; rejects when a wallet would no longer wait. */
export type InTime = <T>(work: Promise<T>) => Promise<T>

const VERSION = { foreign_api_version: 2, supported_slate_versions: ['V4'] }

/** An account of ours and an address to deliver to: stock senders pass null, and nothing here depends on them. */
function checkOptional(value: unknown, name: string, position: number): void {
  if (value !== null && typeof value !== 'string') throw badArgument(name, position)
}

/** Stock wallets take a slate as an object, never as text. */
function checkSlate(value: unknown): void {
  if (typeof value !== 'object') throw badArgument('slate', 0)
}

/** The stored bytes as JSON, the same for every repeat. */
const slateOf = ({ payment }: PasteReply): unknown => JSON.parse(formatSlateJson(decodeSlate(payment.s2)))

/**
 * The methods by name. Each answers only what the store already holds: a wallet that never gets the answer sends the same slate
 * again and reads the same bytes. `build_coinbase` is for miners and not among them.
 */
export function foreignMethods({ wallet, till }: MethodParts, inTime: InTime): Readonly<Record<string, RpcMethod>> {
  async function handOut(work: Promise<PasteReply>): Promise<unknown> {
    const reply = await inTime(work)
    const slate = slateOf(reply)
    if (reply.payment.settlement === 'received') await till.markReplied(reply.payment.id)
    return { Ok: slate }
  }

  return {
    check_version: { names: [], call: () => ({ Ok: VERSION }) },
    receive_tx: {
      names: ['slate', 'dest_acct_name', 'dest'],
      call([slate, account, dest]) {
        checkSlate(slate)
        checkOptional(account, 'dest_acct_name', 1)
        checkOptional(dest, 'dest', 2)
        return handOut(till.accept({ slate: wallet.read(slate), rail: grin1Rail.name }))
      },
    },
    finalize_tx: {
      names: ['slate'],
      call([slate]) {
        checkSlate(slate)
        return handOut(till.finalize(wallet.read(slate)))
      },
    },
  }
}
