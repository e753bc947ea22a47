// A window: one program that has a person's wallet open, and that may be dropped at any of its awaits.
import type { Prover } from '../../../src/grin/crypto/index.js'
import type { Keychain } from '../../../src/grin/keychain/index.js'
import { createSigner, openWallet, type Signer, type Wallet } from '../../../src/wallet/index.js'
import type { Chance } from '../ground/chance.js'
import type { Process, VirtualTime } from '../ground/time.js'
import type { Trace } from '../ground/trace.js'
import type { WorldProofs } from './proofs.js'
import type { Pass, SharedStorage } from './storage.js'

export interface Window {
  readonly name: string
  readonly process: Process
  readonly wallet: Wallet
  readonly pass: Pass
  /** Runs a verb of the wallet; `gone` if the window was dropped meanwhile. */
  does<T>(job: (wallet: Wallet) => Promise<T>): Promise<T | 'gone'>
  drop(point: string): void
}

export interface WindowParts {
  readonly time: VirtualTime
  readonly chance: Chance
  readonly trace: Trace
  readonly keychain: Keychain
  readonly storage: SharedStorage
  readonly proofs: WorldProofs
  /** Notes which key makes which output. */
  readonly prove: Prover['prove']
  /** How often a window is dropped at one of its awaits, from 0 to 1. */
  readonly dropping: () => number
  /** The signer lives in another process: every call of it takes time. */
  readonly isSignerElsewhere: boolean
}

const PROVER_MS = 3000
const SIGNER_MS = 200

/** Rejects with what `openWallet` rejects with; `gone`: dropped while it opened. */
export async function openWindow(name: string, parts: WindowParts): Promise<Window | 'gone'> {
  const { time, chance, trace, keychain, proofs } = parts
  const process: Process = { name, skewMs: 0, isGone: false }
  let tellGone: (value: 'gone') => void = () => undefined
  const gone = new Promise<'gone'>((resolve) => {
    tellGone = resolve
  })

  function drop(point: string): void {
    if (process.isGone) return
    process.isGone = true
    trace.note(name, 'is dropped', point)
    trace.fault(`drop × ${point}`)
    tellGone('gone')
  }
  const pass: Pass = async (point, mostMs) => {
    const ms = chance.whole(0, mostMs)
    await time.within(process, () => new Promise((resolve) => void setTimeout(resolve, ms)))
    if (!chance.is(parts.dropping())) return
    drop(point)
    await new Promise(() => undefined)
  }
  async function slowly<T>(what: string, mostMs: number, job: () => Promise<T>): Promise<T> {
    await pass(what, mostMs)
    const answer = await job()
    await pass(`${what} answered`, mostMs)
    return answer
  }

  const prover: Prover = {
    prove: (input) => slowly('prover', PROVER_MS, () => parts.prove(input)),
    verify: (commitment, proof) => slowly('prover', SIGNER_MS, () => proofs.verify(commitment, proof)),
  }
  const random = (length: number): Uint8Array => chance.bytes(length)
  const now = () => time.now() + process.skewMs
  const inProcess = createSigner({ keychain, prover, random, now })
  const { identify } = proofs
  const finding: Signer = {
    ...inProcess,
    ...(identify && { identify: async (outputs) => identify(keychain, outputs) }),
    // Encryption loads its library, and reads streams of the platform: work of the machine, in no time of the world.
    readSlatepack: (...asked) => time.hold(inProcess.readSlatepack(...asked)),
    writeSlatepack: (...asked) => time.hold(inProcess.writeSlatepack(...asked)),
  }
  const signer = parts.isSignerElsewhere ? elsewhere(finding, slowly) : finding
  const view = parts.storage.view(pass)
  const within = <T>(job: () => Promise<T>) => Promise.race([time.within(process, job), gone])
  const wallet = await within(() =>
    openWallet({ signer, storage: view, chainType: 'sandbox', random, now, sleep: (ms) => time.sleep(ms) }),
  )
  if (wallet === 'gone') return wallet
  return { name, process, wallet, pass, drop, does: (job) => within(() => job(wallet)) }
}

type Slowly = <T>(what: string, mostMs: number, job: () => Promise<T>) => Promise<T>

/** Every call of the signer takes time on the way there and back. */
function elsewhere(signer: Signer, slowly: Slowly): Signer {
  const call =
    <Args extends unknown[], T>(job: (...args: Args) => Promise<T>) =>
    (...args: Args): Promise<T> =>
      slowly('signer', SIGNER_MS, () => job(...args))
  return {
    identity: call(signer.identity),
    viewKey: call(signer.viewKey),
    outputs: call(signer.outputs),
    identify: call(signer.identify),
    address: call(signer.address),
    addresses: call(signer.addresses),
    readSlatepack: call(signer.readSlatepack),
    writeSlatepack: call(signer.writeSlatepack),
    beginSend: call(signer.beginSend),
    finishSend: call(signer.finishSend),
    receive: call(signer.receive),
    beginInvoice: call(signer.beginInvoice),
    finishInvoice: call(signer.finishInvoice),
    pay: call(signer.pay),
  }
}
