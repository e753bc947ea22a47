// The certificate of PAY_TLS while the till runs: a renewed one serves the next connection, a bad one changes nothing.
import type { Server } from 'node:https'
import { configurationError } from '../../../config/index.js'
import { type Certificate, CertificateFault, type CertificateFiles, readCertificate } from '../../../http/index.js'
import { messageOf } from '../../../lib/errors.js'
import type { SystemClock } from '../../../system/index.js'
import type { Part, RuntimeLog } from '../../runtime.js'
import { stampOf } from '../file-stamp.js'
import { createLoop } from '../loop.js'

const POLL_MS = 2000
const SETTING = { cert: 'PAY_TLS_CERT', key: 'PAY_TLS_KEY' } as const

export interface LiveCertificateParts {
  readonly files: CertificateFiles
  readonly server: Pick<Server, 'setSecureContext'>
  readonly clock: Pick<SystemClock, 'sleep'>
  readonly log: RuntimeLog
}

export interface LiveCertificate {
  /** Throws CONFIGURATION; the certificate in force stays. */
  reload(): void
  /** Watches the files. */
  readonly part: Part
}

/** Throws CONFIGURATION with the setting at fault. */
export function readTillCertificate(files: CertificateFiles): Certificate {
  try {
    return readCertificate(files)
  } catch (thrown) {
    if (!(thrown instanceof CertificateFault)) throw thrown
    const setting = SETTING[thrown.file]
    throw configurationError([{ setting, text: `${setting} ${thrown.message}` }])
  }
}

export function createLiveCertificate({ files, server, clock, log }: LiveCertificateParts): LiveCertificate {
  const paths = [files.cert, files.key]
  let seen = stampOf(paths)

  function reload(): void {
    seen = stampOf(paths) // also of a broken file, which is reported once
    server.setSecureContext({ ...readTillCertificate(files), minVersion: 'TLSv1.2' })
    log.info({}, 'certificate read again')
  }

  async function watch(): Promise<void> {
    if (stampOf(paths) === seen) return
    try {
      reload()
    } catch (thrown) {
      log.error({ cause: messageOf(thrown) }, 'a changed certificate cannot be used: the one in force stays')
    }
  }

  return { reload, part: createLoop({ name: 'certificate', everyMs: POLL_MS, pass: watch, sleep: clock.sleep, log }) }
}
