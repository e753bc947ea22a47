// Sales between keys: the authority verifies the payment and moves the name; it never holds funds (specification: names, 10).
import type { Clock, Log } from '../../lib/ports.js'
import type { AuthorityLoop, AuthoritySettings, TransferSettings, Transfers } from '../api.js'
import { nothingHere } from '../errors.js'
import type { KernelSource, NameReads, OfferStore } from '../ports.js'
import { createEndings } from './endings.js'
import { createKernelLookup } from './kernel-lookups.js'

interface TransferParts {
  readonly store: OfferStore & Pick<NameReads, 'activeName'>
  readonly kernels: KernelSource
  readonly clock: Pick<Clock, 'now' | 'sleep'>
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly settings: Pick<AuthoritySettings, 'domain' | 'nameMin' | 'nameMax' | 'cooldownSeconds'>
  readonly rules: TransferSettings
}

/** How long an unread offer may stay live after it lapsed. */
const SWEEP_MS = 30_000

/** The first sale loads curve and address code: most authorities never need it. */
export function createTransfers(parts: TransferParts): Transfers & { readonly loops: readonly AuthorityLoop[] } {
  const endings = createEndings(parts)
  const lookUpKernel = createKernelLookup(parts)
  return {
    async createOffer(caller, body) {
      const { offerCreator } = await import('./offer.js')
      return offerCreator(parts)(caller, body)
    },
    async read(offerId) {
      const offer = await parts.store.offer(offerId)
      if (!offer) throw nothingHere()
      const { event, status } = await endings.peek(offer)
      return { event, status }
    },
    revoke: endings.revoke,
    async claim(caller, body) {
      const { createClaim } = await import('./claim.js')
      return createClaim({ ...parts, endings, lookUpKernel })(caller, body)
    },
    loops: [{ name: 'lapsed-offers', everyMs: SWEEP_MS, pass: endings.sweep }],
  }
}
