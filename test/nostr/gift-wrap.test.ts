import fc from 'fast-check'
import * as nip59 from 'nostr-tools/nip59'
import { describe, expect, test } from 'vitest'
import {
  eventId,
  GIFT_WRAP_KIND,
  isGenuine,
  type NostrEvent,
  parseEvent,
  RUMOR_KIND,
  SEAL_KIND,
  signEvent,
} from '../../src/nostr/event/index.js'
import {
  envelopeVersionFor,
  MAX_WRAP_CONTENT,
  openWrap,
  type Rumor,
  wrapMessage,
} from '../../src/nostr/gift-wrap/index.js'
import { keyPairOf, layerAround, seededRandom } from '../support/nostr.js'

const [payer, till, eve] = [keyPairOf('a payer'), keyPairOf('a till'), keyPairOf('eve')]
const NOW = 1_782_907_200_500
const DAYS = 172_800
const TAGS = [['goblin', '1']]
const random = seededRandom('wraps')
const message = { tags: TAGS, sender: payer.secret, receiver: till.pubkey, now: NOW, random }
const wrapOf = (content: string, version: 2 | 3 = 2, receiver = till.pubkey) =>
  wrapMessage({ ...message, content, version, receiver })

const unsigned = { pubkey: payer.pubkey, created_at: 1_782_907_200, kind: 14, tags: TAGS, content: 'a slatepack' }
const rumor: Rumor = { id: eventId(unsigned), ...unsigned }

/** A wrap that may break any rule. `rumor` is the text of the innermost layer. */
function crafted(text: string, { seal = {}, wrap = {}, sealed = (made: NostrEvent) => JSON.stringify(made) } = {}) {
  const inner = layerAround(text, { from: payer.secret, to: till.pubkey, kind: SEAL_KIND, version: 2, ...seal })
  const tags = [['p', till.pubkey]]
  return layerAround(sealed(inner), {
    from: eve.secret,
    to: till.pubkey,
    kind: GIFT_WRAP_KIND,
    version: 3,
    tags,
    ...wrap,
  })
}

const opened = (wrap: NostrEvent) => openWrap(wrap, till.secret)
const refusalOf = (answer: object) => ('refusal' in answer ? answer.refusal : 'none')
const resigned = (wrap: NostrEvent, changes: Partial<NostrEvent>) =>
  signEvent({ ...wrap, ...changes }, eve.secret, random)

describe.each([2, 3] as const)('a message in version %i', (version) => {
  test('arrives, whatever it says', () => {
    const content = fc.string({ unit: 'grapheme', maxLength: 200 })
    fc.assert(
      fc.property(content, fc.array(fc.array(content, { maxLength: 3 }), { maxLength: 3 }), (text, tags) => {
        const made = wrapMessage({ ...message, content: text, tags, version })
        expect(opened(made.wrap)).toEqual({ rumor: made.rumor, version })
        expect(made.rumor).toEqual({
          ...made.rumor,
          pubkey: payer.pubkey,
          content: text,
          tags,
          created_at: 1_782_907_200,
        })
      }),
      { numRuns: 15 },
    )
  })

  test('is signed by a key of its own and shows a relay nothing but the receiver', () => {
    const wraps = Array.from({ length: 3 }, () => wrapOf('a text', version).wrap)
    expect(new Set(wraps.map(({ pubkey }) => pubkey)).size).toBe(3)
    for (const wrap of wraps) {
      expect(isGenuine(wrap)).toBe(true)
      expect(wrap.kind).toBe(1059)
      expect(wrap.tags).toEqual([['p', till.pubkey]])
      expect(wrap.pubkey).not.toBe(payer.pubkey)
    }
  })

  test('cannot be opened by others', () => {
    expect(openWrap(wrapOf('a text', version).wrap, eve.secret)).toEqual({ refusal: 'unreadable', detail: 'mac' })
  })

  test('with any bit flipped anywhere never opens', () => {
    const { wrap } = wrapOf('a text', version)
    const flipped = (text: string, bit: number) => {
      const at = (bit >> 3) % text.length
      return text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ (1 << (bit & 7))) + text.slice(at + 1)
    }
    const received = (event: NostrEvent) => {
      const parsed = parseEvent(event)
      return parsed ? opened(parsed) : { refusal: 'no event' }
    }
    const member = fc.constantFrom('id' as const, 'pubkey' as const, 'content' as const, 'sig' as const)
    fc.assert(
      fc.property(member, fc.nat(2 ** 20), (name, bit) => {
        const altered = { ...wrap, [name]: flipped(wrap[name], bit) }
        expect(['forged', 'no event']).toContain(refusalOf(received(altered)))
        // Nor does it help to correct the id, or to sign what was altered.
        if (name !== 'id') expect(received({ ...altered, id: eventId(altered) })).toHaveProperty('refusal')
        if (name === 'content') expect(received(resigned(altered, {}))).toHaveProperty('refusal')
      }),
      { numRuns: 60 },
    )
  })
})

