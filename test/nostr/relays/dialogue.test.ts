// Questions to one relay, over a socket that the test holds.
import { describe, expect, test } from 'vitest'
import { openDialogue } from '../../../src/nostr/relays/dialogue.js'
import type { OpenSocket } from '../../../src/nostr/relays/ports.js'
import { createFakeClock, settled } from '../../support/fake-clock.js'

async function dialogueOf() {
  const clock = createFakeClock()
  const sent: unknown[] = []
  let listener: Parameters<OpenSocket>[1] | undefined
  const openSocket: OpenSocket = async (_request, given) => {
    listener = given
    const none = () => undefined
    return {
      send: (frame) => void sent.push(JSON.parse(frame)),
      ...{ ping: none, pause: none, resume: none, bufferedBytes: () => 0, close: none, terminate: none },
    }
  }
  const dialogue = await openDialogue({ url: 'wss://relay', openSocket, clock, timeoutMs: 1000, maxFrameBytes: 1000 })
  return {
    clock,
    sent,
    dialogue,
    say: (...message: unknown[]) => listener?.frame(JSON.stringify(message)),
    garble: () => listener?.frame('{not json'),
    hangUp: () => listener?.closed({ reason: 'the connection was closed' }),
  }
}

const okOf = ([verb, id]: readonly unknown[]) => (verb === 'OK' ? id : undefined)

describe('a question', () => {
  test('is answered by the first message that its reader understands', async () => {
    const { dialogue, sent, say, garble } = await dialogueOf()
    const answer = dialogue.ask(['EVENT', {}], okOf, 5000)
    garble()
    say('NOTICE', 'hello')
    say('OK', 'first')
    say('OK', 'second')
    expect([await answer, sent]).toEqual(['first', [['EVENT', {}]]])
  })

  test('has a limit on time', async () => {
    const { dialogue, clock } = await dialogueOf()
    const answer = dialogue.ask(['REQ'], okOf, 5000).catch((error: Error) => error.message)
    await clock.advance(5000)
    expect(await answer).toBe('no answer within 5 s')
  })

  test('fails when the connection is gone, before it and after it', async () => {
    const { dialogue, hangUp } = await dialogueOf()
    const early = dialogue.ask(['REQ'], okOf, 5000).catch((error: Error) => error.message)
    hangUp()
    const late = dialogue.ask(['REQ'], okOf, 5000).catch((error: Error) => error.message)
    expect(await Promise.all([early, late])).toEqual(Array(2).fill('the connection was closed'))
  })
})

test('what answers no question goes to the listeners', async () => {
  const { dialogue, say } = await dialogueOf()
  const heard: unknown[] = []
  dialogue.listen((message) => heard.push(message))
  const answer = dialogue.ask(['EVENT', {}], okOf, 5000)
  say('EVENT', 'sub', {})
  say('OK', 'id')
  await answer
  await settled()
  expect(heard).toEqual([['EVENT', 'sub', {}]])
})
