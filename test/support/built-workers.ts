// `startWorker` where `dist` is what the sources say (vitest.config.ts): the built entry, which starts in a third of the time that tsx takes.
import { existsSync } from 'node:fs'
import { startWorker as startAnyWorker } from '../../src/lib/start-worker.js'

/** The library and its wallet are no part of the build: their workers come from the source. */
export const startWorker: typeof startAnyWorker = (from, name, workerData) => {
  const built = from.replace('/src/', '/dist/').replace(/\.ts$/, '.js')
  const isThere = existsSync(new URL(`./${name}.worker.js`, built))
  return startAnyWorker(isThere ? built : from, name, workerData)
}
