// Named tills: `--till NAME` stands for an address and the files with its tokens. Kept in one small file of the user's own.
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { nearest } from '../lib/nearest.js'
import { type Document, openTillProfiles, type TillProfile, type TillProfiles } from '../storage/index.js'
import { createDirectory, createWhileLocked, replaceFile, systemClock, tillProfilesFile } from '../system/index.js'
import { profileUnknown, usage } from './errors.js'

export interface NamedProfile extends TillProfile {
  readonly name: string
}

const open = (path: string): Promise<Document<TillProfiles>> =>
  openTillProfiles({ path, replace: replaceFile, whileLocked: createWhileLocked(systemClock) })

/** Throws DOCUMENT_DAMAGED. */
export const readProfiles = async (path = tillProfilesFile()): Promise<TillProfiles> => (await open(path)).read()

/** Throws TILL_PROFILE_UNKNOWN, DOCUMENT_DAMAGED. */
export async function profileOf(name: string, path = tillProfilesFile()): Promise<NamedProfile> {
  return named(await readProfiles(path), name)
}

/** The one that `till use` chose. Throws DOCUMENT_DAMAGED. */
export async function usedProfile(path = tillProfilesFile()): Promise<NamedProfile | undefined> {
  if (!existsSync(path)) return undefined
  const { used, tills } = await readProfiles(path)
  const found = used === null ? undefined : tills[used]
  return used === null || !found ? undefined : { name: used, ...found }
}

function named({ tills }: TillProfiles, name: string): NamedProfile {
  const found = Object.hasOwn(tills, name) ? tills[name] : undefined
  if (!found) throw profileUnknown(name, nearest(name, Object.keys(tills)))
  return { name, ...found }
}

/** On the disk when it resolves; `change` may throw, and then nothing is changed. */
async function update(change: (before: TillProfiles) => TillProfiles): Promise<TillProfiles> {
  const path = tillProfilesFile()
  await createDirectory(dirname(path), 0o700)
  return (await open(path)).update(change)
}

/** Adds one, or replaces the one of that name when `replace` says so. Throws USAGE, DOCUMENT_DAMAGED, FILE_LOCKED. */
export const addProfile = (
  { name, ...profile }: NamedProfile,
  { use, replace }: { readonly use: boolean; readonly replace: boolean },
): Promise<TillProfiles> =>
  update(({ used, tills }) => {
    if (Object.hasOwn(tills, name) && !replace) throw usage(`there is a till "${name}" already; --replace changes it`)
    return { used: use ? name : used, tills: { ...tills, [name]: profile } }
  })

/** Throws TILL_PROFILE_UNKNOWN, DOCUMENT_DAMAGED, FILE_LOCKED. */
export const removeProfile = (name: string): Promise<TillProfiles> =>
  update((before) => {
    named(before, name)
    const { [name]: _, ...tills } = before.tills
    return { used: before.used === name ? null : before.used, tills }
  })

/** Null: none from now on. Throws TILL_PROFILE_UNKNOWN, DOCUMENT_DAMAGED, FILE_LOCKED. */
export const useProfile = (name: string | null): Promise<TillProfiles> =>
  update((before) => {
    if (name !== null) named(before, name)
    return { ...before, used: name }
  })
