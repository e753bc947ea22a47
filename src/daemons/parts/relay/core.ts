// The relay without its listener: database, signature threads, policy, and the name authority.
import { POLICY_VARIABLES, type RelayConfig } from '../../../config/index.js'
import { messageOf } from '../../../lib/errors.js'
import { watchHeap } from '../../../lib/heap.js'
import {
  createInfo,
  createManagement,
  createPolicyPlugin,
  createRelay,
  createTerms,
  createWritePolicy,
  type KindSet,
  type Management,
  type PolicyPlugin,
  type PolicySettings,
  type Relay,
  type RelayInfo,
  type RelayParts,
  type Verifier,
  warmUp,
} from '../../../relay/index.js'
import { type EventStats, type OpenEventStore, openEventStore, type ReaderCounts } from '../../../storage/index.js'
import {
  modifiedAt,
  programEnvironment,
  type SystemClock,
  type SystemLog,
  type SystemRandom,
  startShellProgram,
} from '../../../system/index.js'
import { openVerifier } from '../../../workers/index.js'
import type { Check, Part } from '../../runtime.js'
import { databaseCheck } from '../database-check.js'
import { createDiskReserve } from '../disk-reserve.js'
import { createLoop } from '../loop.js'
import { createUndo, type Undo } from '../undo.js'
import type { AuthorityMount } from './authority-mount.js'
import { type LiveLists, openLiveLists } from './lists.js'
import { openAuthorityMount } from './open-authority.js'
import { policySettings } from './settings.js'
import { openSharedLists } from './shared-lists.js'
import { openRelayLog, type RelaySharedLog } from './shared-log.js'
import { createSignatureStatus, type SignatureStatus } from './signature-report.js'

export interface RelayCore {
  readonly relay: Relay
  /** Size of the store; immediate. */
  size(): { readonly events: number; readonly bytes: number }
  /** What its reader threads did and do. */
  readers(): ReaderCounts
  /** Counts the stored events in a thread: seconds for ten million. */
  stats(): Promise<EventStats>
  /** The operator's lists. */
  readonly lists: LiveLists
  /** Never known with a verifier of the caller. */
  readonly signatures: SignatureStatus
  readonly authority: AuthorityMount
  /** The parts that stop after the listener. */
  readonly parts: readonly Part[]
  /** Starts after the listener: compiles the code of queries by asking some, while no client asks. */
  readonly warmUp: Part
  /** Current relay information; the same object until it changes. */
  info(): RelayInfo
  /** Accepted kinds. */
  kinds(): KindSet
  /** Undefined without an address of the relay, for which requests must be signed. */
  readonly management: Management | undefined
  /** True when the relay has managers. */
  isManaged(): boolean
  /** True for banned addresses. */
  isBlocked(address: string): boolean
  /** Undefined: the relay runs alone. */
  readonly log: Pick<RelaySharedLog, 'lagMs' | 'failure'> | undefined
  /** Reloads what the operator may change at run time. */
  reload(): Promise<void>
  /** For a failed start of the daemon. */
  close(): Promise<void>
}

interface RelayContext {
  readonly version: string
  readonly log: SystemLog
  readonly clock: SystemClock
  readonly random: SystemRandom
  /** Default: its own threads. */
  readonly verifier?: Verifier
}

/** Stays until the next attempt, even if the disk has space again. */
const UNSTORED: Check = { ok: false, detail: 'the last events could not be stored' }

/** Throws what opening the databases throws, after closing everything. */
export async function openRelayCore(config: RelayConfig, context: RelayContext): Promise<RelayCore> {
  const undo = createUndo()
  try {
    return await open(config, context, undo)
  } catch (thrown) {
    await undo.all()
    throw thrown
  }
}

async function open(config: RelayConfig, context: RelayContext, undo: Undo): Promise<RelayCore> {
  const { log, clock, random } = context
  const { relay: settings, dbPath: path } = config
  const { parts, add } = createPartList(undo)
  const authority = await openAuthorityMount(config, context)
  add(...authority.parts)
  const shared = config.log && (await openRelayLog(config.log, config, context))
  const store = await openStore(config, context, shared).catch(async (thrown: unknown) => {
    await shared?.part.stop()
    throw thrown
  })
  const reserve = createDiskReserve({ path, clock, random, log, inside: store.freeBytes })
  const check = async () => (relay.canStore() ? reserve.checked(await databaseCheck(path, store.check)) : UNSTORED)
  add({ ...owned('database', store.close), check }, reserve.part)
  if (shared) add(shared.part, shared.instance)
  if (config.retention) add(retentionLoop({ store, retention: config.retention, shared, clock, log }))
  const { verifier, signatures } = signatureChecks(context, add)
  const plugin = policyPlugin(config, { clock, log })
  const { lists, eventLog } = await openLists({ store, shared, path, clock, log })
  add(lists.part)
  const rules = policySettings(config)
  const policy = createWritePolicy({ settings: rules, lists, authority: authority.policyAuthority, plugin, clock, log })
  add(owned('policy', policy.close))
  const heap = watchHeap()
  add(owned('memory', async () => heap.close()))
  const relayParts = { settings, store, eventLog, verifier, policy, clock, random, log, heap, hasRoom: reserve.hasRoom }
  const relay = createRelay(relayParts)
  const warming = warmUpPart(relay, relayParts, store.size)
  const live = changeable(config, { lists, rules, clock, claimUse: shared?.claimUse })
  const { size, readers, stats } = store
  return {
    relay,
    authority,
    parts,
    warmUp: warming,
    size,
    readers,
    stats,
    lists,
    signatures,
    log: shared,
    close: undo.all,
    ...live,
  }
}

