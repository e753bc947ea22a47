import { setTimeout as sleep } from 'node:timers/promises'

/** As a client does that gets 503. */
export async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof Error && 'status' in error && error.status === 503)) throw error
      await sleep(20)
    }
}
