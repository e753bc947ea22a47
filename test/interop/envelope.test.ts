// Gift wraps and pay links of grinpay against software that was not written for it: rust-nostr (v2) and the crate nip44 (v3).
import { describe, expect, test } from 'vitest'
import { Secret } from '../../src/lib/secret.js'
import { parseEvent } from '../../src/nostr/event/index.js'
import { type EnvelopeVersion, openWrap, type Rumor, wrapMessage } from '../../src/nostr/gift-wrap/index.js'
import { publicKeyOf } from '../../src/nostr/keys/index.js'
import { formatNprofile } from '../../src/nostr/nip19/index.js'
import { formatPayLink } from '../../src/nostr/pay-link/index.js'
import { systemRandom } from '../../src/system/index.js'
import { missingPayer, runPayer } from '../support/payer-program.js'
import { vectors } from '../support/vectors.js'

const missing = missingPayer()
const VERSIONS: readonly EnvelopeVersion[] = [2, 3]
const CONTENTS: readonly string[] = [
  'x',
  'é ₿ 😀 \u2028 "quoted" \\ back\u0000slash\n\ttab',
  'a'.repeat(255),
  'b'.repeat(256),
  'c'.repeat(4_097),
  '€'.repeat(8_000),
]

interface VectorWrap {
  readonly nip44_version: EnvelopeVersion
  readonly role: string
  readonly receiver_secret: string
  readonly rumor_json: string
  readonly wrap_event: object
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const newKey = () => new Secret(systemRandom.bytes(32))
const tagsFor = (receiver: string) => [
  ['p', receiver],
  ['goblin', '1'],
  ['subject', 'order "42"'],
]
const openedBy = async (secret: string, wrap: unknown) =>
  (await runPayer('open-wrap', {}, { secret, wrap })).line<{
    rumor: Rumor
    seal_version: number
    wrap_version: number
  }>('opened')

describe.skipIf(missing)(`envelopes beside rust-nostr${missing ? ` (skipped: ${missing})` : ''}`, () => {
  test.each(VERSIONS)('a v%i wrap of grinpay opens in rust-nostr, whatever is in it', async (version) => {
    for (const content of CONTENTS) {
      const [sender, receiver] = [newKey(), newKey()]
      const message = {
        content,
        tags: tagsFor(publicKeyOf(receiver)),
        sender,
        receiver: publicKeyOf(receiver),
        version,
      }
      const { wrap, rumor } = wrapMessage({ ...message, now: Date.now(), random: systemRandom })
      const opened = await openedBy(hex(receiver.reveal()), wrap)
      expect(opened).toMatchObject({ rumor, seal_version: version, wrap_version: version })
    }
  })

  test.each(VERSIONS)('a v%i wrap of rust-nostr opens in grinpay, whatever is in it', async (version) => {
    for (const content of CONTENTS) {
      const [sender, receiver] = [newKey(), newKey()]
      const order = { secret: hex(sender.reveal()), to: publicKeyOf(receiver), content, version }
      const made = await runPayer('make-wrap', {}, { ...order, tags: tagsFor(publicKeyOf(receiver)) })
      const { wrap, rumor } = made.line<{ wrap: unknown; rumor: Rumor }>('wrapped')
      const event = parseEvent(wrap)
      expect(event && openWrap(event, receiver)).toEqual({ rumor, version })
    }
  })

  test('the recorded wraps of both versions open in rust-nostr to the recorded messages', async () => {
    const recorded: readonly VectorWrap[] = vectors('pay/giftwrap.json').vectors
    expect(recorded.length).toBeGreaterThan(3)
    for (const { nip44_version, receiver_secret, rumor_json, wrap_event } of recorded) {
      const opened = await openedBy(receiver_secret, wrap_event)
      expect(opened).toMatchObject({ rumor: JSON.parse(rumor_json), wrap_version: nip44_version })
    }
  })

  test('a wrap that was changed on its way opens in neither', async () => {
    const [sender, receiver] = [newKey(), newKey()]
    const message = { content: 'x', tags: [], sender, receiver: publicKeyOf(receiver), version: 3 as const }
    const { wrap } = wrapMessage({ ...message, now: Date.now(), random: systemRandom })
    const changed = { ...wrap, created_at: wrap.created_at + 1 }
    expect(openWrap(changed, receiver)).toEqual({ refusal: 'forged' })
    await expect(openedBy(hex(receiver.reveal()), changed)).rejects.toThrow(/ended with 1/)
  })

  test('rust-nostr reads key, relays, amount, memo and proof out of a pay link', async () => {
    const pubkey = publicKeyOf(newKey())
    const relays = ['wss://relay.example', 'ws://127.0.0.1:7777']
    const proof = 'tgrin1xtxavwfgs48ckf3gk8wwgcndmn0nt4tvkl8a7ltyejjcy2mc6nfs9gm2lp'
    const link = formatPayLink({
      scheme: 'goblin',
      nprofile: formatNprofile({ pubkey, relays }),
      amount: '1.000000001',
      memo: 'Coffee & cake? 100% "ü"',
      proof,
    })
    const read = (await runPayer('read-link', { link })).line('link')
    const expected = { pubkey, relays, amount: 1_000_000_001, memo: 'Coffee & cake? 100% "ü"', proof }
    expect(read).toEqual({ event: 'link', ...expected })
  })
})
