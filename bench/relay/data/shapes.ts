// The kinds of events that a relay of this sort keeps, in the shapes that its benchmark names.
import type { NostrEvent } from '../../../src/nostr/event/index.js'
import { createSigner, type Draft, type Signer } from './signer.js'
import type { Source } from './source.js'
import { busy, type World } from './world.js'

/** Makes the event of a moment, in epoch seconds. */
type Shape = (at: number) => NostrEvent

const SENTENCES = [
  'The harbour was "closed" again, so we walked.',
  'Žluťoučký kůň and a naïve café in Zürich',
  'line one\nline two\n\tand a tab',
  '日本語もここにあります',
  'gm 🌅☕🚀',
  'He said: "not your keys, not your coins".',
  'Приветствую всех, кто читает это сегодня',
  'fees were 0.0023 GRIN yesterday, oddly low',
  'C:\\notes\\old.txt still holds the only copy',
  'what a day 🎉🎉',
  'nobody reads the manual until it rains',
] as const
const TOPICS = ['grin', 'nostr', 'art', 'music', 'foodstr', 'asknostr', 'privacy', 'photography'] as const
const WRAP_BYTES = [867, 1123, 1635, 2659] as const
const RECENT_NOTES = 5000
const TWO_DAYS = 2 * 86_400
const RELAYS = ['wss://relay.example', 'wss://inbox.example', 'wss://nostr.example/path'] as const

export interface Shapes {
  readonly note: Shape
  readonly wrap: Shape
  readonly reaction: Shape
  readonly replaceable: Shape
  /** All of them, by their shares. */
  readonly mixed: Shape
}

export function createShapes(
  source: Source,
  { authors, recipients }: World,
  signerOf: (secretBytes: Buffer) => Signer = createSigner,
): Shapes {
  const recent: NostrEvent[] = []
  let notes = 0

  const signed = (signer: Signer, draft: Draft): NostrEvent => signer.sign(draft, source.bytes(32))

  function remember(event: NostrEvent): NostrEvent {
    recent[notes++ % RECENT_NOTES] = event
    return event
  }

  function textOf(): string {
    const length = 20 + source.integer(281)
    const parts: string[] = []
    for (let have = 0; have < length; have += parts.at(-1)!.length + 1) parts.push(source.pick(SENTENCES))
    return Array.from(parts.join(' ')).slice(0, length).join('')
  }

  function noteTags(): string[][] {
    const tags: string[][] = []
    const answered = recent.length > 0 && source.chance(0.5) ? source.pick(recent) : undefined
    if (answered) tags.push(['e', answered.id, source.pick(RELAYS), 'root'], ['p', answered.pubkey])
    if (source.chance(0.2)) tags.push(['t', source.pick(TOPICS)])
    return tags
  }

  const note: Shape = (created_at) =>
    remember(signed(busy(source, authors), { created_at, kind: 1, tags: noteTags(), content: textOf() }))

  const wrap: Shape = (at) =>
    signed(signerOf(source.bytes(32)), {
      created_at: at - source.integer(TWO_DAYS),
      kind: 1059,
      tags: [['p', busy(source, recipients)]],
      content: source.bytes(source.pick(WRAP_BYTES)).toString('base64'),
    })

  const reaction: Shape = (created_at) => {
    const liked = recent.length > 0 ? source.pick(recent) : note(created_at)
    const tags = [
      ['e', liked.id],
      ['p', liked.pubkey],
      ['k', '1'],
    ]
    return signed(busy(source, authors), { created_at, kind: 7, tags, content: '+' })
  }

  const contacts = (): string[][] =>
    Array.from({ length: 50 + source.integer(101) }, () => ['p', source.pick(authors).pubkey])
  const profile = (name: string): string =>
    JSON.stringify({
      name,
      about: textOf(),
      picture: `https://pictures.example/${name}.jpg`,
      nip05: `${name}@names.example`,
    })

  const REPLACEABLE: readonly { readonly share: number; readonly draft: () => Omit<Draft, 'created_at'> }[] = [
    { share: 0.4, draft: () => ({ kind: 0, tags: [], content: profile(`account${source.integer(1e6)}`) }) },
    { share: 0.1, draft: () => ({ kind: 3, tags: contacts(), content: '' }) },
    { share: 0.3, draft: () => ({ kind: 10050, tags: RELAYS.slice(0, 2).map((url) => ['relay', url]), content: '' }) },
    {
      share: 0.2,
      draft: () => ({
        kind: 30078,
        tags: [['d', `store-${source.integer(4)}`]],
        content: source.bytes(300).toString('base64'),
      }),
    },
  ]
  const byShare = <T extends { readonly share: number }>(list: readonly T[]): T => {
    let left = source.unit()
    const found = list.find(({ share }) => {
      left -= share
      return left < 0
    })
    return found ?? list.at(-1)!
  }

  const replaceable: Shape = (created_at) =>
    signed(source.pick(authors), { created_at, ...byShare(REPLACEABLE).draft() })

  const MIX = [
    { share: 0.45, make: note },
    { share: 0.35, make: wrap },
    { share: 0.1, make: reaction },
    { share: 0.1, make: replaceable },
  ]
  return { note, wrap, reaction, replaceable, mixed: (at) => byShare(MIX).make(at) }
}
