// A client as any other: it publishes an event, reads it back, and is told of it by its own subscription. How long each takes is remembered.
import { setTimeout as pause } from 'node:timers/promises'
import { newSociety } from '../../../test/faults/relay-people.js'
import { type Spread, spreadOf } from '../client/figures.js'
import { messageFrame } from '../client/frames.js'
import { dial, type Line } from '../client/line.js'

export interface GoodReport {
  readonly published: number
  readonly okMs: Spread
  readonly readMs: Spread
  readonly liveMs: Spread
  /** Questions without the right answer in time, and connections that ended. */
  readonly faults: readonly string[]
}

const PATIENCE_MS = 30_000
const MOST_FAULTS = 20

/** Runs until `stop`; `perSecond` events a second at the most, one at a time. */
export async function beGood(port: number, perSecond: number, stop: AbortSignal): Promise<GoodReport> {
  const [writer] = newSociety().writers
  const [ok, read, live]: number[][] = [[], [], []]
  const faults: string[] = []
  let published = 0
  let client = await openClient(port)

  for (let number = 0; !stop.aborted; number += 1) {
    const begun = performance.now()
    const event = writer!.sign({
      created_at: Math.floor(Date.now() / 1000),
      kind: 7,
      tags: [],
      content: `good ${number}`,
    })
    try {
      const heard = client.wait(`EVENT live ${event.id}`)
      heard.catch(() => undefined)
      const stored = await client.ask(['EVENT', event], `OK ${event.id}`)
      if (stored[2] !== true) throw new Error(`refused: ${String(stored[3])}`)
      published += 1
      ok!.push(performance.now() - begun)
      await heard
      live!.push(performance.now() - begun)
      const asked = performance.now()
      const found = client.wait(`EVENT back ${event.id}`)
      found.catch(() => undefined)
      await client.ask(['REQ', 'back', { ids: [event.id] }], 'EOSE back')
      await found
      read!.push(performance.now() - asked)
      client.send(['CLOSE', 'back'])
    } catch (error) {
      if (stop.aborted) break
      if (faults.length < MOST_FAULTS) faults.push(`${number}: ${String(error)}`)
      client.close()
      await pause(1000)
      client = await openClient(port).catch(() => client)
    }
    await pause(Math.max(0, 1000 / perSecond - (performance.now() - begun)))
  }
  client.close()
  return { published, okMs: spreadOf(ok!), readMs: spreadOf(read!), liveMs: spreadOf(live!), faults }
}

type Message = readonly unknown[]

interface Client {
  send(message: Message): void
  /** The next message of that sort. Rejects when the connection ends, or after half a minute. */
  wait(what: string): Promise<Message>
  ask(message: Message, what: string): Promise<Message>
  close(): void
}

async function openClient(port: number): Promise<Client> {
  const line: Line = await dial(port)
  const waiting = new Map<string, (message: Message) => void>()
  line.listen((bytes, start, end) => {
    const message = JSON.parse(bytes.toString('utf8', start, end)) as Message
    const [verb, name, value] = message
    const id = verb === 'EVENT' ? ` ${(value as { id: string }).id}` : ''
    waiting.get(`${verb} ${name}${id}`)?.(message)
    if (verb === 'CLOSED') waiting.get(`EOSE ${name}`)?.(message)
  })
  const wait = (what: string): Promise<Message> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no ${what.slice(0, 12)} within ${PATIENCE_MS} ms`)), PATIENCE_MS)
      waiting.set(what, (message) => {
        clearTimeout(timer)
        waiting.delete(what)
        if (message[0] === 'CLOSED') reject(new Error(`CLOSED: ${String(message[2])}`))
        else resolve(message)
      })
      void line.ended.then(() => {
        clearTimeout(timer)
        reject(new Error('the connection ended'))
      })
    })
  const send = (message: Message): void => line.send(messageFrame(...message))
  const ask = (message: Message, what: string): Promise<Message> => {
    const answer = wait(what)
    send(message)
    return answer
  }
  const client = { send, wait, ask, close: () => line.close() }
  await ask(['REQ', 'live', { kinds: [7], authors: [newSociety().writers[0]!.pubkey], limit: 0 }], 'EOSE live')
  return client
}
