// Sales between keys: the authority verifies and moves the name, it never holds funds (specification: names, 10).
import type { AuthorityLoop, AuthoritySettings, TransferSettings, Transfers } from '../api.js'
import { nothingHere } from '../errors.js'
import type { Clock, KernelSource, Log, NameReads, OfferStore } from '../ports.js'
import { createEndings } from './endings.js'
import { createLook } from './looks.js'

interface TransferParts {
  readonly store: OfferStore & Pick<NameReads, 'activeName'>
  readonly kernels: KernelSource
  readonly clock: Pick<Clock, 'now' | 'sleep'>
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly settings: Pick<AuthoritySettings, 'domain' | 'nameMin' | 'nameMax' | 'cooldownSeconds'>
  readonly rules: TransferSettings
}

/** How long an offer that nobody looks at may stay live after it lapsed. */
const SWEEP_MS = 30_000

/** The curves and addresses of payments are loaded by the first sale: most authorities never see one. */
export function createTransfers(parts: TransferParts): Transfers & { readonly loops: readonly AuthorityLoop[] } {
  const endings = createEndings(parts)
  const look = createLook(parts)
  return {
    async lodge(caller, body) {
      const { createLodge } = await import('./lodge.js')
      return createLodge(parts)(caller, body)
    },
    async read(offerId) {
      const offer = await parts.store.offer(offerId)
      if (!offer) throw nothingHere()
      const { event, status } = await endings.seen(offer)
      return { event, status }
    },
    revoke: endings.revoke,
    async claim(caller, body) {
      const { createClaim } = await import('./claim.js')
      return createClaim({ ...parts, endings, look })(caller, body)
    },
    loops: [{ name: 'lapsed-offers', everyMs: SWEEP_MS, pass: endings.sweep }],
  }
}
