// Loopback ports for things that run beside each other on a developer's machine.
import { createServer } from 'node:net'
import { portTaken } from '../errors.js'

/** Whether a loopback port is free; with 0, one that is. */
function freePort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(undefined))
    probe.listen(port, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : undefined))
    })
  })
}

/** 0 is a free one, and the usual one gives way when it is taken. Throws PORT_TAKEN for one that was asked for. */
export async function portFor(asked: number | undefined, usual: number): Promise<number> {
  if (asked === undefined) return (await freePort(usual)) ?? portFor(0, usual)
  const free = await freePort(asked)
  if (free === undefined) throw portTaken(asked)
  return free
}
