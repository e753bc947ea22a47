// Clients that claim names without a pause through a proxy, each name with a key of its own, and ask again until they know the outcome; beside them one
// that looks names up.
import { setTimeout as sleep } from 'node:timers/promises'
import { signedClaim } from '../support/name-process.js'
import { keyPairOf } from '../support/nostr.js'

interface Claimed {
  readonly name: string
  readonly pubkey: string
}

export interface ClaimLoad {
  /** Claims that were answered with 201, or with 200 when repeated. */
  readonly acknowledged: readonly Claimed[]
  /** Forgets the pauses so far. */
  watch(): void
  /** Since `watch`: the longest time without any acknowledgement, and without an answered look-up, in seconds; how often each other answer came. */
  seen(): {
    readonly silence: number
    readonly lookUpSilence: number
    readonly refusals: Readonly<Record<string, number>>
  }
  stop(): Promise<void>
}

const PATIENCE_MS = 12_000
const LOOK_UP_MS = 50
/** No two of them, and no two next to each other, look alike. */
const LETTERS = 'bcdfghjkmpqrtwxz'

const nameOf = (number: number): string =>
  `b${Array.from({ length: 6 }, (_, at) => LETTERS[(number >> (4 * at)) & 15]).join('')}`

export interface ClaimLoadParts {
  /** Where requests go. */
  readonly proxy: string
  /** The public address that clients sign. */
  readonly signedFor: string
  readonly clients: number
}

/** The longest time between two ends. */
function createGap() {
  let last = performance.now()
  let longest = 0
  return {
    end() {
      const now = performance.now()
      longest = Math.max(longest, now - last)
      last = now
    },
    reset() {
      longest = 0
    },
    seconds: () => Math.max(longest, performance.now() - last) / 1000,
  }
}

const untilNextSecond = (): number => 1005 - (Date.now() % 1000)

export function startClaims({ proxy, signedFor, clients }: ClaimLoadParts): ClaimLoad {
  const acknowledged: Claimed[] = []
  let refusals: Record<string, number> = {}
  const claims = createGap()
  const lookUps = createGap()
  let isStopped = false
  let made = 0

  async function claim(name: string, who: ReturnType<typeof keyPairOf>): Promise<string> {
    const { body, authorization } = signedClaim(signedFor, who, name) // signed anew: a signature is good for a minute, and for one request
    try {
      const answer = await fetch(`${proxy}/api/v1/register`, {
        method: 'POST',
        headers: { authorization },
        body,
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      await answer.text()
      return String(answer.status)
    } catch (error) {
      return error instanceof Error ? error.name : 'failed'
    }
  }

  async function oneClient(): Promise<void> {
    while (!isStopped) {
      const name = nameOf(++made)
      const who = keyPairOf(`trial ${name}`)
      for (;;) {
        const outcome = await claim(name, who)
        if (outcome === '201' || outcome === '200') break
        refusals[outcome] = (refusals[outcome] ?? 0) + 1
        if (isStopped) return
        if (outcome === '409') throw new Error(`${name} is taken, and not by this client`)
        await sleep(untilNextSecond()) // two signatures of one second are the same event
      }
      acknowledged.push({ name, pubkey: who.pubkey })
      claims.end()
    }
  }

  async function lookUpClient(): Promise<void> {
    for (let at = 0; !isStopped; at++, await sleep(LOOK_UP_MS)) {
      const known = acknowledged[(at * 7919) % Math.max(1, acknowledged.length)]
      if (known && (await resolves(known))) lookUps.end()
    }
  }

  async function resolves({ name, pubkey }: Claimed): Promise<boolean> {
    try {
      const signal = AbortSignal.timeout(PATIENCE_MS)
      const answer = await fetch(`${proxy}/.well-known/nostr.json?name=${name}`, { signal })
      return answer.ok && (await answer.text()).includes(pubkey)
    } catch {
      return false
    }
  }

  const running = [...Array.from({ length: clients }, oneClient), lookUpClient()]
  return {
    acknowledged,
    watch() {
      claims.reset()
      lookUps.reset()
      refusals = {}
    },
    seen: () => ({ silence: claims.seconds(), lookUpSilence: lookUps.seconds(), refusals: { ...refusals } }),
    async stop() {
      isStopped = true
      await Promise.all(running)
    },
  }
}
