// The life of one control connection: hand the service over, follow what becomes of it, take it down again.
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
  /** The service was handed over again, because no upload was seen for too long. */
  readonly onRenewal: () => void
  /** Ends the session in good order. */
  readonly stop: AbortSignal
}

/** How often tor is asked whether everything still stands; a control port that hangs is noticed this way. */
const CHECK_MS = 30_000

/** Resolves after `stop`, with the service taken down; rejects when the connection or tor fails. */
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
 * The key is ours alone, so a service that is there already is ours too: one that was left detached goes; one of an earlier connection
 * goes as soon as tor sees that connection end, and until then ONION_TAKEN says so.
 */
async function addOrReplace(channel: Channel, service: OnionService): Promise<void> {
  try {
    await addOnion(channel, service)
  } catch (thrown) {
    if (!onionTaken.is(thrown) || !(await removeOnion(channel, service.onion))) throw thrown
    await addOnion(channel, service)
  }
}
