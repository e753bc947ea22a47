// A client of a relay that says anything at all, and asks for what it was answered, with a time limit on every answer.
import { expect } from 'vitest'
import { WebSocket } from 'ws'

type WireMessage = readonly unknown[]

export interface WireOptions {
  readonly perMessageDeflate?: boolean
  /** Keeps the AUTH message that comes first where the relay asks who is there. */
  readonly keepsChallenge?: boolean
  readonly path?: string
}

export interface WireClient {
  readonly socket: WebSocket
  /** What the relay sent at once when it asks who is there. */
  challenge(): Promise<string>
  /** A list becomes JSON; texts and bytes are sent as they are. */
  send(message: WireMessage | string | Buffer): void
  next(): Promise<WireMessage>
  /** The next messages, so many. */
  take(count: number): Promise<readonly WireMessage[]>
  /** All up to the first of this kind, which is the last of them. */
  until(verb: string): Promise<readonly WireMessage[]>
  /** Expects exactly these answers, and nothing more. */
  expects(message: WireMessage | string | Buffer, answers: readonly unknown[]): Promise<void>
  /** Expects that nothing else has come. */
  isQuiet(): Promise<void>
  /** What the OK says of an event: accepted or not, and why. */
  publish(event: { readonly id: string }, verb?: string): Promise<readonly [boolean, string]>
  /** Publishes all, which are to be accepted. */
  store(...events: readonly { readonly id: string }[]): Promise<void>
  /** Ids in the order of the answer, until EOSE; the subscription is closed. */
  ids(...filters: readonly object[]): Promise<readonly string[]>
  /** What COUNT answers. */
  count(...filters: readonly object[]): Promise<unknown>
  /** Close code, once the connection has ended. */
  readonly ended: Promise<number>
  close(): void
}

const PATIENCE_MS = 20_000
/** Sent to see that nothing else has come; the relay knows no such command. */
const PROBE = ['ANYTHING ELSE?']
const PROBED = ['NOTICE', 'invalid: unknown command']

export async function wireClient(url: string, options: WireOptions = {}): Promise<WireClient> {
  const { keepsChallenge = false, path = '/', ...how } = options
  const socket = new WebSocket(url + path, { perMessageDeflate: false, ...how })
  const arrived: WireMessage[] = []
  const waiting: ((message: WireMessage) => void)[] = []
  let announced: string | undefined
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as WireMessage
    if (message[0] === 'AUTH' && announced === undefined && !keepsChallenge) {
      announced = String(message[1])
      return
    }
    const next = waiting.shift()
    if (next) next(message)
    else arrived.push(message)
  })
  const ended = new Promise<number>((resolve) => socket.on('close', resolve))
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))
  socket.on('error', () => {})
  let questions = 0

  function next(): Promise<WireMessage> {
    const message = arrived.shift()
    if (message) return Promise.resolve(message)
    return new Promise((resolve, reject) => {
      const patience = setTimeout(() => reject(new Error(`no answer in ${PATIENCE_MS} ms`)), PATIENCE_MS)
      waiting.push((one) => {
        clearTimeout(patience)
        resolve(one)
      })
    })
  }

  function send(message: WireMessage | string | Buffer): void {
    socket.send(typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message))
  }

  async function until(verb: string): Promise<readonly WireMessage[]> {
    const seen: WireMessage[] = []
    while (seen.at(-1)?.[0] !== verb) seen.push(await next())
    return seen
  }

  async function take(count: number): Promise<readonly WireMessage[]> {
    const seen: WireMessage[] = []
    while (seen.length < count) seen.push(await next())
    return seen
  }

  async function isQuiet(): Promise<void> {
    send(PROBE)
    expect(await next()).toEqual(PROBED)
  }

  async function publish(event: { readonly id: string }, verb = 'EVENT'): Promise<readonly [boolean, string]> {
    send([verb, event])
    const ok = (await until('OK')).at(-1) ?? []
    expect(ok[1]).toBe(event.id)
    return [ok[2] === true, String(ok[3])]
  }

  async function ask(verb: string, last: string, filters: readonly object[]): Promise<readonly WireMessage[]> {
    send([verb, `question ${++questions}`, ...filters])
    const answers = await until(last)
    send(['CLOSE', `question ${questions}`])
    return answers
  }

  return {
    socket,
    async challenge() {
      while (announced === undefined) await new Promise((resolve) => setTimeout(resolve, 5))
      return announced
    },
    ...{ send, next, take, until, isQuiet, publish, ended },
    async expects(message, answers) {
      send(message)
      expect(await take(answers.length)).toEqual(answers)
      await isQuiet()
    },
    async store(...events) {
      for (const event of events) expect(await publish(event)).toEqual([true, ''])
    },
    ids: async (...filters) =>
      (await ask('REQ', 'EOSE', filters))
        .filter(([verb]) => verb === 'EVENT')
        .map(([, , event]) => (event as { id: string }).id),
    count: async (...filters) => (await ask('COUNT', 'COUNT', filters)).at(-1)?.[2],
    close: () => socket.terminate(),
  }
}
