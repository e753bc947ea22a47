// Loopback ports for things that run beside each other on a developer's machine.
import { createServer } from 'node:net'

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

/** A port asked for is taken as it is, so that a conflict is told; the usual one gives way. */
export const portFor = async (asked: number | undefined, usual: number): Promise<number> =>
  asked ?? (await freePort(usual)) ?? (await freePort(0)) ?? 0
