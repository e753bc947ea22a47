// Looking for a payment on the chain. A node goes through its whole history for a kernel that it does not know, and the buyer of any
// offer can name one: what is asked at the same time is bounded, and one offer cannot use it all up.
import { messageOf } from '../../lib/errors.js'
import type { KernelSource, Log } from '../ports.js'
import { createSingleFlight } from '../single-flight.js'

type Found = Awaited<ReturnType<KernelSource['kernel']>>

export interface LookParts {
  readonly kernels: Pick<KernelSource, 'kernel'>
  readonly log: Pick<Log, 'warn'>
}

/** Kernels that the nodes are asked about at once; more has to come again later. */
const MOST_LOOKS = 16
const MOST_OF_OFFER = 4

/** Where the kernel is that an offer is said to be paid with; undefined: unknown, or nobody tells now. Never rejects. */
export type Look = (offerId: string, excess: string) => Promise<Found>

export function createLook({ kernels, log }: LookParts): Look {
  const flights = createSingleFlight<Found>()
  /** The offers behind the looks under way. */
  const asking: string[] = []

  async function look(offerId: string, excess: string): Promise<Found> {
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
    if (asking.length < MOST_LOOKS && asking.filter((id) => id === offerId).length < MOST_OF_OFFER)
      return flights.share(excess, () => look(offerId, excess))
    log.warn({ offer: offerId }, 'too many payments are being looked for already')
    return undefined
  }
}
