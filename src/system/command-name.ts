// How this program is called in the shell of the person who reads its output.
import { accessSync, constants } from 'node:fs'
import { delimiter, join, sep } from 'node:path'

/** Folders that npm and npx put into PATH for what they run, and for nothing else. */
const isOfNpm = (folder: string): boolean =>
  folder.endsWith(join('node_modules', '.bin')) || folder.includes(`${sep}_npx${sep}`)

/** `grinpay` where a shell finds it, else `npx grinpay`, as in a clone. */
export function commandName(path = process.env.PATH ?? '', isProgram = canRun): 'grinpay' | 'npx grinpay' {
  const folders = path.split(delimiter).filter((folder) => folder !== '' && !isOfNpm(folder))
  return folders.some((folder) => isProgram(join(folder, 'grinpay'))) ? 'grinpay' : 'npx grinpay'
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
