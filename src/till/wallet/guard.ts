// Stops the wallet for good once a computation of ours was found wrong: the machine or the program cannot be trusted with the next
// payment. Only a restart by the operator lets it answer again.
import { outputMismatch } from '../../grin/crypto/index.js'
import { walletStopped } from '../errors.js'
import type { IncomingSlate, Wallet } from '../parts.js'

const FAULT =
  'an output of ours, computed a second time, came out different; the payment was refused and no slate is answered until the till is restarted'

/** Runs work of the wallet. Throws WALLET_STOPPED instead of work and instead of its result once some work met OUTPUT_MISMATCH. */
export interface WalletGuard {
  fault(): string | undefined
  refuseStopped(): void
  run<T>(work: () => Promise<T>): Promise<T>
}

/** `onFault` is called once, at the moment of the fault. */
export function createWalletGuard(onFault: (fault: string) => void = () => undefined): WalletGuard {
  let fault: string | undefined

  function refuseStopped(): void {
    if (fault !== undefined) throw walletStopped()
  }

  function remember(thrown: unknown): never {
    if (outputMismatch.is(thrown) && fault === undefined) {
      fault = FAULT
      onFault(fault)
    }
    throw thrown
  }

  return {
    fault: () => fault,
    refuseStopped,
    async run(work) {
      refuseStopped()
      const result = await work().catch(remember)
      refuseStopped() // another payment met the fault meanwhile
      return result
    },
  }
}

/** The wallet behind a guard: every way to a slate and out of it asks first. */
export function guardWallet(wallet: Omit<Wallet, 'fault'>, guard: WalletGuard): Wallet {
  const guarded = (slate: IncomingSlate): IncomingSlate => ({
    ...slate,
    receive: (keyIndex) => guard.run(() => slate.receive(keyIndex)),
    finalize: (invoice, tip) => guard.run(() => slate.finalize(invoice, tip)),
  })
  return {
    address: wallet.address,
    fault: guard.fault,
    open: async (text, options) => guarded(await guard.run(() => wallet.open(text, options))),
    read(json) {
      guard.refuseStopped()
      return guarded(wallet.read(json))
    },
    issue: (amount, keyIndex) => guard.run(() => wallet.issue(amount, keyIndex)),
  }
}
