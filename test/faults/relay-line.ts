// A client's connection to a relay that may die at any moment: every question is answered, or known to be unanswered.
import { WebSocket } from 'ws'
import type { OkReply } from './relay-log.js'
import type { Signed } from './relay-people.js'

export type Filter = Readonly<Record<string, unknown>>
type Message = readonly unknown[]

export interface Line {
  /** Undefined: the connection broke before the answer. */
  publish(event: Signed, verb?: 'EVENT' | 'AUTH'): Promise<OkReply | undefined>
  /** Stored events in the order of their arrival, up to EOSE. */
  ask(...filters: readonly Filter[]): Promise<readonly Signed[] | undefined>
  count(...filters: readonly Filter[]): Promise<number | undefined>
  /** Stays open; calls back with every event, and with `undefined` for EOSE. */
  listen(filters: readonly Filter[], hear: (event: Signed | undefined) => void): void
  /** Asks, and closes the subscription after so many milliseconds, whatever came until then. */
  leave(filters: readonly Filter[], afterMs: number): void
  send(message: Message): void
  /** What the relay asks to be signed (NIP-42), once it does. */
  readonly challenge: Promise<string>
  readonly socket: WebSocket
  readonly ended: Promise<void>
  close(): void
}

/** A question that is open for this long is a fault of the relay. */
const PATIENCE_MS = 60_000

/** Rejects when no relay listens there. `silent` is called when a question gets no answer although the connection lives. */
export async function openLine(url: string, silent: (question: string) => void): Promise<Line> {
  const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: 2 ** 27 })
  const waiting = new Map<string, ((message: Message | undefined) => void)[]>()
  const heard = new Map<string, (event: Signed | undefined) => void>()
  let next = 0
  let challenged = (_: string): void => undefined
  const challenge = new Promise<string>((resolve) => {
    challenged = resolve
  })

  const hear = (message: Message): void => {
    const [verb, name, value] = message
    if (verb === 'EVENT' || verb === 'EOSE') heard.get(String(name))?.(value as Signed | undefined)
    if (verb === 'AUTH') challenged(String(name))
    if (verb === 'EVENT' || verb === 'AUTH') return
    const queue = waiting.get(`${verb === 'OK' ? 'OK' : 'SUB'} ${name}`)
    queue?.shift()?.(message)
  }
  socket.on('message', (data) => hear(JSON.parse(String(data))))
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  ended.then(() => {
    for (const queue of waiting.values()) for (const answer of queue.splice(0)) answer(undefined)
  })
  socket.on('error', () => socket.terminate())
  await Promise.race([
    new Promise((resolve) => socket.once('open', resolve)),
    ended.then(() => Promise.reject(new Error(`no relay listens at ${url}`))),
  ])

  const answerTo = (key: string, question: Message): Promise<Message | undefined> =>
    new Promise((resolve) => {
      if (socket.readyState !== WebSocket.OPEN) return resolve(undefined)
      const queue = waiting.get(key) ?? []
      waiting.set(key, queue)
      const timer = setTimeout(() => silent(JSON.stringify(question).slice(0, 200)), PATIENCE_MS)
      queue.push((answer) => {
        clearTimeout(timer)
        if (queue.length === 0) waiting.delete(key)
        resolve(answer)
      })
      socket.send(JSON.stringify(question))
    })

  return {
    socket,
    ended,
    challenge,
    async publish(event, verb = 'EVENT') {
      const [, , accepted, text] = (await answerTo(`OK ${event.id}`, [verb, event])) ?? []
      return accepted === undefined ? undefined : { accepted: accepted === true, text: String(text) }
    },
    async ask(...filters) {
      const name = `q${next++}`
      const events: Signed[] = []
      heard.set(name, (event) => (event ? events.push(event) : heard.delete(name)))
      const answer = await answerTo(`SUB ${name}`, ['REQ', name, ...filters])
      if (answer?.[0] === 'EOSE') socket.send(JSON.stringify(['CLOSE', name]))
      return answer?.[0] === 'EOSE' ? events : undefined
    },
    async count(...filters) {
      const name = `c${next++}`
      const [, , value] = (await answerTo(`SUB ${name}`, ['COUNT', name, ...filters])) ?? []
      return typeof value === 'object' && value !== null && 'count' in value ? Number(value.count) : undefined
    },
    listen(filters, tell) {
      const name = `l${next++}`
      heard.set(name, tell)
      socket.send(JSON.stringify(['REQ', name, ...filters]))
    },
    leave(filters, afterMs) {
      const name = `x${next++}`
      const close = () => {
        if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(['CLOSE', name]))
      }
      if (socket.readyState !== WebSocket.OPEN) return
      socket.send(JSON.stringify(['REQ', name, ...filters]))
      if (afterMs === 0) close()
      else setTimeout(close, afterMs)
    },
    send: (message) => socket.send(JSON.stringify(message)),
    close: () => socket.terminate(),
  }
}
