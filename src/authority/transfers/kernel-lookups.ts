// Looks up the kernel of a payment. A node searches its whole history for an unknown kernel, and the buyer of every offer can name one:
// concurrent lookups are bounded, in total and per offer.
import { messageOf } from '../../lib/errors.js'
import type { Log } from '../../lib/ports.js'
import type { KernelSource } from '../ports.js'
import { createSingleFlight } from '../single-flight.js'

type Found = Awaited<ReturnType<KernelSource['kernel']>>

export interface KernelLookupParts {
  readonly kernels: Pick<KernelSource, 'kernel'>
  readonly log: Pick<Log, 'warn'>
}

/** Concurrent lookups; clients repeat the ones that are refused. */
const MAX_LOOKUPS = 16
const MAX_PER_OFFER = 4

/** The height of the kernel that a buyer names for an offer; undefined: unknown, or no answer now. Never rejects. */
export type KernelLookup = (offerId: string, excess: string) => Promise<Found>

export function createKernelLookup({ kernels, log }: KernelLookupParts): KernelLookup {
  const flights = createSingleFlight<Found>()
  /** The offers of the running lookups. */
  const asking: string[] = []

  async function lookUpKernel(offerId: string, excess: string): Promise<Found> {
    asking.push(offerId)
    try {
      return await kernels.kernel(excess)
    } catch (thrown) {
      log.warn({ why: messageOf(thrown) }, 'no Grin node tells whether a name is paid')
      return undefined
    } finally {
      asking.splice(asking.indexOf(offerId), 1)
    }
  }

  return async (offerId, excess) => {
    const running = flights.running(excess)
    if (running) return running
    if (asking.length < MAX_LOOKUPS && asking.filter((id) => id === offerId).length < MAX_PER_OFFER)
      return flights.share(excess, () => lookUpKernel(offerId, excess))
    log.warn({ offer: offerId }, 'too many payments are being looked for already')
    return undefined
  }
}
