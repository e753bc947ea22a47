// Floods of events that look right and whose signatures are not, from a thread of their own, with somebody beside them who publishes.

import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
import type { WireClient } from '../../support/wire-client.js'
import { writer } from '../../support/wire-people.js'
import { targets } from './targets.js'

const PEOPLE = 8
const PACE_MS = 20
const AT_ONCE = 40

/** Sends what it was given over several connections, and comes again whenever it was sent away. */
const ATTACK = `
const { parentPort, workerData: { library, url, texts, people, pace, atOnce } } = require('node:worker_threads')
const { WebSocket } = require(library)
let sent = 0, sentAway = 0
function attack() {
  const socket = new WebSocket(url)
  let next = 0
  const timer = setInterval(() => {
    if (socket.readyState === WebSocket.CLOSING) socket.terminate()
    if (socket.readyState !== WebSocket.OPEN || socket.bufferedAmount > 100000) return
    for (let n = 0; n < atOnce; n++, sent++) socket.send(texts[next++ % texts.length])
  }, pace)
  socket.on('error', () => {})
  socket.on('close', () => { clearInterval(timer); sentAway++; setTimeout(attack, pace) })
}
for (let n = 0; n < people; n++) attack()
parentPort.on('message', () => { parentPort.postMessage({ sent, sentAway }); process.exit() })
`

function badSignatures(count: number): readonly string[] {
  const [who, other] = [writer(), writer().event().sig]
  return Array.from({ length: count }, () => JSON.stringify(['EVENT', { ...who.event(), sig: other }]))
}

async function medianOf(client: WireClient, count: number): Promise<number[]> {
  const who = writer()
  const times: number[] = []
  for (let n = 0; n < count; n++) {
    const event = who.event()
    const startedAt = performance.now()
    expect(await client.publish(event)).toEqual([true, ''])
    times.push(performance.now() - startedAt)
  }
  return times
}

const median = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[times.length >> 1] ?? 0

export function describeFloods(): void {
  describe('floods of bad signatures', () => {
    test('do not slow down who publishes beside them by more than three times', async () => {
      const texts = badSignatures(300)
      const library = createRequire(import.meta.url).resolve('ws')
      const client = await targets.relay.client()
      await medianOf(client, 20)
      const [quiet, flooded]: [number[], number[]] = [[], []]
      let refused = 0
      for (let round = 0; round < 3; round++) {
        quiet.push(...(await medianOf(client, 40)))
        const workerData = {
          library,
          url: targets.relay.address,
          texts,
          people: PEOPLE,
          pace: PACE_MS,
          atOnce: AT_ONCE,
        }
        const attack = new Worker(ATTACK, { eval: true, workerData })
        await new Promise((resolve) => setTimeout(resolve, 500))
        flooded.push(...(await medianOf(client, 40)))
        const { sent, sentAway } = await new Promise<{ sent: number; sentAway: number }>((resolve) => {
          attack.once('message', resolve)
          attack.postMessage('enough')
        })
        expect(sentAway).toBeGreaterThan(PEOPLE)
        refused += sent
      }
      const [before, during] = [median(quiet), median(flooded)]
      console.log(
        `a publisher waits ${before.toFixed(2)} ms, and ${during.toFixed(2)} ms beside ${refused} bad signatures`,
      )
      // A machine that is busy with other things makes both slow, and the second one twice: the floor is for that.
      expect(during).toBeLessThan(Math.max(3 * before, 30))
    })

    test('end with the connection that sends them', async () => {
      const client = await targets.relay.client()
      for (const text of badSignatures(100)) client.send(text)
      expect(await client.ended).toBe(1008)
    })
  })
}
