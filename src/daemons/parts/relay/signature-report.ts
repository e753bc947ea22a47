// The log line of `serve relay` about signatures: without the C library publishing is slower, and nothing else shows why.
import { noticeLine } from '../../../lib/notice-line.js'
import { type SignatureCheck, SLOW_SIGNATURES } from '../../../nostr/keys/index.js'
import type { SystemLog } from '../../../system/index.js'

/** How events are checked: by which code, in how many threads. */
export interface SignatureSetup {
  readonly check: SignatureCheck
  readonly threads: number
}

export function reportSignatureSetup({ check, threads }: SignatureSetup, log: Pick<SystemLog, 'info' | 'warn'>): void {
  if (check === 'native') log.info({ threads }, 'signatures are checked by the C library')
  else log.warn({ threads }, noticeLine(SLOW_SIGNATURES))
}

/** The library takes 15 ms of the event loop to load, which must not delay the first answers of a relay. */
const AFTER_MS = 1_000

/** Reports a second after the start. Does not keep the process alive. */
export function reportSignaturesLater(
  setup: () => SignatureSetup,
  log: Pick<SystemLog, 'info' | 'warn'>,
  afterMs = AFTER_MS,
): void {
  setTimeout(() => reportSignatureSetup(setup(), log), afterMs).unref()
}
