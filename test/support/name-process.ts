// A name authority as an operator runs it: the built command in a process of its own.
import { httpAuthHeader } from '../../src/nostr/http-auth/index.js'
import { systemClock, systemRandom } from '../../src/system/index.js'
import type { keyPairOf } from './nostr.js'
import { freePort, startDaemon, type TillProcess, until } from './till-process.js'

export interface NameProcess extends TillProcess {
  readonly port: number
  /** Resolves when it has printed this. */
  printed(text: string): Promise<void>
}

/** Starts `serve nameauth` on a free port and waits until it answers. Rejects with what it printed when it ends instead. */
export async function startNameProcess(
  settings: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<NameProcess> {
  const port = await freePort()
  const bind = `127.0.0.1:${port}`
  const own = { NAMEAUTH_DOMAIN: 'names.example', NAMEAUTH_BASE_URL: `http://${bind}`, NAMEAUTH_NAMES_BIND: bind }
  const daemon = await startDaemon({ command: ['serve', 'nameauth', ...args], settings: { ...own, ...settings }, bind })
  return { ...daemon, port, printed: (words) => until(() => daemon.output().includes(words), daemon) }
}

/** Body and header of a claim, signed now. */
export function signedClaim(url: string, who: ReturnType<typeof keyPairOf>, name: string) {
  const body = JSON.stringify({ name, pubkey: who.pubkey })
  const authorization = httpAuthHeader({
    url: `${url}/api/v1/register`,
    method: 'POST',
    body: Buffer.from(body),
    secret: who.secret,
    now: systemClock.now(),
    random: systemRandom,
  })
  return { body, authorization }
}
