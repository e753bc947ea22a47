import { expect, test } from 'vitest'
import { openWrap } from '../../../src/nostr/gift-wrap/index.js'
import { createRelayLists } from '../../../src/till/nostr/relay-lists.js'
import { createTexts, type TextsParts } from '../../../src/till/nostr/texts.js'
import { createFakeClock, settled } from '../../support/fake-clock.js'
import { createFakeRelays } from '../../support/fake-relays.js'
import { keyPairOf, seededRandom } from '../../support/nostr.js'

const A = 'wss://a.example'
const [payer, child] = [keyPairOf('payer'), keyPairOf('child')]

const findChild: TextsParts['findSecret'] = async (pubkey) => (pubkey === child.pubkey ? child.secret : undefined)

function given(findSecret = findChild) {
  const [clock, relays] = [createFakeClock(), createFakeRelays([A])]
  const log: string[] = []
  const texts = createTexts({
    relays,
    relayLists: createRelayLists({ relays, urls: [A], clock }),
    urls: [A],
    findSecret,
    clock,
    random: seededRandom('texts'),
    log: { warn: (_, text) => void log.push(text) },
  })
  const send = (over = {}) => texts.sendText({ from: child.pubkey, to: payer.pubkey, text: 'no, sorry', ...over })
  return { relays, log, texts, send, published: () => relays.relay(A).published.length }
}

async function rest() {
  for (let turn = 0; turn < 30; turn += 1) await settled()
}

test('a message in words comes from the key that was written to, with nothing but its receiver in the tags', async () => {
  const { relays, send } = given()
  send()
  await rest()
  const [wrap] = relays.relay(A).events.values()
  const opened = wrap && openWrap(wrap, payer.secret)
  expect(opened).toMatchObject({
    rumor: { pubkey: child.pubkey, kind: 14, content: 'no, sorry', tags: [['p', payer.pubkey]] },
  })
})

test('what cannot be sent is dropped and the next goes out', async () => {
  const { send, log, published } = given()
  send({ to: 'f'.repeat(64) })
  send({ from: payer.pubkey })
  send()
  await rest()
  expect([published(), log]).toEqual([1, ['message not sent']])
})

test('four are on their way and a hundred wait, the rest is dropped', async () => {
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  let begun = 0
  const { send } = given(async () => {
    begun += 1
    await gate
    return undefined
  })
  for (let n = 0; n < 4; n += 1) send()
  await rest()
  for (let n = 0; n < 150; n += 1) send()
  await rest()
  expect(begun).toBe(4)
  open()
  for (let n = 0; n < 10; n += 1) await rest()
  expect(begun).toBe(104)
})

test('after the end nothing is sent', async () => {
  const { texts, send, published } = given()
  texts.close()
  send()
  await rest()
  expect(published()).toBe(0)
})
