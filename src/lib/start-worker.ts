// Starts a worker entry: the built .js file directly, the .ts source (tests, development) through tsx.
import { Worker } from 'node:worker_threads'

/** Proofs leave much short-lived garbage. Node's default of 48 MB for it costs 25 MB more than this and is no faster. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 }

/** Starts `<name>.worker` beside the module `from` (its `import.meta.url`). `workerData`: what the entry finds under this name. */
export function startWorker(from: string, name: string, workerData?: string): Worker {
  if (from.endsWith('.js')) return new Worker(new URL(`./${name}.worker.js`, from), { resourceLimits, workerData })
  const entry = new URL(`./${name}.worker.ts`, from)
  // Node 20 ignores --import inside workers, so a tiny script registers tsx before it imports the entry.
  const tsx = import.meta.resolve('tsx/esm/api')
  const bootstrap = `import(${JSON.stringify(tsx)}).then(({ register }) => {
    register()
    return import(${JSON.stringify(entry.href)})
  })`
  return new Worker(bootstrap, { eval: true, resourceLimits, workerData })
}
