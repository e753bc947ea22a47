// `sandbox`: the ordinary till on embedded defaults, beside a simulated Grin node, a payer with play money and a shop that listens.
import type { ScriptResult } from '../sandbox/index.js'
import { systemClock } from '../system/index.js'
import { createRangeWorkers } from '../workers/index.js'
import type { SandboxOptions } from './parts/sandbox/stage.js'
import { createUndo } from './parts/undo.js'

export interface Sandbox {
  readonly url: string
  readonly nodeUrl: string
  /** The first invoice's end; undefined without a story. Rejects when the story does not end well. */
  readonly scriptResult: Promise<ScriptResult | undefined>
  /** Idempotent. */
  close(): Promise<void>
}

/** Starts everything and begins the story; nothing is left behind when a piece fails. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const startedAt = systemClock.now() - (options.uptimeSeconds ?? 0) * 1000
  const undo = createUndo()
  const stop = new AbortController()
  try {
    const workers = createRangeWorkers() // their tables take half a second: built while the rest is loaded
    undo.add(() => workers.close())
    const { play, setUp } = await import('./parts/sandbox/stage.js')
    const stage = await setUp(options, workers, undo)
    const scriptResult = play(stage, options, { startedAt, signal: stop.signal })
    scriptResult.catch(() => undefined) // the caller awaits it
    return {
      url: stage.url,
      nodeUrl: stage.node.url,
      scriptResult,
      close: () => {
        stop.abort()
        return undo.all()
      },
    }
  } catch (error) {
    await undo.all()
    throw error
  }
}