describe('the times on the layers', () => {
  const timeBack = () => Math.floor(NOW / 1000) - wrapOf('a text').wrap.created_at
  const backdated = (...draws: number[]) => {
    const bytes = seededRandom('keys')
    const queue = [...draws]
    const next = (length: number) => {
      if (length !== 4) return bytes.bytes(length)
      const draw = new Uint8Array(4)
      new DataView(draw.buffer).setUint32(0, queue.shift() ?? 0)
      return draw
    }
    const { wrap } = wrapMessage({ ...message, content: 'x', version: 2, random: { bytes: next } })
    return { back: Math.floor(NOW / 1000) - wrap.created_at, left: queue.length }
  }

  test('lie up to two days back, never in the future', () => {
    const times = Array.from({ length: 20 }, timeBack)
    for (const time of times) expect(time >= 0 && time < DAYS).toBe(true)
    expect(new Set(times).size).toBeGreaterThan(15)
  })

  test('are drawn one after the other, without preferring any', () => {
    expect(backdated(1, 2)).toEqual({ back: 2, left: 0 })
    expect(backdated(1, DAYS - 1)).toEqual({ back: DAYS - 1, left: 0 })
    expect(backdated(1, DAYS)).toEqual({ back: 0, left: 0 })
    const incomplete = 2 ** 32 - (2 ** 32 % DAYS)
    expect(backdated(1, incomplete - 1)).toEqual({ back: DAYS - 1, left: 0 })
    expect(backdated(1, incomplete, 2 ** 32 - 1, 7)).toEqual({ back: 7, left: 0 })
  })
})

test('a draw that is no key is drawn again', () => {
  const keys = [new Uint8Array(32), new Uint8Array(32).fill(255), eve.secret.reveal()]
  const drawn: number[] = []
  const bytes = (length: number) => {
    drawn.push(length)
    // Per layer a time, a nonce and auxiliary randomness; then the key.
    return (drawn.length > 6 && keys.shift()) || new Uint8Array(length).fill(1)
  }
  const { wrap } = wrapMessage({ ...message, content: 'x', version: 2, random: { bytes } })
  expect(wrap.pubkey).toBe(eve.pubkey)
  expect(drawn).toEqual([4, 32, 32, 4, 32, 32, 32, 32, 32])
})

test('the kinds are those of the contract', () => {
  expect([RUMOR_KIND, SEAL_KIND, GIFT_WRAP_KIND]).toEqual([14, 13, 1059])
})

test('what cannot be sent is an error', () => {
  expect(() => wrapOf('x', 2, `${'0'.repeat(63)}5`)).toThrow(RangeError)
  expect(() => wrapOf('x'.repeat(32_769))).toThrow('a message of 32769 bytes')
  expect(() => wrapOf('"'.repeat(20_000))).toThrow(/^a gift wrap of \d+ bytes$/)
  expect(opened(wrapOf('x'.repeat(28_000)).wrap)).toHaveProperty('rumor')
})

describe('nostr-tools', () => {
  test('opens what we wrap in version 2', () => {
    const { wrap, rumor } = wrapOf('for everybody \u2014')
    expect(nip59.unwrapEvent(JSON.parse(JSON.stringify(wrap)), till.secret.reveal())).toEqual(rumor)
  })

  test('wraps what we open', () => {
    const wrap = nip59.wrapEvent(
      { kind: 14, content: 'from elsewhere', tags: TAGS },
      payer.secret.reveal(),
      till.pubkey,
    )
    const answer = opened(JSON.parse(JSON.stringify(wrap)))
    expect(answer).toMatchObject({ rumor: { pubkey: payer.pubkey, content: 'from elsewhere', tags: TAGS }, version: 2 })
  })
})

