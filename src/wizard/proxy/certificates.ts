// The certificates that a proxy's configuration names: a proxy that finds one missing does not start, and takes every other site down with it.
import { statSync } from 'node:fs'
import { hasCode } from '../../lib/errors.js'
import { certificateMissing } from '../errors.js'

/** As our templates write them: `ssl_certificate FILE;`, `ssl_certificate_key FILE;`, `tls CHAIN KEY`. */
const NAMED = [/^\s*ssl_certificate(?:_key)? (\S+);/gm, /^\s*tls (\S+) (\S+)$/gm]

/** Files of certificates and keys that the configuration names and that are not there; those that may not be looked at count as there. */
export const missingCertificates = (configuration: string): readonly string[] => {
  const named = NAMED.flatMap((form) => [...configuration.matchAll(form)].flatMap(([, ...files]) => files))
  return [...new Set(named)].filter(isMissing)
}

/** Throws CERTIFICATE_MISSING. */
export function requireCertificates(configuration: string): void {
  const missing = missingCertificates(configuration)
  if (missing.length > 0) throw certificateMissing(missing)
}

function isMissing(path: string): boolean {
  try {
    statSync(path)
    return false
  } catch (error) {
    return hasCode(error, 'ENOENT')
  }
}
