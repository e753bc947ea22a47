// Carries a plan out. When a step fails, everything before it is taken back.
import { existsSync } from 'node:fs'
import { readFile, rm, rmdir, stat } from 'node:fs/promises'
import { causedBy, messageOf } from '../lib/errors.js'
import { createDirectory, createFile, replaceFile } from '../system/index.js'
import { applyFailed } from './errors.js'
import type { Plan, Step } from './steps.js'

/** What undoes one step; the text names what is gone again. */
interface Undo {
  readonly what: string
  run(): Promise<void>
}

/** Throws SETUP_FAILED, with everything as it was before. */
export async function applyPlan({ steps }: Plan): Promise<void> {
  const undos: Undo[] = []
  for (const step of steps) {
    try {
      undos.push(...(await carryOut(step)))
    } catch (error) {
      throw causedBy(applyFailed(step.path, messageOf(error), await takeBack(undos)), error)
    }
  }
}

async function carryOut(step: Step): Promise<readonly Undo[]> {
  switch (step.kind) {
    case 'directory':
      return makeDirectory(step.path, step.mode)
    case 'create':
      await createFile(step.path, step.content.reveal(), step.mode)
      return [{ what: step.path, run: () => rm(step.path) }]
    case 'replace':
      return replaceKept(step.path, step.content.reveal(), step.mode)
    case 'remove': {
      const restore = await restorer(step.path)
      await rm(step.path, { force: true })
      return restore
    }
  }
}

/** Only folders that are new are removed again, and only while they are empty. */
async function makeDirectory(path: string, mode: number): Promise<readonly Undo[]> {
  const top = await createDirectory(path, mode)
  return top === undefined ? [] : [{ what: top, run: () => removeEmpty(path, top) }]
}

async function removeEmpty(path: string, top: string): Promise<void> {
  for (let at = path; at.length >= top.length; at = at.slice(0, at.lastIndexOf('/'))) await rmdir(at)
}

async function replaceKept(path: string, content: string, mode: number): Promise<readonly Undo[]> {
  const isNew = !existsSync(path)
  const restore = await restorer(path)
  await replaceFile(path, content, mode)
  return isNew ? [{ what: path, run: () => rm(path) }] : restore
}

/** Puts a file back as it was; nothing when there was none. */
async function restorer(path: string): Promise<readonly Undo[]> {
  if (!existsSync(path)) return []
  const [before, { mode }] = [await readFile(path), await stat(path)]
  return [{ what: `changes to ${path}`, run: () => replaceFile(path, before, mode & 0o777) }]
}

async function takeBack(undos: readonly Undo[]): Promise<readonly string[]> {
  const gone: string[] = []
  for (const undo of [...undos].reverse()) {
    try {
      await undo.run()
      gone.push(undo.what)
    } catch (error) {
      gone.push(`NOT ${undo.what} (${messageOf(error)})`)
    }
  }
  return gone
}
