// Keeps one onion service alive in the local tor, also across restarts of tor (specification: invoicing, 5.1).
import { backoff } from '../lib/backoff.js'
import { GrinpayError, messageOf } from '../lib/errors.js'
import type { Clock, Log } from '../lib/ports.js'
import type { RandomBytes } from '../lib/random-bytes.js'
import type { Channel } from './channel.js'
import { formatEndpoint } from './channel.js'
import {
  addOnion,
  type BootstrapProgress,
  hasOnion,
  type OnionService,
  parseNotice,
  readProgress,
  removeOnion,
  TOR_EVENTS,
} from './commands.js'
import { openControl, type TorControlParts } from './control.js'
import { onionTaken } from './errors.js'
import { detailOf, isOverdue, NOTHING_KNOWN, type OnionFacts, type OnionStatus, onionStatus } from './status.js'

// The life of one control connection: adds the service, follows its state, removes it.
interface OnionSessionParts {
  readonly channel: Channel
  readonly service: OnionService
  readonly clock: Pick<Clock, 'now' | 'sleep'>
  readonly facts: () => OnionFacts
  readonly learn: (news: Partial<OnionFacts>) => void
  /** The service was added again, because tor reported no upload for too long. */
  readonly onRenewal: () => void
  /** Ends the session and removes the service. */
  readonly stop: AbortSignal
}

/** Interval of status requests, which also detect a hanging control port. */
const CHECK_MS = 30_000

/** Resolves after `stop` and the removal of the service; rejects if the connection or tor fails. */
async function runSession({
  channel,
  service,
  clock,
  facts,
  learn,
  onRenewal,
  stop,
}: OnionSessionParts): Promise<void> {
  const { onion } = service

  const learnProgress = ({ percent, step }: BootstrapProgress): void =>
    learn({ bootstrap: percent, step, joinedAt: percent < 100 ? null : (facts().joinedAt ?? clock.now()) })

  async function add(retries: number): Promise<void> {
    await addOrReplace(channel, service)
    learn({ connected: true, failure: null, addedAt: clock.now(), confirmed: false, refusal: null, retries })
  }

  async function check(): Promise<void> {
    const progress = await readProgress(channel)
    if (progress) learnProgress(progress)
    if (!(await hasOnion(channel, onion))) return add(0)
    if (!isOverdue(facts(), clock.now())) return
    onRenewal()
    await removeOnion(channel, onion)
    await add(facts().retries + 1)
  }

  channel.listen((line) => {
    const notice = parseNotice(line, onion)
    if (notice?.kind === 'progress') learnProgress(notice.progress)
    if (notice?.kind === 'uploaded') learn({ publishedAt: clock.now(), confirmed: true, refusal: null, retries: 0 })
    if (notice?.kind === 'refused') learn({ refusal: notice.reason })
  })
  await channel.ask('SETEVENTS', TOR_EVENTS)
  const progress = await readProgress(channel)
  if (progress) learnProgress(progress)
  await add(0)
  const wake = AbortSignal.any([stop, channel.over])
  while (!wake.aborted) {
    await clock.sleep(CHECK_MS, wake)
    if (!wake.aborted) await check()
  }
  if (channel.over.aborted) throw channel.over.reason
  await removeOnion(channel, onion)
}

/**
 * Only the till has the key, so an existing service is the till's too. A detached service is removed first. A service of an earlier
 * connection ends when tor detects the end of that connection; until then this rejects with ONION_TAKEN.
 */
async function addOrReplace(channel: Channel, service: OnionService): Promise<void> {
  try {
    await addOnion(channel, service)
  } catch (thrown) {
    if (!onionTaken.is(thrown) || !(await removeOnion(channel, service.onion))) throw thrown
    await addOnion(channel, service)
  }
}

export interface OnionKeeperParts extends OnionService {
  readonly control: Omit<TorControlParts, 'clock' | 'random'>
  readonly clock: Pick<Clock, 'now' | 'sleep'>
  readonly random: RandomBytes
  readonly log: Pick<Log, 'info' | 'warn'>
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
