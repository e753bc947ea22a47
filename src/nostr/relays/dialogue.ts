// Requests to one relay over one connection: each has a message, a reader of responses and a timeout. For callers that need no
// authentication, reconnection or back-pressure; the till's pool has these in its session.
import { parseJson } from '../../lib/parse-json.js'
import type { OpenSocket, RelayClock } from './ports.js'

/** A message of the relay protocol: the verb, then its arguments. */
export type RelayTuple = readonly unknown[]

export interface DialogueParts {
  /** `ws://` or `wss://`. */
  readonly url: string
  readonly openSocket: OpenSocket
  readonly clock: Pick<RelayClock, 'sleep'>
  /** Timeout of the connection. */
  readonly timeoutMs: number
  readonly maxFrameBytes: number
  /** As `listen`, from the first message of the connection on. */
  readonly listener?: (message: RelayTuple) => void
}

export interface Dialogue {
  /**
   * Sends a message and resolves with the first defined result of `read`. Rejects with an Error whose message is the reason: timeout,
   * or connection lost.
   */
  ask<T>(message: RelayTuple, read: (answer: RelayTuple) => T | undefined, timeoutMs: number): Promise<T>
  send(message: RelayTuple): void
  /** Passes on every message that no request consumes. */
  listen(listener: (message: RelayTuple) => void): void
  close(): void
}

interface Waiter {
  /** True: the message was the response. */
  takes(message: RelayTuple): boolean
  fail(reason: string): void
}

/** Rejects with an Error whose message is the reason. */
export async function openDialogue({
  url,
  openSocket,
  clock,
  timeoutMs,
  maxFrameBytes,
  listener: first,
}: DialogueParts): Promise<Dialogue> {
  const waiters = new Set<Waiter>()
  const listeners: ((message: RelayTuple) => void)[] = first ? [first] : []
  const life = new AbortController()
  let gone: string | undefined

  function closed({ reason }: { readonly reason: string }): void {
    gone = reason
    for (const waiter of [...waiters]) waiter.fail(reason)
  }

  function frame(text: string): void {
    const message = parseJson(text)
    if (!Array.isArray(message)) return
    for (const waiter of waiters) if (waiter.takes(message)) return
    for (const listener of listeners) listener(message)
  }

  const request = { url, timeoutMs, maxFrameBytes, publicOnly: false, signal: life.signal }
  const socket = await openSocket(request, { frame, ping: ignore, pong: ignore, closed })
  const send = (message: RelayTuple): void => socket.send(JSON.stringify(message))

  return {
    send,
    ask(message, read, limitMs) {
      return new Promise((resolve, reject) => {
        const waiting = new AbortController()
        const settle = (finish: () => void): void => {
          waiters.delete(waiter)
          waiting.abort()
          finish()
        }
        const waiter: Waiter = {
          takes(answer) {
            const value = read(answer)
            if (value !== undefined) settle(() => resolve(value))
            return value !== undefined
          },
          fail: (reason) => settle(() => reject(new Error(reason))),
        }
        if (gone !== undefined) return waiter.fail(gone)
        waiters.add(waiter)
        void clock.sleep(limitMs, waiting.signal).then(() => {
          if (!waiting.signal.aborted) waiter.fail(`no answer within ${Math.round(limitMs / 1000)} s`)
        })
        send(message)
      })
    },
    listen: (listener) => void listeners.push(listener),
    close() {
      life.abort()
      listeners.length = 0
      socket.close()
    },
  }
}

const ignore = (): void => undefined
