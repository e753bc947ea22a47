// Publishes events to one relay: each waits for its OK. After `auth-required:` an event is sent again once, after authentication.
import type { Clock } from '../../lib/ports.js'
import type { NostrEvent } from '../event/index.js'
import { asksForAuth } from './frames.js'

const WAITING_MOST = 2000
const NOT_AUTHENTICATED = 'auth-required: the relay did not accept our authentication'

/** A relay's response to an event. */
export interface PublishResult {
  readonly accepted: boolean
  /** The relay's text, or the reason for a missing response. */
  readonly message: string
  /** There is no response to the event. */
  readonly isUnanswered?: true
}

interface Post {
  readonly frame: string
  readonly id: string
  again: boolean
  readonly done: (answer: PublishResult) => void
}

export interface PostsParts {
  readonly clock: Clock
  readonly send: (frame: string) => void
  /** See Auth.demand. */
  readonly demandAuth: () => boolean
}

export interface Posts {
  publish(event: NostrEvent, timeoutMs: number): Promise<PublishResult>
  answered(id: string, accepted: boolean, text: string): void
  authenticated(): void
  /** Authentication failed: rejects the events that wait for it. */
  refused(): void
  /** Finishes all pending and later events with this message. */
  end(reason: string): void
  waiting(): number
}

export function createPosts({ clock, send, demandAuth }: PostsParts): Posts {
  const posts = new Map<string, Set<Post>>()
  let count = 0
  let ended: string | undefined

  function finish(post: Post, answer: PublishResult): void {
    const same = posts.get(post.id)
    if (!same?.delete(post)) return
    count--
    if (same.size === 0) posts.delete(post.id)
    post.done(answer)
  }

  const each = (act: (post: Post) => void) => {
    for (const same of [...posts.values()]) for (const post of [...same]) act(post)
  }

  function enter(post: Post): void {
    posts.set(post.id, (posts.get(post.id) ?? new Set()).add(post))
    count++
    send(post.frame)
  }

  return {
    async publish(event, timeoutMs) {
      if (ended !== undefined) return unanswered(ended)
      if (count >= WAITING_MOST) return unanswered('too many events wait for an answer of this relay')
      const timer = new AbortController()
      const answer = await new Promise<PublishResult>((done) => {
        const post: Post = { frame: JSON.stringify(['EVENT', event]), id: event.id, again: false, done }
        void clock
          .sleep(timeoutMs, timer.signal)
          .then(() => finish(post, unanswered(`no answer within ${Math.ceil(timeoutMs / 1000)} s`)))
        enter(post)
      })
      timer.abort()
      return answer
    },
    answered(id, accepted, text) {
      for (const post of [...(posts.get(id) ?? [])]) {
        const canTryAgain = !accepted && asksForAuth(text) && !post.again && demandAuth()
        if (canTryAgain) post.again = true
        // NIP-01 requires true for a duplicate; a relay that sends false has the event too.
        else finish(post, { accepted: accepted || text.startsWith('duplicate:'), message: text })
      }
    },
    authenticated: () => each((post) => post.again && send(post.frame)),
    refused: () => each((post) => post.again && finish(post, unanswered(NOT_AUTHENTICATED))),
    end(message) {
      ended ??= message
      each((post) => finish(post, unanswered(message)))
    },
    waiting: () => count,
  }
}

const unanswered = (message: string): PublishResult => ({ accepted: false, message, isUnanswered: true })
