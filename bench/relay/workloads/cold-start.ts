// cold start: from the start of the process to the first answered REQ.
import { messageFrame } from '../client/frames.js'
import { dial } from '../client/line.js'
import { verbOf } from '../client/messages.js'
import type { RunningRelay } from '../relays/launch.js'

/** Milliseconds. */
export async function coldStart(start: () => Promise<RunningRelay>): Promise<number> {
  const begun = performance.now()
  const relay = await start()
  const line = await dial(relay.port)
  await new Promise<void>((resolve) => {
    line.listen((bytes, from) => verbOf(bytes, from) === 'EOSE' && resolve())
    line.send(messageFrame('REQ', 'first', { kinds: [1], limit: 10 }))
  })
  const taken = performance.now() - begun
  line.close()
  await relay.stop()
  return taken
}
