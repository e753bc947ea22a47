// A ring of signatures and verdicts in memory shared by two threads. One side posts and takes, the other checks. Tickets count up and wrap; the low
// bits of a ticket are its slot.
import type { NostrEvent } from '../nostr/event/index.js'
import { isSignature } from '../nostr/keys/index.js'

/** A power of two. At 50 us per signature a full ring is a tenth of a second of work. */
export const RING_SLOTS = 2048
const SLOT_BYTES = 128
const [POSTED, CHECKED, NOTIFIED, STOPPED] = [0, 1, 2, 3]
const CONTROL_BYTES = 16
/** A stop between the last check and the sleep is noticed after this time. */
const LONGEST_SLEEP_MS = 1_000

/** A ring in new memory, or the other side of the ring in `memory`. */
export function createSignatureRing(
  memory = new SharedArrayBuffer(CONTROL_BYTES + RING_SLOTS + RING_SLOTS * SLOT_BYTES),
) {
  const control = new Int32Array(memory, 0, 4)
  const verdicts = new Uint8Array(memory, CONTROL_BYTES, RING_SLOTS)
  const signatures = Buffer.from(memory, CONTROL_BYTES + RING_SLOTS)
  // The C library reads a copy, which cannot change during the check.
  const copy = Buffer.alloc(SLOT_BYTES)
  const [id, pubkey, signature] = [copy.subarray(0, 32), copy.subarray(32, 64), copy.subarray(64)]
  let taken = 0

  const slotOf = (ticket: number): number => ticket & (RING_SLOTS - 1)
  const writeHex = (text: string, at: number, length: number): boolean =>
    text.length === 2 * length && signatures.write(text, at, length, 'hex') === length
  const load = (index: number): number => Atomics.load(control, index)

  return {
    memory,

    /** Number of posted signatures without a taken verdict; for the posting side. */
    size: (): number => (load(POSTED) - taken) | 0,

    /** Posts a signature; the ring must not be full. Invalid hex becomes zeros, which are no valid signature. */
    post({ id, pubkey, sig }: NostrEvent): void {
      const ticket = load(POSTED)
      const at = slotOf(ticket) * SLOT_BYTES
      const written = writeHex(id, at, 32) && writeHex(pubkey, at + 32, 32) && writeHex(sig, at + 64, 64)
      if (!written) signatures.fill(0, at, at + SLOT_BYTES)
      Atomics.store(control, POSTED, (ticket + 1) | 0)
      Atomics.notify(control, POSTED)
    },

    /** Takes the oldest verdict; undefined: none is ready. */
    take(): boolean | undefined {
      if (taken === load(CHECKED)) return undefined
      const verdict = verdicts[slotOf(taken)] === 1
      taken = (taken + 1) | 0
      return verdict
    },

    /** Checks the oldest unchecked signature; false: there is none. One thread at a time. */
    checkNext(): boolean {
      const ticket = load(CHECKED)
      if (ticket === load(POSTED)) return false
      const at = slotOf(ticket) * SLOT_BYTES
      signatures.copy(copy, 0, at, at + SLOT_BYTES)
      verdicts[slotOf(ticket)] = isSignature(signature, id, pubkey) ? 1 : 0
      Atomics.store(control, CHECKED, (ticket + 1) | 0)
      return true
    },

    /** The next ticket to check. */
    position: (): number => load(CHECKED),

    /** Blocks the thread until a signature is posted. */
    sleep: (): void => void Atomics.wait(control, POSTED, load(CHECKED), LONGEST_SLEEP_MS),

    /** Asks the thread to end before its next signature, and wakes it. For the posting side, which posts nothing afterwards. */
    stop(): void {
      Atomics.store(control, STOPPED, 1)
      Atomics.notify(control, POSTED)
    },
    isStopped: (): boolean => load(STOPPED) === 1,

    /** True when the posting side needs a message about verdicts: it has listened since the last one. */
    mustTell: (): boolean => Atomics.exchange(control, NOTIFIED, 1) === 0,

    /** Call before taking verdicts: later ones cause a new message. */
    listen: (): void => void Atomics.store(control, NOTIFIED, 0),
  }
}
