// kill -9 of a process that writes a relay's database: what it acknowledged is there, what is gone stays gone, and the indexes hold together.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { openEventStore } from '../../src/storage/index.js'
import { storedEvents, wrongRows, wrongSearchRows } from '../support/event-store.js'
import { pause } from './name-load.js'

/** Kinds that the hammer's relay searches. */
const SEARCHED = [0, 1]
const HAMMER = join(import.meta.dirname, 'event-hammer.ts')

export const startEventHammer = (path: string, seed: number, through: readonly string[] = []) => {
  const [program = '', ...args] = [...through, process.execPath, '--import', 'tsx', HAMMER, path, String(seed)]
  return spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
}

export interface Promised {
  readonly stays: Set<string>
  /** Deleted, or never acknowledged. */
  readonly gone: Set<string>
  profileAt: number
}

export const nothingPromised = (): Promised => ({ stays: new Set(), gone: new Set(), profileAt: 0 })

/** Lines that the hammer says; the last one may be cut. */
export function note(promised: Promised, line: string): void {
  if (!line.endsWith('}')) return
  const { stays = [], full = [], gone, profileAt = 0 } = JSON.parse(line)
  for (const id of stays) promised.stays.add(id)
  if (gone !== undefined) promised.gone.add(gone)
  // Nothing of a batch that was refused.
  for (const id of full) promised.gone.add(id)
  promised.profileAt = Math.max(promised.profileAt, profileAt)
}

/** One life of a writer; it is killed some time after its first answer. */
async function killedAfter(ms: number, path: string, seed: number, promised: Promised): Promise<void> {
  const child = startEventHammer(path, seed)
  const ended = new Promise((resolve) => child.once('close', resolve))
  let killing: Promise<void> | undefined
  for await (const line of createInterface({ input: child.stdout })) {
    killing ??= pause(ms).then(() => void child.kill('SIGKILL'))
    note(promised, line)
  }
  await ended
  await killing
}

/** What is wrong with the database, given what was promised. */
export async function damageIn(path: string, promised: Promised): Promise<readonly string[]> {
  const store = await openEventStore({ path, clock: { now: () => Date.now() }, searchKinds: SEARCHED })
  const { events } = store.size()
  await store.close()
  const stored = storedEvents(path)
  const ids = new Set(stored.map(({ id }) => id))
  const profiles = stored.filter(({ kind }) => kind === 0)
  return [
    ...[...promised.stays].filter((id) => !ids.has(id)).map((id) => `lost ${id}`),
    ...[...promised.gone].filter((id) => ids.has(id)).map((id) => `back again ${id}`),
    ...(profiles.length > 2 ? [`${profiles.length} profiles of two authors`] : []),
    ...profiles.filter(({ created_at }) => created_at < promised.profileAt).map(({ id }) => `an older profile ${id}`),
    ...(events === stored.length ? [] : [`counts ${events} events of ${stored.length}`]),
    ...wrongRows(path),
    ...wrongSearchRows(path, SEARCHED),
  ]
}

export async function runEventRounds(path: string, rounds: number) {
  const promised = nothingPromised()
  const damage: string[] = []
  for (let round = 0; round < rounds; round++) {
    await killedAfter(40 + ((round * 97) % 400), path, round, promised)
    // Every other time the next writer itself finds what the kill left.
    if (round % 2 === 1 || round === rounds - 1) damage.push(...(await damageIn(path, promised)))
  }
  return { acknowledged: promised.stays.size, damage }
}
