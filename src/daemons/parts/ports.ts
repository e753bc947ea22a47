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

/** A port asked for is taken as it is, so that a conflict is told; 0 is any, and the usual one gives way when taken. */
export async function portFor(asked: number | undefined, usual: number): Promise<number> {
  if (asked !== undefined && asked !== 0) return asked
  const kept = asked === 0 ? undefined : await freePort(usual)
  return kept ?? (await freePort(0)) ?? 0
}
