// Signatures on their way to whoever checks them, and the verdicts on their way back, in memory that two threads share. One side
// posts and takes, the other checks; tickets count up and wrap, the place of a ticket is its low bits.
import type { NostrEvent } from '../nostr/event/index.js'
import { isSignature } from '../nostr/keys/index.js'

/** A power of two. At 50 us for a signature the checking side has work for a tenth of a second. */
export const RING_SLOTS = 2048
const SLOT_BYTES = 128
const [POSTED, CHECKED, NOTIFIED, STOPPED] = [0, 1, 2, 3]
const CONTROL_BYTES = 16
/** A stop that comes between the last look and the sleep is found after this. */
const LONGEST_SLEEP_MS = 1_000

/** A ring in new memory, or the other side of the ring in `memory`. */
export function createSignatureRing(
  memory = new SharedArrayBuffer(CONTROL_BYTES + RING_SLOTS + RING_SLOTS * SLOT_BYTES),
) {
  const control = new Int32Array(memory, 0, 4)
  const verdicts = new Uint8Array(memory, CONTROL_BYTES, RING_SLOTS)
  const signatures = Buffer.from(memory, CONTROL_BYTES + RING_SLOTS)
  // The library in C reads a copy: its own memory cannot change under it.
  const copy = Buffer.alloc(SLOT_BYTES)
  const [id, pubkey, signature] = [copy.subarray(0, 32), copy.subarray(32, 64), copy.subarray(64)]
  let taken = 0

  const slotOf = (ticket: number): number => ticket & (RING_SLOTS - 1)
  const writeHex = (text: string, at: number, length: number): boolean =>
    text.length === 2 * length && signatures.write(text, at, length, 'hex') === length
  const load = (index: number): number => Atomics.load(control, index)

  return {
    memory,

    /** Posted and not taken yet; for the posting side. */
    size: (): number => (load(POSTED) - taken) | 0,

    /** Only with fewer than RING_SLOTS in it. What is no hex of the right length becomes zeros, which are no signature. */
    post({ id, pubkey, sig }: NostrEvent): void {
      const ticket = load(POSTED)
      const at = slotOf(ticket) * SLOT_BYTES
      const written = writeHex(id, at, 32) && writeHex(pubkey, at + 32, 32) && writeHex(sig, at + 64, 64)
      if (!written) signatures.fill(0, at, at + SLOT_BYTES)
      Atomics.store(control, POSTED, (ticket + 1) | 0)
      Atomics.notify(control, POSTED)
    },

    /** The oldest verdict that was not taken; undefined: there is none yet. */
    take(): boolean | undefined {
      if (taken === load(CHECKED)) return undefined
      const verdict = verdicts[slotOf(taken)] === 1
      taken = (taken + 1) | 0
      return verdict
    },

    /** Checks the oldest signature that is not checked; false: there is none. One thread at a time. */
    checkNext(): boolean {
      const ticket = load(CHECKED)
      if (ticket === load(POSTED)) return false
      const at = slotOf(ticket) * SLOT_BYTES
      signatures.copy(copy, 0, at, at + SLOT_BYTES)
      verdicts[slotOf(ticket)] = isSignature(signature, id, pubkey) ? 1 : 0
      Atomics.store(control, CHECKED, (ticket + 1) | 0)
      return true
    },

    /** The ticket that is checked next. */
    position: (): number => load(CHECKED),

    /** Blocks the thread until there is something to check. */
    sleep: (): void => void Atomics.wait(control, POSTED, load(CHECKED), LONGEST_SLEEP_MS),

    /** The thread shall end: it stops before the next signature, or is woken. For the posting side, which posts nothing to a thread any more. */
    stop(): void {
      Atomics.store(control, STOPPED, 1)
      Atomics.notify(control, POSTED)
    },
    isStopped: (): boolean => load(STOPPED) === 1,

    /** Whether the posting side is to be told of verdicts: false while it has not listened since it was told. */
    mustTell: (): boolean => Atomics.exchange(control, NOTIFIED, 1) === 0,

    /** Before taking: later verdicts are told anew. */
    listen: (): void => void Atomics.store(control, NOTIFIED, 0),
  }
}
