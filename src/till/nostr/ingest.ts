// The worker of the Nostr rail: takes mail from the inbox, has it judged, and carries out the outcome.
import { setImmediate } from 'node:timers/promises'
import { messageOf } from '../../lib/errors.js'
import { openWrap, type Rumor } from '../../nostr/gift-wrap/index.js'
import { createLock } from '../locks.js'
import type { LetterBox, TillParts } from '../parts.js'
import type { SeenStore } from '../ports.js'
import type { Inbox, Mail } from './inbox.js'
import { createJudge, type JudgeParts } from './judge.js'
import { AFTERMATH, type Outcome, type Verdict } from './outcomes.js'
import type { Relays } from './ports.js'
import { createPump } from './pump.js'
import { createRefusals, type SendText } from './refusals.js'
import { createRetries, type Retryable } from './retry.js'

/** Messages under way at the same time; what one slate or invoice must do in order, the till's own locks keep in order. */
const WIDTH = 8
/** What a parcel takes beside its contents. */
const OVERHEAD = 1024

export interface IngestParts
  extends Omit<JudgeParts, 'store' | 'letters' | 'openWrap' | 'clock'>,
    Pick<TillParts, 'clock' | 'log'> {
  readonly inbox: Inbox
  readonly store: JudgeParts['store'] & Pick<SeenStore, 'markSeen'>
  readonly relays: Pick<Relays, 'blame' | 'refetch'>
  readonly letters: Pick<LetterBox, 'kick' | 'requeue'>
  readonly sendText: SendText
  /** Defaults to that of the envelope library. */
  readonly openWrap?: typeof openWrap
}

export interface Ingest {
  /** The inbox has mail. */
  kick(): void
  /** Asks the relays again for what the inbox had to drop; call it every few seconds. */
  pass(): Promise<void>
  /** Resolves when nothing runs and nothing may start now. */
  idle(): Promise<void>
  state(): {
    /** Since the start. */
    readonly outcomes: Readonly<Record<Outcome, number>>
    readonly retrying: number
    readonly inbox: ReturnType<Inbox['state']>
  }
  /** Starts nothing more and waits for what runs; before the store is closed. */
  close(): Promise<void>
}

/** A mail under way; `rumor` once it was opened, so that a second try costs no second unwrap. */
interface Parcel extends Retryable {
  /** Epoch milliseconds: by it an invoice was open or not. */
  readonly arrivedAt: number
  readonly mail: Mail
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
  const retries = createRetries<Parcel>(clock)
  const outcomes = Object.fromEntries(Object.keys(AFTERMATH).map((name) => [name, 0])) as Record<Outcome, number>

  /** The verdict, and the parcel as opened as it got. Never rejects. */
  async function examine(parcel: Parcel): Promise<readonly [Verdict, Parcel]> {
    let opened = parcel
    try {
      const rumor = parcel.rumor ?? (await judge.unwrap(parcel.mail))
      if ('outcome' in rumor) return [rumor, parcel]
      opened = { ...parcel, rumor, sender: rumor.pubkey }
      const { mail, arrivedAt, counted } = parcel
      return [await judge.read({ rumor, receiver: mail.receiver, arrivedAt, counted }), opened]
    } catch (cause) {
      return [{ outcome: 'transient', cause }, opened]
    }
  }

  async function handle(parcel: Parcel): Promise<void> {
    const [verdict, opened] = await examine(parcel)
    outcomes[verdict.outcome] += 1
    const { marks, spent, final } = AFTERMATH[verdict.outcome]
    if (follow(verdict, opened)) return
    if (marks) await mark(opened)
    inbox.done(parcel.mail, { spent, final, missed: verdict.outcome === 'transient' })
  }

  /** True when the parcel stays here, to be tried again. */
  function follow(verdict: Verdict, parcel: Parcel): boolean {
    const { does } = AFTERMATH[verdict.outcome]
    if (does === 'reply') parts.letters.kick()
    if (does === 'blame') relays.blame(parcel.mail.relay, 'a gift wrap that its author did not sign')
    if (verdict.outcome === 'refused') tell(verdict.refusal)
    if (verdict.outcome === 'transient') complain(verdict.cause, parcel)
    return does === 'retry' && retries.add(laterOf(parcel, verdict))
  }

  function complain(cause: unknown, { failures, mail }: Parcel): void {
    if (failures > 0) return
    log.warn({ wrap: mail.wrap.id, cause: messageOf(cause) }, 'message not dealt with yet; it is tried again')
  }

  /** A mark that fails costs one more unwrap some day; what matters is stored with the payment. */
  async function mark({ mail, rumor }: Parcel): Promise<void> {
    const ids = rumor ? [mail.wrap.id, rumor.id] : [mail.wrap.id]
    await store
      .markSeen(ids, clock.now())
      .catch((cause: unknown) => log.warn({ wrap: mail.wrap.id, cause: messageOf(cause) }, 'message not marked'))
  }

  const fresh = (mail: Mail | undefined): Parcel | undefined =>
    mail && {
      mail,
      rumor: undefined,
      sender: mail.wrap.pubkey,
      counted: false,
      bytes: 0,
      failures: 0,
      arrivedAt: clock.now(),
      since: clock.monotonic(),
    }

  const pump = createPump<Parcel>({
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

const laterOf = (parcel: Parcel, { outcome }: Verdict): Parcel => ({
  ...parcel,
  counted: parcel.counted || (parcel.rumor !== undefined && outcome === 'transient'),
  failures: parcel.failures + 1,
  bytes: parcel.mail.wrap.content.length + (parcel.rumor?.content.length ?? 0) + OVERHEAD,
})

const soonest = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)
