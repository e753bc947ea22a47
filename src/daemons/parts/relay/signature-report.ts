// How a relay checks signatures, as its threads report it: for the log and metrics of `serve relay`. Without the C library publishing is slower, and
// nothing else shows why.
import { noticeLine } from '../../../lib/notice-line.js'
import { type SignatureCheck, SLOW_SIGNATURES } from '../../../nostr/keys/index.js'
import type { SystemLog } from '../../../system/index.js'
import { signatureThreadCount } from '../../../workers/index.js'

/** How events are checked: by which code, in how many threads. */
export interface SignatureSetup {
  readonly check: SignatureCheck
  readonly threads: number
}

export interface SignatureStatus {
  /** Undefined until a thread is ready. */
  current(): SignatureSetup | undefined
  /** Resolves when the first thread is ready. */
  readonly known: Promise<SignatureSetup>
}

/** Asking on the main thread instead would load the library there: 15 ms of the event loop. */
export function createSignatureStatus(threads = signatureThreadCount()) {
  let current: SignatureSetup | undefined
  let settle: (setup: SignatureSetup) => void
  const known = new Promise<SignatureSetup>((resolve) => {
    settle = resolve
  })
  const status: SignatureStatus = { current: () => current, known }
  return {
    status,
    /** For the threads. */
    report(check: SignatureCheck): void {
      current = { check, threads }
      settle(current)
    },
  }
}

export function reportSignatureSetup({ check, threads }: SignatureSetup, log: Pick<SystemLog, 'info' | 'warn'>): void {
  if (check === 'native') log.info({ threads }, 'signatures are checked by the C library')
  else log.warn({ threads }, noticeLine(SLOW_SIGNATURES))
}
