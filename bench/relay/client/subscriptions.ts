// Connections that only listen: their subscriptions opened before the clock starts, their deliveries counted without parsing them.

import type { WireFilter } from '../data/matcher.js'
import { messageFrame } from './frames.js'
import type { Line } from './line.js'
import { verbOf } from './messages.js'

export interface Subscriptions {
  /** Deliveries so far, all connections. */
  readonly delivered: number
  /** Deliveries of each connection. */
  readonly byLine: readonly number[]
  /** From now on: called after each delivery. */
  hear(onDelivery: OnDelivery): void
}

/** The bytes of the message are overwritten after the call. */
type OnDelivery = (line: number, bytes: Buffer, start: number, end: number) => void

/** Opens `perLine` subscriptions on each line and resolves when all stored events were answered, which are not counted. */
export async function subscribe(
  lines: readonly Line[],
  perLine: number,
  filterOf: (index: number) => WireFilter,
): Promise<Subscriptions> {
  const byLine = new Array<number>(lines.length).fill(0)
  let delivered = 0
  let onDelivery: OnDelivery = () => undefined

  await Promise.all(lines.map((line, which) => openAll(line, which)))
  delivered = 0
  byLine.fill(0)

  function openAll(line: Line, which: number): Promise<void> {
    return new Promise((resolve, reject) => {
      let answered = 0
      line.listen((bytes, start, end) => {
        const verb = verbOf(bytes, start)
        if (verb === 'EVENT') {
          delivered += 1
          byLine[which]! += 1
          onDelivery(which, bytes, start, end)
        } else if (verb === 'EOSE' && ++answered === perLine) resolve()
        else if (verb === 'CLOSED' || verb === 'NOTICE') reject(new Error(bytes.toString('utf8', start, end)))
      })
      line.sendAll(
        Array.from({ length: perLine }, (_, index) =>
          messageFrame('REQ', `s${index}`, filterOf(which * perLine + index)),
        ),
      )
    })
  }

  return {
    get delivered() {
      return delivered
    },
    byLine,
    hear(next) {
      onDelivery = next
    },
  }
}
