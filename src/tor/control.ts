// An authenticated control connection of tor. Own code for the few commands of an onion service: every reply has a deadline and a size
// limit, and a listener that is not tor gets neither the password nor a file of this machine.
import type { Clock } from '../lib/ports.js'
import type { RandomBytes } from '../lib/random-bytes.js'
import type { Secret } from '../lib/secret.js'
import { type Channel, type ControlEndpoint, type OpenStream, openChannel, openSocketStream } from './channel.js'
import { logIn, type ReadCookie, readCookieFile } from './login.js'

export interface TorControlParts {
  readonly endpoint: ControlEndpoint
  /** Used if tor offers a password, and no cookie that this process can read. */
  readonly password?: Secret | undefined
  readonly clock: Pick<Clock, 'sleep'>
  readonly random: RandomBytes
  readonly openStream?: OpenStream
  readonly readCookie?: ReadCookie
}

export interface TorControl extends Channel {
  /** tor's version text, at most 40 characters. */
  readonly version: string
}

/** Connects and logs in (at most 10 s per step). Rejects with one of the TOR_ errors; the signal aborts the attempt. */
export async function openControl(parts: TorControlParts, signal: AbortSignal): Promise<TorControl> {
  const { endpoint, password, clock, random, openStream = openSocketStream, readCookie = readCookieFile } = parts
  const channel = await openChannel({ endpoint, openStream, clock }, signal)
  const giveUp = (): void => channel.close()
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    if (signal.aborted) giveUp()
    return { ...channel, version: await logIn(channel, { endpoint, password, random, readCookie }) }
  } catch (thrown) {
    channel.close()
    throw thrown
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}
