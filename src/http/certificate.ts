// The certificate of a listener with TLS: two PEM files, read at the start and whenever they change.
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { messageOf } from '../lib/errors.js'

/** Paths of PEM files: the certificate chain and its private key. */
export interface CertificateFiles {
  readonly cert: string
  readonly key: string
}

export interface Certificate {
  readonly cert: Buffer
  readonly key: Buffer
}

/** Which of the files is at fault, and why. The text never holds what is in them. */
export class CertificateFault extends Error {
  constructor(
    readonly file: keyof CertificateFiles,
    why: string,
  ) {
    super(why)
  }
}

/** Throws CertificateFault when a file cannot be read, is no PEM, or the key is not that of the certificate. */
export function readCertificate(files: CertificateFiles): Certificate {
  const read = (file: keyof CertificateFiles): Buffer => {
    try {
      return readFileSync(files[file])
    } catch (thrown) {
      throw new CertificateFault(file, `cannot be read (${messageOf(thrown)})`)
    }
  }
  const [cert, key] = [read('cert'), read('key')]
  try {
    createSecureContext({ cert })
  } catch {
    throw new CertificateFault('cert', `holds no certificate in PEM form (got "${files.cert}")`)
  }
  try {
    createSecureContext({ key })
  } catch {
    throw new CertificateFault('key', `holds no private key in PEM form, or one with a passphrase (got "${files.key}")`)
  }
  try {
    createSecureContext({ cert, key })
  } catch {
    throw new CertificateFault('key', `is not the key of the certificate in "${files.cert}" (got "${files.key}")`)
  }
  return { cert, key }
}
