// The people of a wallet world: each has a seed and one stored wallet, open in one or two windows, and pays and asks the others. Slates go by a
// post that loses, doubles and reorders them.

import { type Keychain, openKeychain } from '../../../src/grin/keychain/index.js'
import type { Slate } from '../../../src/grin/slate/index.js'
import { GrinpayError } from '../../../src/lib/errors.js'
import type { Wallet, WalletNode } from '../../../src/wallet/index.js'
import type { Chance } from '../ground/chance.js'
import type { VirtualTime } from '../ground/time.js'
import type { Trace } from '../ground/trace.js'
import { LIES, type Nodes, type WorldNode } from './nodes.js'
import type { WorldProofs } from './proofs.js'
import { createSharedStorage, type SharedStorage } from './storage.js'
import { openWindow, type Window } from './windows.js'
import type { Witness } from './witness.js'

interface Letter {
  readonly to: Person
  readonly from: Person
  readonly slate: Slate
  /** Armored; read instead of the slate in half of all cases. */
  readonly text: string
}

/** What a verb promised when it resolved. */
interface Promised {
  readonly verb: string
  readonly slateId: string
  readonly kind: 'sent' | 'received'
}

export interface Person {
  readonly name: string
  readonly keychain: Keychain
  readonly inbox: Letter[]
  /** By place; undefined where no window is open. */
  readonly windows: (Window | undefined)[]
  storage: SharedStorage
  /** Number of storages before this one: each is of a restore. */
  lives: number
  /** A node lied to this storage. */
  isMisled: boolean
  /** Its words are being restored: no window does anything else. */
  isRestoring: boolean
  promised: Promised[]
}

export interface PeopleParts {
  readonly time: VirtualTime
  readonly chance: Chance
  readonly trace: Trace
  readonly witness: Witness
  readonly nodes: Nodes
  readonly worldNodes: readonly WorldNode[]
  readonly proofs: WorldProofs
  readonly happens: (what: string) => boolean
  readonly dropping: () => number
}

const GRIN = 1_000_000_000n

/** What a window does next; by weight. */
const ACTIONS = {
  send: 12,
  invoice: 8,
  read: 40,
  cancel: 4,
  refresh: 16,
  post: 14,
  'send again': 4,
  check: 1,
  look: 4,
  account: 1,
  reopen: 2,
} as const

