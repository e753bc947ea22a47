// What a file of secrets will hold, for a look at settings that are not written yet.
import { readFileSync } from 'node:fs'

/** What is there; else a text that passes for a secret and is like no other. */
export function plannedSecret(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return `present after setup: ${path}` // not there yet, or not ours to read
  }
}
