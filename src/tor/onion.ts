// Keeps one onion service alive in the local tor, also across restarts of tor (specification: invoicing, 5.1).

import { backoff } from '../lib/backoff.js'
import { GrinpayError, messageOf } from '../lib/errors.js'
import type { RandomBytes } from '../lib/random-bytes.js'
import { formatEndpoint } from './channel.js'
import type { OnionService } from './commands.js'
import { openControl, type TorControlParts } from './control.js'
import { runSession } from './session.js'
import { detailOf, NOTHING_KNOWN, type OnionFacts, type OnionStatus, onionStatus } from './status.js'

export interface KeeperLog {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
}

export interface OnionKeeperParts extends OnionService {
  readonly control: Omit<TorControlParts, 'clock' | 'random'>
  readonly clock: { now(): number; sleep(ms: number, signal?: AbortSignal): Promise<void> }
  readonly random: RandomBytes
  readonly log: KeeperLog
}

export interface OnionState {
  /** Whether payers can reach the service, as tor reports it. */
  readonly ok: boolean
  readonly standing: OnionStatus
  /** One sentence, with a remedy for a fault. */
  readonly detail: string
  /** With `.onion`. */
  readonly onion: string
  /** Percent; null = not known. */
  readonly bootstrap: number | null
  /** Last confirmed upload of the descriptor, epoch milliseconds. */
  readonly published: number | null
  /** tor's version, after the first connection. */
  readonly version: string | null
}

export interface OnionKeeper {
  /** Starts in the background; never throws. */
  start(): void
  state(): OnionState
  /** Removes the service. Idempotent; waits at most some seconds. */
  stop(): Promise<void>
}

const RETRY_MS = 2000
const RETRY_MOST_MS = 60_000
/** A connection of at least this time resets the back-off. */
const GOOD_AFTER_MS = 60_000
/** Time limit for the removal of the service. */
const STOP_LIMIT_MS = 3000

export function createOnionKeeper(parts: OnionKeeperParts): OnionKeeper {
  const { clock, random, log } = parts
  const service: OnionService = { onion: parts.onion, seed: parts.seed, port: parts.port }
  const onion = `${parts.onion}.onion`
  const stopping = new AbortController()
  let facts: OnionFacts = NOTHING_KNOWN
  let version: string | null = null
  let running: Promise<void> | undefined
  let cut: () => void = () => undefined

  function learn(news: Partial<OnionFacts>): void {
    const before = { standing: onionStatus(facts), failure: facts.failure }
    facts = { ...facts, ...news }
    const standing = onionStatus(facts)
    if (stopping.signal.aborted || (standing === before.standing && facts.failure === before.failure)) return
    const fields = { onion, standing, ...(facts.failure === null ? {} : { cause: facts.failure }) }
    if (standing === 'down') log.warn(fields, 'onion service is down')
    else log.info(fields, LOGGED[standing])
  }

  async function connectOnce(): Promise<void> {
    const channel = await openControl({ ...parts.control, clock, random }, stopping.signal)
    cut = channel.close
    version = channel.version
    const onRenewal = () => log.warn({ onion }, 'no upload of the onion service was seen for long: publishing it anew')
    try {
      await runSession({ channel, service, clock, facts: () => facts, learn, onRenewal, stop: stopping.signal })
    } finally {
      channel.close()
    }
  }

  async function keep(): Promise<void> {
    let failures = 0
    while (!stopping.signal.aborted) {
      const begun = clock.now()
      await connectOnce().catch((thrown: unknown) => learn({ ...UNCONNECTED, failure: failureOf(thrown) }))
      failures = clock.now() - begun >= GOOD_AFTER_MS ? 1 : failures + 1
      await clock.sleep(pause(failures, random.bytes(1)), stopping.signal)
    }
  }

  return {
    start() {
      log.info({ onion, control: formatEndpoint(parts.control.endpoint) }, 'onion service is looked after')
      running ??= keep()
    },
    state() {
      const { bootstrap, publishedAt: published } = facts
      const standing = onionStatus(facts)
      const detail = detailOf(facts, clock.now())
      return { ok: standing === 'published', standing, detail, onion, bootstrap, published, version }
    },
    async stop() {
      stopping.abort()
      const ended = new AbortController()
      const limit = clock.sleep(STOP_LIMIT_MS, ended.signal).then(() => cut())
      await running
      ended.abort()
      await limit
    },
  }
}

const UNCONNECTED: Partial<OnionFacts> = {
  connected: false,
  bootstrap: null,
  step: '',
  joinedAt: null,
  addedAt: null,
  refusal: null,
}

const LOGGED: Readonly<Record<Exclude<OnionStatus, 'down'>, string>> = {
  connecting: 'connecting to tor',
  bootstrapping: 'onion service waits until tor has joined its network',
  publishing: 'onion service is being published',
  published: 'onion service is published',
}

/** Half to all of 2, 4, 8 … 60 seconds. */
const pause = (failures: number, [byte = 0]: Uint8Array): number =>
  Math.round((backoff(failures, RETRY_MS, RETRY_MOST_MS) * (255 + byte)) / 510)

/** A bug must not end the service, so it is logged instead. */
const failureOf = (thrown: unknown): string => {
  if (thrown instanceof GrinpayError) return thrown.hint ? `${thrown.message} (${thrown.hint})` : thrown.message
  return `unexpected: ${messageOf(thrown)}`
}
