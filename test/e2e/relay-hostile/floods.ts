// Floods of events that look right and whose signatures are not, from a thread of their own, with an honest publisher beside them.

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
setInterval(() => parentPort.postMessage({ sent, sentAway }), pace)
`

function badSignatures(count: number): readonly string[] {
  const [who, other] = [writer(), writer().event().sig]
  return Array.from({ length: count }, () => JSON.stringify(['EVENT', { ...who.event(), sig: other }]))
}

/** Milliseconds until the OK: half of so many events have it earlier. */
async function medianOf(client: WireClient, count: number): Promise<number> {
  const who = writer()
  const times: number[] = []
  for (let n = 0; n < count; n++) {
    const event = who.event()
    const startedAt = performance.now()
    expect(await client.publish(event)).toEqual([true, ''])
    times.push(performance.now() - startedAt)
  }
  return times.sort((a, b) => a - b)[times.length >> 1] ?? 0
}

/** Runs `work` once the flood is on: each of its connections was sent away and came again. Answers how many events it sent, too. */
async function besideFlood<T>(texts: readonly string[], work: () => Promise<T>): Promise<readonly [T, number]> {
  const library = createRequire(import.meta.url).resolve('ws')
  const url = targets.relay.address
  const workerData = { library, url, texts, people: PEOPLE, pace: PACE_MS, atOnce: AT_ONCE }
  const attack = new Worker(ATTACK, { eval: true, workerData })
  let sent = 0
  try {
    await new Promise<void>((resolve, reject) => {
      attack.on('message', (progress: { sent: number; sentAway: number }) => {
        sent = progress.sent
        if (progress.sentAway > PEOPLE) resolve()
      })
      attack.once('error', reject)
    })
    return [await work(), sent]
  } finally {
    await attack.terminate()
  }
}

/** Another process that takes the processor spoils a round, but hardly all of them; a relay that is slowed down by the flood is so in each. */
const MOST_ROUNDS = 8
const ROUNDS_KEPT = 3
const MOST_TIMES = 3
/** So short a time means nothing. */
const FLOOR_MS = 30

export function describeFloods(): void {
  describe('floods of bad signatures', () => {
    test('do not slow down who publishes beside them by more than three times', { timeout: 120_000 }, async () => {
      const texts = badSignatures(300)
      const client = await targets.relay.client()
      await medianOf(client, 20)
      const rounds: string[] = []
      let kept = 0
      for (let round = 0; round < MOST_ROUNDS && kept < ROUNDS_KEPT; round++) {
        const before = await medianOf(client, 40)
        const [during, refused] = await besideFlood(texts, () => medianOf(client, 40))
        rounds.push(`${before.toFixed(2)} ms, and ${during.toFixed(2)} ms beside ${refused} bad signatures`)
        if (during < Math.max(MOST_TIMES * before, FLOOR_MS)) kept++
      }
      console.log(`a publisher waits ${rounds.join('; ')}`)
      expect(kept, rounds.join('; ')).toBe(ROUNDS_KEPT)
    })

    test('end with the connection that sends them', async () => {
      const client = await targets.relay.client()
      for (const text of badSignatures(100)) client.send(text)
      expect(await client.ended).toBe(1008)
    })
  })
}