describe('a message put together by hand', () => {
  test('arrives, each layer in a version of its own', () => {
    expect(opened(crafted(JSON.stringify(rumor)))).toEqual({ rumor, version: 2 })
    const turned = crafted(JSON.stringify(rumor), { seal: { version: 3 }, wrap: { version: 2 } })
    expect(opened(turned)).toEqual({ rumor, version: 3 })
  })

  test.each([
    ['another id', { id: 'f'.repeat(64) }],
    ['an id of another type', { id: 7 }],
    ['no id', { id: undefined }],
    ['a signature', { sig: 'f'.repeat(128) }],
    ['unknown members', { relays: ['wss://relay.example.org'] }],
  ])('with %s in the rumor has the id that we compute, and only known members', (_, changes) =>
    expect(opened(crafted(JSON.stringify({ ...rumor, ...changes })))).toEqual({ rumor, version: 2 }),
  )

  test('may have a kind of its own: the caller decides', () => {
    const other = { ...unsigned, kind: 7 }
    expect(opened(crafted(JSON.stringify(other)))).toMatchObject({ rumor: { kind: 7, id: eventId(other) } })
  })

  test.each([
    ['text instead of a rumor', 'hello'],
    ['null', 'null'],
    ['a list', '[]'],
    ['a time as text', JSON.stringify({ ...rumor, created_at: '1' })],
    ['a kind out of range', JSON.stringify({ ...rumor, kind: 70_000 })],
    ['half a character', JSON.stringify({ ...rumor, content: '\ud800' })],
    ['a key in capitals', JSON.stringify({ ...rumor, pubkey: payer.pubkey.toUpperCase() })],
    ['too many tags', JSON.stringify({ ...rumor, tags: Array(2001).fill([]) })],
    ['brackets without end', '['.repeat(20_000)],
    ['brackets in brackets', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
    ['objects in objects', `{"tags":${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}}`],
  ])('around %s is malformed', (_, text) => expect(opened(crafted(text))).toEqual({ refusal: 'rumor-malformed' }))

  test('in the name of another key is refused', () => {
    expect(opened(crafted(JSON.stringify({ ...rumor, pubkey: eve.pubkey })))).toEqual({ refusal: 'author-mismatch' })
    const wrap = crafted(JSON.stringify(rumor), { seal: { from: eve.secret } })
    expect(opened(wrap)).toEqual({ refusal: 'author-mismatch' })
  })

  test('over 32768 bytes is too large, up to there it is not', () => {
    const ofBytes = (length: number) => {
      const euros = Math.floor(length / 3)
      return JSON.stringify({ ...rumor, content: '\u20ac'.repeat(euros) + 'x'.repeat(length - 3 * euros) })
    }
    // With the usual padding the wrap is over its own limit first.
    const slim = { seal: { version: 'unpadded' as const }, wrap: { version: 'unpadded' as const } }
    expect(opened(crafted(ofBytes(32_768), slim))).toMatchObject({ version: 3 })
    expect(opened(crafted(ofBytes(32_769), slim))).toEqual({ refusal: 'too-large' })
    expect(crafted(ofBytes(32_769), slim).content.length).toBeLessThan(MAX_WRAP_CONTENT)
  })
})

describe('the seal', () => {
  const text = JSON.stringify(rumor)
  const sealedAs = (changes: (seal: NostrEvent) => object) =>
    crafted(text, { sealed: (seal) => JSON.stringify({ ...seal, ...changes(seal) }) })

  test.each([
    ['is no event', () => ({ sig: 'x' }), { refusal: 'seal-malformed' }],
    ['is of another kind', () => ({ kind: 14 }), { refusal: 'seal-kind' }],
    ['has another id', () => ({ id: 'a'.repeat(64) }), { refusal: 'seal-forged' }],
    ['was changed after signing', () => ({ created_at: 1 }), { refusal: 'seal-forged' }],
    ['has a signature of another', () => ({ sig: 'a'.repeat(128) }), { refusal: 'seal-forged' }],
    [
      'is in the name of another key',
      (seal: NostrEvent) => ({ pubkey: eve.pubkey, id: eventId({ ...seal, pubkey: eve.pubkey }) }),
      { refusal: 'seal-forged' },
    ],
    [
      'is by a key that is no point',
      (seal: NostrEvent) => {
        const changes = { pubkey: `${'0'.repeat(63)}5` }
        return { ...changes, id: eventId({ ...seal, ...changes }) }
      },
      { refusal: 'seal-forged' },
    ],
  ])('that %s is refused', (_, changes, answer) => expect(opened(sealedAs(changes))).toEqual(answer))

  test.each([
    ['for another receiver', { seal: { to: eve.pubkey } }, 'mac'],
    ['for the kind of a wrap', { seal: { version: 3 as const, boundKind: 1059 } }, 'kind'],
  ])('made %s does not open', (_, changes, detail) =>
    expect(opened(crafted(text, changes))).toEqual({ refusal: 'seal-unreadable', detail }),
  )

  test('that is not JSON is malformed', () => {
    for (const sealed of ['{', '"x"', '[]', 'null', `${'['.repeat(20_000)}`])
      expect(opened(crafted(text, { sealed: () => sealed }))).toEqual({ refusal: 'seal-malformed' })
  })
})

describe('the wrap', () => {
  const wrap = crafted(JSON.stringify(rumor))

  test.each([
    ['no tag', []],
    [
      'two tags',
      [
        ['p', till.pubkey],
        ['p', till.pubkey],
      ],
    ],
    [
      'an expiration',
      [
        ['p', till.pubkey],
        ['expiration', '1'],
      ],
    ],
    ['a tag of another name', [['e', till.pubkey]]],
    ['a key in capitals', [['p', till.pubkey.toUpperCase()]]],
    ['no key', [['p']]],
    ['an empty tag', [[]]],
  ])('with %s is refused', (_, tags) => expect(opened(resigned(wrap, { tags }))).toEqual({ refusal: 'tags' }))

  test('may say after the key where the receiver reads', () => {
    const tags = [['p', till.pubkey, 'wss://relay.example.org']]
    expect(opened(resigned(wrap, { tags }))).toHaveProperty('rumor')
  })

  test('of another kind is refused', () => expect(opened(resigned(wrap, { kind: 1 }))).toEqual({ refusal: 'kind' }))

  test('over 65536 bytes is refused before anything is decrypted, signed or not', () => {
    const large = { ...wrap, content: 'A'.repeat(65_537) }
    expect(opened({ ...large, id: eventId(large) })).toEqual({ refusal: 'too-large' })
    const wide = { ...wrap, content: '\u20ac'.repeat(22_000) }
    expect(opened({ ...wide, id: eventId(wide) })).toEqual({ refusal: 'too-large' })
    expect(opened(resigned(wrap, { content: 'A'.repeat(65_536) }))).toEqual({
      refusal: 'unreadable',
      detail: 'version',
    })
  })

  test('whose id is not true is the relay\u2019s fault, whatever else is wrong', () => {
    for (const changes of [{ kind: 1 }, { tags: [] }, { content: 'A'.repeat(70_000) }, { created_at: 1 }])
      expect(opened({ ...wrap, ...changes })).toEqual({ refusal: 'forged' })
  })

  test('whose signature is wrong is the relay\u2019s fault', () => {
    const other = resigned(wrap, { created_at: 5 })
    expect(opened({ ...wrap, sig: other.sig })).toEqual({ refusal: 'forged' })
  })

  test.each([
    ['nothing', '', 'too-short'],
    ['an unknown form', '#x', 'future-form'],
    ['plain text', 'hello world', 'not-base64'],
    ['version 1', Buffer.alloc(99, 1).toString('base64'), 'version'],
    ['too little', Buffer.alloc(77, 2).toString('base64'), 'too-short'],
  ])('around %s is unreadable', (_, content, detail) =>
    expect(opened(resigned(wrap, { content }))).toEqual({ refusal: 'unreadable', detail }),
  )

  test('with any content at all is refused without an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.uint8Array({ maxLength: 200 }), (text, bytes) => {
        expect(opened(resigned(wrap, { content: text }))).toHaveProperty('refusal')
        expect(opened(resigned(wrap, { content: Buffer.from(bytes).toString('base64') }))).toHaveProperty('refusal')
      }),
      { numRuns: 40 },
    )
  })
})

describe('the version to write in', () => {
  const listOf = (...tags: string[][]): NostrEvent =>
    signEvent({ kind: 10_050, created_at: 1, tags, content: '' }, payer.secret, random)

  test.each([
    ['nip44_v3 nip44_v2', 3],
    ['nip44_v2 nip44_v3', 2],
    ['nip44_v9 nip44_v3', 3],
    ['nip44_v3', 3],
    ['  nip44_v3', 3],
    ['nip44_v33', 2],
    ['constructor', 2],
    ['', 2],
  ] as const)('to a reader of "%s" is %i', (methods, version) =>
    expect(envelopeVersionFor(listOf(['relay', 'wss://relay.example.org'], ['encryption', methods]))).toBe(version),
  )

  test('is 2 where nothing is said', () => {
    expect(envelopeVersionFor(undefined)).toBe(2)
    expect(envelopeVersionFor(listOf(['relay', 'wss://relay.example.org']))).toBe(2)
    expect(envelopeVersionFor(listOf(['encryption']))).toBe(2)
    expect(envelopeVersionFor({ ...listOf(['encryption', 'nip44_v3']), kind: 10_002 })).toBe(2)
  })
})
