// The life of one control connection: adds the service, follows its state, removes it.
import type { Channel } from './channel.js'
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
import { onionTaken } from './errors.js'
import { isOverdue, type OnionFacts } from './status.js'

export interface OnionSessionParts {
  readonly channel: Channel
  readonly service: OnionService
  readonly clock: { now(): number; sleep(ms: number, signal?: AbortSignal): Promise<void> }
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
export async function runSession({
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