const openStore = (
  { relay: settings, dbPath: path, readerThreads: threads }: RelayConfig,
  { clock, random }: RelayContext,
  shared: RelaySharedLog | undefined,
): Promise<OpenEventStore> =>
  openEventStore({
    path,
    clock,
    random,
    giftWrapRecipientDelete: settings.limits.giftWrapRecipientDelete,
    searchKinds: settings.searchKinds,
    readers: { threads },
    ...(shared && { follows: { requestRemoval: shared.requestRemoval, founder: random.uuid() } }),
  })

interface ListParts {
  readonly store: OpenEventStore
  readonly shared: RelaySharedLog | undefined
  readonly path: string
  readonly clock: SystemClock
  readonly log: SystemLog
}

/** The operator's lists, and the log that changes them when there are several front ends. */
async function openLists({ store, shared, path: dbPath, clock, log }: ListParts) {
  if (shared && store.log) {
    const lists = await openSharedLists({ dbPath, clock, log, append: shared.append })
    return { lists, eventLog: shared.logFor({ store: store.log, lists, hasEvents: store.size().events > 0 }) }
  }
  const removeEvents = (ids: readonly string[]) => store.remove([{ ids, tags: [] }])
  return { lists: await openLiveLists({ dbPath, clock, log, removeEvents }), eventLog: undefined }
}

function createPartList(undo: Undo) {
  const parts: Part[] = []
  return {
    parts,
    add(...more: readonly Part[]): void {
      for (const part of more) undo.add(() => part.stop())
      parts.push(...more)
    },
  }
}

interface Changeable {
  readonly lists: LiveLists
  readonly rules: PolicySettings
  readonly clock: SystemClock
  readonly claimUse: RelaySharedLog['claimUse'] | undefined
}

type LiveState = Pick<RelayCore, 'info' | 'kinds' | 'management' | 'isManaged' | 'isBlocked' | 'reload'>

/** What depends on the operator's lists, which change at run time. */
function changeable({ relay, admins }: RelayConfig, { lists, rules, clock, claimUse }: Changeable): LiveState {
  const { relayUrls } = relay.info
  const terms = createTerms(rules, lists)
  const kinds = () => terms().kinds
  const hasAddress = relayUrls.length > 0
  return {
    kinds,
    info: createInfo(relay.info, lists),
    management: hasAddress ? createManagement({ relayUrls, admins, lists, kinds, clock, claimUse }) : undefined,
    isManaged: () => hasAddress && admins.length + lists.current().admins.size > 0,
    isBlocked: (address) => terms().isBlockedAddress(address),
    reload: lists.reload,
  }
}

/** The caller's verifier, else threads of its own. */
function signatureChecks({ verifier: given }: RelayContext, add: (part: Part) => void) {
  const { status: signatures, report } = createSignatureStatus()
  if (given) return { verifier: given, signatures }
  const verifier = openVerifier({ onReady: report })
  add(owned('signatures', verifier.close))
  return { verifier, signatures }
}

/** A part that runs from its opening. */
const owned = (name: string, stop: () => Promise<void>): Part => ({ name, start: async () => {}, stop })

function warmUpPart(served: Relay, parts: RelayParts, size: OpenEventStore['size']): Part {
  let ended: Promise<void> = Promise.resolve()
  async function run(signal: AbortSignal): Promise<void> {
    try {
      const questions = await warmUp({ served, parts, events: size().events, signal })
      parts.log.debug({ questions }, 'the code of queries is warm')
    } catch (cause) {
      parts.log.debug({ cause: messageOf(cause) }, 'the code of queries could not be warmed')
    }
  }
  return {
    name: 'warm-up',
    async start(signal) {
      ended = run(signal)
    },
    stop: () => ended,
  }
}

const EVERY_MS = 600_000

interface RetentionParts {
  readonly store: Pick<OpenEventStore, 'prune'>
  readonly retention: NonNullable<RelayConfig['retention']>
  readonly shared: RelaySharedLog | undefined
  readonly clock: SystemClock
  readonly log: SystemLog
}

/** With several front ends one of them does it for all. */
const retentionLoop = ({ store, retention, shared, clock, log }: RetentionParts): Part =>
  createLoop({
    name: 'retention',
    everyMs: EVERY_MS,
    async pass() {
      if (shared && !shared.retains()) return
      const events = await store.prune(retention)
      if (events > 0) log.info({ events }, 'old events were removed')
    },
    sleep: clock.sleep,
    log,
  })

/**
 * The operator's policy program; undefined: none. Its environment holds the usual variables and the policy settings (`RELAY_ALLOWED_KINDS` …), never a
 * secret.
 */
function policyPlugin(
  { policy }: RelayConfig,
  { clock, log }: Pick<RelayContext, 'clock' | 'log'>,
): PolicyPlugin | undefined {
  if (!policy.plugin) return undefined
  const { command, timeoutSeconds } = policy.plugin
  return createPolicyPlugin({
    command: () => command,
    timeoutSeconds,
    start: (program, handlers) => startShellProgram(program, handlers, programEnvironment(POLICY_VARIABLES)),
    modifiedAt,
    clock,
    log,
  })
}
