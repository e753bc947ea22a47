// One event to several relays at once. The first OK is enough to go on; the rest is waited for elsewhere.

import { messageOf } from '../../lib/errors.js'
import { parseUrl } from '../../lib/url.js'
import type { NostrEvent } from '../../nostr/event/index.js'
import type { Posting, Relays } from './ports.js'

const TIMEOUT_MS = 40_000
const MAX_REASON = 300

export interface Posted {
  /** Resolves at the first OK, or when every relay has answered. */
  readonly first: Promise<void>
  /** Resolves when every relay has answered. */
  readonly all: Promise<void>
  isOver(): boolean
  /** The relays that took it so far. */
  acceptedBy(): readonly string[]
  /** Why the others did not, in one line; null when none refused so far. */
  error(): string | null
}

/** Starts at once. Nothing of it rejects. */
export function post(relays: Pick<Relays, 'publish'>, event: NostrEvent, urls: readonly string[]): Posted {
  const answers: Posting[] = []
  let firstOk = () => {}
  const ok = new Promise<void>((resolve) => {
    firstOk = resolve
  })

  async function postTo(url: string): Promise<void> {
    const [answer = refused(url, 'no answer')] = await relays
      .publish(event, [url], TIMEOUT_MS)
      .catch((cause: unknown) => [refused(url, messageOf(cause))])
    answers.push({ ...answer, url, accepted: hasIt(answer) })
    if (hasIt(answer)) firstOk()
  }

  const all = Promise.all(urls.map(postTo)).then(() => undefined)
  return {
    first: Promise.race([ok, all]),
    all,
    isOver: () => answers.length === urls.length,
    acceptedBy: () => answers.filter(({ accepted }) => accepted).map(({ url }) => url),
    error() {
      const refusals = answers
        .filter(({ accepted }) => !accepted)
        .map(({ url, message }) => `${hostOf(url)}: ${message}`)
      return refusals.length === 0 ? null : refusals.join('; ').slice(0, MAX_REASON)
    },
  }
}

const refused = (url: string, message: string): Posting => ({ url, accepted: false, message })

/** Some relays refuse what they have already. */
const hasIt = ({ accepted, message }: Posting): boolean => accepted || message.startsWith('duplicate:')

const hostOf = (url: string): string => parseUrl(url)?.host ?? url
