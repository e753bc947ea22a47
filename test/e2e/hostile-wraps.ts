// Gift wraps of an attacker. All but one thing about each is right, so that it is that thing which is refused.
import { nip44 } from 'nostr-tools'
import { finalizeEvent, generateSecretKey, getPublicKey } from 'nostr-tools/pure'
import { eventId, type NostrEvent, type UnsignedEvent } from '../../src/nostr/event/index.js'

export interface WrapTarget {
  /** The key that is paid, and another one that the till listens to as well. */
  readonly to: string
  readonly other: string
  /** An S1 that the till would take. */
  readonly s1: string
}

type Make = (target: WrapTarget) => NostrEvent

const nowSeconds = () => Math.floor(Date.now() / 1000)
const keyPairOf = () => getPublicKey(generateSecretKey())

function rumorOf({ to, s1 }: WrapTarget, author: string, over: Partial<UnsignedEvent> = {}): UnsignedEvent {
  return { pubkey: author, created_at: nowSeconds(), kind: 14, tags: [['p', to]], content: `pay\n\n${s1}`, ...over }
}

const textOf = (rumor: UnsignedEvent): string => JSON.stringify({ id: eventId(rumor), ...rumor })

interface Layer {
  readonly by: Uint8Array
  readonly to: string
  readonly kind: number
  readonly tags?: string[][]
}

const signed = (content: string, { by, kind, tags = [] }: Omit<Layer, 'to'>): NostrEvent => {
  const { id, pubkey, created_at, sig } = finalizeEvent({ created_at: nowSeconds(), kind, tags, content }, by)
  return { id, pubkey, created_at, kind, tags, content, sig }
}

const layer = (text: string, about: Layer): NostrEvent =>
  signed(nip44.encrypt(text, nip44.getConversationKey(about.by, about.to)), about)

const sealed = (text: string, { to }: WrapTarget, over: Partial<Layer> = {}): NostrEvent =>
  layer(text, { by: generateSecretKey(), to, kind: 13, ...over })

const wrapped = (seal: NostrEvent | string, to: string, tags = [['p', to]]): NostrEvent =>
  layer(typeof seal === 'string' ? seal : JSON.stringify(seal), { by: generateSecretKey(), to, kind: 1059, tags })

/** In a wrap whose content is this, whatever it means. */
const holding = (content: string, to: string): NostrEvent =>
  signed(content, { by: generateSecretKey(), kind: 1059, tags: [['p', to]] })

/** An honest message in all but what `change` does to its rumor. */
function honest(target: WrapTarget, over: Partial<UnsignedEvent> = {}): NostrEvent {
  const by = generateSecretKey()
  return sealed(textOf(rumorOf(target, getPublicKey(by), over)), target, { by })
}

const flip = (hex: string): string => `${hex.slice(0, -1)}${hex.endsWith('0') ? '1' : '0'}`

export const HOSTILE_WRAPS: readonly (readonly [name: string, make: Make])[] = [
  ['to a key that is not ours', (target) => wrapped(honest(target), keyPairOf())],
  [
    'for another key of the till than its tag names',
    (target) => wrapped(honest(target), target.to, [['p', target.other]]),
  ],
  [
    'with two addressees',
    (target) =>
      wrapped(honest(target), target.to, [
        ['p', target.to],
        ['p', target.other],
      ]),
  ],
  ['with no addressee', (target) => wrapped(honest(target), target.to, [])],
  ['to the key in capitals', (target) => wrapped(honest(target), target.to, [['p', target.to.toUpperCase()]])],
  [
    'signed wrongly',
    (target) => {
      const wrap = wrapped(honest(target), target.to)
      return { ...wrap, sig: flip(wrap.sig) }
    },
  ],
  [
    'under a false id',
    (target) => {
      const wrap = wrapped(honest(target), target.to)
      return { ...wrap, id: flip(wrap.id) }
    },
  ],
  ['larger than a wrap may be', ({ to }) => holding('A'.repeat(65_540), to)],
  [
    'with noise inside',
    ({ to }) => holding(Buffer.concat([Buffer.of(2), Buffer.alloc(400, 'x')]).toString('base64'), to),
  ],
  ['with no seal inside', (target) => wrapped('good morning', target.to)],
  [
    'whose seal is signed wrongly',
    (target) => {
      const seal = honest(target)
      return wrapped({ ...seal, sig: flip(seal.sig) }, target.to)
    },
  ],
  [
    'whose seal has a false id',
    (target) => {
      const seal = honest(target)
      return wrapped({ ...seal, id: flip(seal.id) }, target.to)
    },
  ],
  [
    'whose seal is of another kind',
    (target) => {
      const by = generateSecretKey()
      return wrapped(sealed(textOf(rumorOf(target, getPublicKey(by))), target, { by, kind: 1 }), target.to)
    },
  ],
  [
    'whose seal is for another key',
    (target) => {
      const by = generateSecretKey()
      return wrapped(sealed(textOf(rumorOf(target, getPublicKey(by))), target, { by, to: keyPairOf() }), target.to)
    },
  ],
  [
    'whose rumor is by another author than its seal',
    (target) => wrapped(sealed(textOf(rumorOf(target, keyPairOf())), target), target.to),
  ],
  ['whose rumor is no event', (target) => wrapped(sealed('{"kind":14}', target), target.to)],
  ['whose rumor is of another kind', (target) => wrapped(honest(target, { kind: 1 }), target.to)],
  [
    'with an S1 and no end of text around it',
    (target) => wrapped(honest(target, { content: `${'x'.repeat(33_000)}${target.s1}` }), target.to),
  ],
  [
    'with a payment message that holds no slatepack',
    (target) =>
      wrapped(
        honest(target, {
          content: 'BEGINSLATEPACK. hello',
          tags: [
            ['p', target.to],
            ['goblin', '1'],
          ],
        }),
        target.to,
      ),
  ],
  [
    'with a void message for a payment that is not theirs',
    (target) =>
      wrapped(
        honest(target, {
          content: 'void',
          tags: [
            ['p', target.to],
            ['goblin-action', 'void', '00000000-0000-4000-8000-000000000000'],
          ],
        }),
        target.to,
      ),
  ],
  [
    'that claims to be from the till itself',
    (target) => wrapped(sealed(textOf(rumorOf(target, target.to)), target), target.to),
  ],
]

/** A message whose rumor claims an id that is not its own: the id inside is ignored, the message is good. */
export function withForgedRumorId(target: WrapTarget): NostrEvent {
  const by = generateSecretKey()
  const text = JSON.stringify({ ...rumorOf(target, getPublicKey(by)), id: 'ab'.repeat(32) })
  return wrapped(sealed(text, target, { by }), target.to)
}