export function createPeople(parts: PeopleParts) {
  const { time, chance, trace, witness, nodes, worldNodes, proofs, happens } = parts
  const people: Person[] = []
  /** Slates that left, for those who send them again. */
  const copies: Letter[] = []

  function newStorage(person: Pick<Person, 'name' | 'lives'>, isMisled: () => boolean): SharedStorage {
    return createSharedStorage({
      ...{ time, chance: chance.stream(`disk of ${person.name} ${person.lives}`), reach: trace.fault },
      stored: witness.watch(person.name, isMisled),
      hasRevisions: chance.is(0.8),
    })
  }

  function add(name: string, windows: number): Person {
    const keychain = openKeychain(chance.bytes(32))
    const person: Person = {
      ...{ name, keychain, inbox: [], lives: 0, isMisled: false, isRestoring: false, promised: [] },
      windows: Array.from({ length: windows }, () => undefined),
      storage: newStorage({ name, lives: 0 }, () => person.isMisled),
    }
    people.push(person)
    return person
  }

  let opened = 0
  /** A window at this place, as often as it takes. Undefined: dropped or refused while it opened. */
  async function open(person: Person, place: number): Promise<Window | undefined> {
    const { keychain, storage } = person
    const name = `${person.name}-${place + 1}`
    const window = await openWindow(name, {
      ...{ time, trace, keychain, storage, proofs, dropping: parts.dropping },
      chance: chance.stream(`window ${opened++}`),
      isSignerElsewhere: chance.is(0.3),
      async prove(input) {
        witness.proves(person.name, input)
        return proofs.prove(input)
      },
    }).catch(refused(name, 'open'))
    if (!window || window === 'gone' || person.storage !== storage) return undefined
    person.windows[place] = window
    trace.note(name, 'opens')
    if (happens('subscribers') && chance.is(0.3)) subscribe(person, window)
    return window
  }

  function subscribe(person: Person, window: Window): void {
    const node = chance.is(0.5) ? { node: believed(person, window) } : {}
    void window.does(async (wallet) => {
      wallet.subscribe({ ...node, everyMs: 600_000, listener: ({ type }) => trace.happening(`heard: ${type}`) })
    })
  }

  /** A refusal is part of life; anything else is none of the catalogue. */
  const refused = (who: string, verb: string) => (thrown: unknown) => {
    const code = thrown instanceof GrinpayError ? thrown.code : undefined
    if (code === undefined)
      witness.wrong(10, `${who} ${verb}: ${thrown instanceof Error ? (thrown.stack ?? thrown) : thrown}`)
    trace.note(who, `${verb} is refused`, code ?? '?')
    trace.state(`refusal: ${code}`)
    return undefined
  }

  const attempt = async <T>(
    window: Window,
    verb: string,
    job: (wallet: Wallet) => Promise<T>,
  ): Promise<T | undefined> => {
    trace.note(window.name, verb)
    const result = await window.does(job).catch(refused(window.name, verb))
    return result === 'gone' ? undefined : result
  }

  function post(letter: Letter): void {
    copies.push(letter)
    const troubled = happens('mail')
    const times = troubled && chance.is(0.08) ? 0 : troubled && chance.is(0.1) ? 2 : 1
    for (let copy = 0; copy < times; copy++)
      time.after(1000 + chance.around(troubled ? 240_000 : 20_000), () => void letter.to.inbox.push(letter))
  }

  function leaves(
    from: Person,
    to: Person,
    { slate, slatepack }: { readonly slate: Slate; readonly slatepack: string },
  ) {
    witness.leaves(from.name, slate)
    post({ from, to, slate, text: slatepack })
  }

  const promise = (person: Person, verb: string, slateId: string, kind: Promised['kind']): void =>
    void person.promised.push({ verb, slateId, kind })

  /** A slate is read by some window of whom it is for; what was not answered is read again. */
  async function read(person: Person, window: Window): Promise<void> {
    const [letter] = person.inbox.splice(chance.whole(0, Math.max(0, person.inbox.length - 1)), 1)
    if (!letter) return
    const { storage, lives } = person
    const stored = `${person.name} ${lives}`
    const { slate } = letter
    const input = chance.is(0.5) ? letter.text : slate
    const answer = (
      made: { readonly slate: Slate; readonly slatepack: string; readonly slateId: string } | undefined,
      kind: Promised['kind'],
    ) => {
      if (!made) return void (chance.is(0.5) && person.inbox.push(letter))
      trace.happening(`answered: ${slate.state}`)
      if (person.storage === storage) promise(person, made.slate.state, made.slateId, kind)
      witness.answers(stored, slate, made.slate)
      if (made.slate.state === 'S2' || made.slate.state === 'I2') leaves(person, letter.from, made)
      else witness.leaves(person.name, made.slate)
    }
    if (slate.state === 'S1') answer(await attempt(window, 'receive', (wallet) => wallet.receive(input)), 'received')
    else if (slate.state === 'I1')
      answer(
        await attempt(window, 'pay', (wallet) =>
          wallet.pay(input, { minConfirmations: 1, ...(chance.is(0.2) && { ttlBlocks: chance.whole(2, 30) }) }),
        ),
        'sent',
      )
    else
      answer(
        await attempt(window, 'finalize', (wallet) => wallet.finalize(input)),
        slate.state === 'S2' ? 'sent' : 'received',
      )
  }

  const other = (person: Person): Person =>
    chance.pick(happens('payments to oneself') && chance.is(0.1) ? [person] : people.filter((one) => one !== person))

  async function send(person: Person, window: Window): Promise<void> {
    const to = other(person)
    const amount = BigInt(chance.whole(1, 60)) * 100_000_000n
    const address = chance.is(0.4) ? await to.windows[0]?.does((wallet) => wallet.address()) : undefined
    const { storage } = person
    const made = await attempt(window, 'send', (wallet) =>
      wallet.send({
        ...{ amount, minConfirmations: chance.whole(0, 2), changeOutputs: chance.whole(1, 3) },
        ...(address !== undefined && address !== 'gone' && { recipient: address, proof: chance.is(0.8) }),
        ...(happens('late locks') && { lateLock: chance.is(0.2) }),
        ...(chance.is(0.2) && { ttlBlocks: chance.whole(2, 30) }),
        feeIncluded: chance.is(0.1),
      }),
    )
    if (!made) return
    if (person.storage === storage) promise(person, 'S1', made.slateId, 'sent')
    leaves(person, to, made)
  }

  async function invoice(person: Person, window: Window): Promise<void> {
    const amount = (BigInt(chance.whole(1, 60)) * GRIN) / 10n
    const { storage } = person
    const made = await attempt(window, 'invoice', (wallet) => wallet.invoice({ amount }))
    if (!made) return
    if (person.storage === storage) promise(person, 'I1', made.slateId, 'received')
    leaves(person, other(person), made)
  }

  /** Some node, as this window reaches it. What it says while it lies misleads the storage. */
  function believed(person: Person, window: Window): WalletNode {
    const worldNode = chance.pick(worldNodes)
    const { storage } = person
    const listens = () => {
      if ((LIES as readonly string[]).includes(worldNode.mood) && person.storage === storage) person.isMisled = true
    }
    return nodes.reach(worldNode, async (point, mostMs) => {
      listens()
      await window.pass(point, mostMs)
      listens()
    })
  }

  async function postOne(person: Person, window: Window): Promise<void> {
    const log = (await attempt(window, 'log', (wallet) => wallet.transactions())) ?? []
    const open = log.filter(({ status, written }) => status !== 'confirmed' && (written === 'S3' || written === 'I3'))
    const row = open[chance.whole(0, Math.max(0, open.length - 1))]
    if (row?.slateId === undefined) return
    const { slateId } = row
    const node = believed(person, window)
    await attempt(window, 'post', (wallet) => wallet.post(slateId, { node }))
  }

  async function cancel(window: Window): Promise<void> {
    const log = (await attempt(window, 'log', (wallet) => wallet.transactions())) ?? []
    const open = log.filter(({ status }) => status === 'pending' || (status === 'reverted' && chance.is(0.3)))
    const row = open[chance.whole(0, Math.max(0, open.length - 1))]
    if (row) await attempt(window, 'cancel', (wallet) => wallet.cancel(row.id))
  }

  async function act(person: Person, place: number): Promise<void> {
    if (person.isRestoring) return
    const window = person.windows[place]
    if (!window || window.process.isGone) return void (await open(person, place))
    const what = chance.weighted(ACTIONS)
    if (what === 'send') return send(person, window)
    if (what === 'invoice') return invoice(person, window)
    if (what === 'read') return read(person, window)
    if (what === 'post') return postOne(person, window)
    if (what === 'cancel') return cancel(window)
    if (what === 'refresh')
      return void (await attempt(window, 'refresh', (wallet) =>
        wallet.refresh({ node: believed(person, window), thorough: chance.is(0.1) }),
      ))
    if (what === 'check')
      return void (await attempt(window, 'check', (wallet) => scan(wallet, believed(person, window))))
    if (what === 'look') return void (await attempt(window, 'balance', (wallet) => wallet.balance()))
    if (what === 'account')
      return void (await attempt(window, 'account', (wallet) => wallet.createAccount(`account ${chance.whole(1, 3)}`)))
    if (what === 'send again') {
      const own = copies.filter(({ from }) => from === person)
      const copy = own[chance.whole(0, Math.max(0, own.length - 1))]
      if (copy) post(copy)
      return
    }
    window.drop('closed')
    person.windows[place] = undefined
  }

  const scan = (wallet: Wallet, node: WalletNode) =>
    wallet.check({ node, pageSize: chance.whole(3, 60), ...(proofs.sift && { sift: proofs.sift }) })

  /** The words are all that is left: another storage, found again from the chain. */
  async function startAnew(person: Person): Promise<void> {
    for (const window of person.windows) window?.drop('restore elsewhere')
    person.isRestoring = true
    person.lives += 1
    person.isMisled = false
    person.promised = []
    person.storage = newStorage(person, () => person.isMisled)
    trace.note(person.name, 'begins anew from the words')
    await find(person)
    person.isRestoring = false
  }

  /** Restores, as often as windows are dropped and nodes fail; by nodes that do not lie. */
  async function find(person: Person): Promise<void> {
    for (;;) {
      const window = await open(person, 0)
      const worldNode = chance.pick(worldNodes)
      const isLying = (LIES as readonly string[]).includes(worldNode.mood)
      const done =
        window &&
        !isLying &&
        (await attempt(window, 'restore', (wallet) =>
          wallet.restore({
            ...{ node: nodes.reach(worldNode, window.pass), pageSize: chance.whole(3, 60) },
            ...(proofs.sift && { sift: proofs.sift }),
          }),
        ))
      if (done) return
      window?.drop('failed restore')
      await time.sleep(chance.around(120_000))
    }
  }

  return { people, add, open, act, scan, startAnew, find, attempt }
}

export type People = ReturnType<typeof createPeople>
