// The worker of the Nostr rail: takes gift wraps from the inbox, has them judged, and carries out the outcome.
import { setImmediate } from 'node:timers/promises'
import { messageOf } from '../../lib/errors.js'
import { openWrap, type Rumor } from '../../nostr/gift-wrap/index.js'
import { createLock } from '../locks.js'
import type { MessageQueue, TillParts } from '../parts.js'
import type { SeenStore } from '../ports.js'
import type { Inbox, IncomingWrap } from './inbox.js'
import { createJudge, type JudgeParts } from './judge.js'
import { AFTERMATH, type IngestDecision, type IngestOutcome } from './outcomes.js'
import type { Relays } from './ports.js'
import { createPump } from './pump.js'
import { createRefusals, type SendText } from './refusals.js'
import { createRetries, type Retryable } from './retry.js'

/** Messages under way at the same time; what one slate or invoice must do in order, the till's own locks keep in order. */
const WIDTH = 8
/** Memory that an attempt takes beyond its contents. */
const OVERHEAD = 1024

export interface IngestParts
  extends Omit<JudgeParts, 'store' | 'messages' | 'openWrap' | 'clock'>,
    Pick<TillParts, 'clock' | 'log'> {
  readonly inbox: Inbox
  readonly store: JudgeParts['store'] & Pick<SeenStore, 'markSeen'>
  readonly relays: Pick<Relays, 'blame' | 'refetch'>
  readonly messages: Pick<MessageQueue, 'kick' | 'requeue'>
  readonly sendText: SendText
  /** Defaults to that of the envelope library. */
  readonly openWrap?: typeof openWrap
}

export interface Ingest {
  /** The inbox has wraps. */
  kick(): void
  /** Asks the relays again for what the inbox had to drop; call it every few seconds. */
  pass(): Promise<void>
  /** Resolves when nothing runs and nothing may start now. */
  idle(): Promise<void>
  state(): {
    /** Since the start. */
    readonly outcomes: Readonly<Record<IngestOutcome, number>>
    readonly retrying: number
    readonly inbox: ReturnType<Inbox['state']>
  }
  /** Starts nothing more and waits for what runs; before the store is closed. */
  close(): Promise<void>
}

/** A wrap under way; `rumor` once it was opened, so that a second try costs no second unwrap. */
interface IngestAttempt extends Retryable {
  /** Epoch milliseconds: by it an invoice was open or not. */
  readonly arrivedAt: number
  readonly incoming: IncomingWrap
  readonly rumor: Rumor | undefined
  readonly counted: boolean
}

export function createIngest(parts: IngestParts): Ingest {
  const { inbox, store, relays, clock, log } = parts
  const lock = createLock()
  const open = parts.openWrap ?? openWrap
  /** Milliseconds of arithmetic: one at a time, and the event loop gets its turn before each. */
  const openInTurn: JudgeParts['openWrap'] = (wrap, receiver) =>
    lock('open', async () => {
      await setImmediate()
      return open(wrap, receiver)
    })
  const judge = createJudge({ ...parts, openWrap: openInTurn })
  const tell = createRefusals(parts)
  const retries = createRetries<IngestAttempt>(clock)
  const outcomes = Object.fromEntries(Object.keys(AFTERMATH).map((name) => [name, 0])) as Record<IngestOutcome, number>

  /** The decision, and the attempt with what was opened of it. Never rejects. */
  async function examine(attempt: IngestAttempt): Promise<readonly [IngestDecision, IngestAttempt]> {
    let opened = attempt
    try {
      const rumor = attempt.rumor ?? (await judge.unwrap(attempt.incoming))
      if ('outcome' in rumor) return [rumor, attempt]
      opened = { ...attempt, rumor, sender: rumor.pubkey }
      const { incoming, arrivedAt, counted } = attempt
      return [await judge.read({ rumor, receiver: incoming.receiver, arrivedAt, counted }), opened]
    } catch (cause) {
      return [{ outcome: 'transient', cause }, opened]
    }
  }

  async function handle(attempt: IngestAttempt): Promise<void> {
    const [decision, opened] = await examine(attempt)
    outcomes[decision.outcome] += 1
    const { marks, spent, final } = AFTERMATH[decision.outcome]
    if (follow(decision, opened)) return
    if (marks) await mark(opened)
    inbox.done(attempt.incoming, { spent, final, missed: decision.outcome === 'transient' })
  }

  /** True when the attempt stays here, to be tried again. */
  function follow(decision: IngestDecision, attempt: IngestAttempt): boolean {
    const { does } = AFTERMATH[decision.outcome]
    if (does === 'reply') parts.messages.kick()
    if (does === 'blame') relays.blame(attempt.incoming.relay, 'a gift wrap that its author did not sign')
    if (decision.outcome === 'refused') tell(decision.refusal)
    if (decision.outcome === 'transient') complain(decision.cause, attempt)
    return does === 'retry' && retries.add(laterOf(attempt, decision))
  }

  function complain(cause: unknown, { failures, incoming }: IngestAttempt): void {
    if (failures > 0) return
    log.warn({ wrap: incoming.wrap.id, cause: messageOf(cause) }, 'message not dealt with yet; it is tried again')
  }

  /** A mark that fails costs one more unwrap some day; what matters is stored with the payment. */
  async function mark({ incoming, rumor }: IngestAttempt): Promise<void> {
    const ids = rumor ? [incoming.wrap.id, rumor.id] : [incoming.wrap.id]
    await store
      .markSeen(ids, clock.now())
      .catch((cause: unknown) => log.warn({ wrap: incoming.wrap.id, cause: messageOf(cause) }, 'message not marked'))
  }

  const fresh = (incoming: IncomingWrap | undefined): IngestAttempt | undefined =>
    incoming && {
      incoming,
      rumor: undefined,
      sender: incoming.wrap.pubkey,
      counted: false,
      bytes: 0,
      failures: 0,
      arrivedAt: clock.now(),
      since: clock.monotonic(),
    }

  const pump = createPump<IngestAttempt>({
    width: WIDTH,
    next: () => retries.next() ?? fresh(inbox.next()),
    waitMs: () => soonest(inbox.waitMs(), retries.waitMs()),
    run: handle,
    clock,
  })

  return {
    kick: pump.kick,
    idle: pump.idle,
    close: pump.close,
    async pass() {
      const again = inbox.takeDropped()
      if (again.length > 0) relays.refetch(again)
    },
    state: () => ({ outcomes: { ...outcomes }, retrying: retries.size(), inbox: inbox.state() }),
  }
}

const laterOf = (attempt: IngestAttempt, { outcome }: IngestDecision): IngestAttempt => ({
  ...attempt,
  counted: attempt.counted || (attempt.rumor !== undefined && outcome === 'transient'),
  failures: attempt.failures + 1,
  bytes: attempt.incoming.wrap.content.length + (attempt.rumor?.content.length ?? 0) + OVERHEAD,
})

const soonest = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)
