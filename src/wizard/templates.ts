// Templates lie beside the code, in the package and in a checkout alike.
import { readFileSync } from 'node:fs'

export const readTemplate = (name: string): string =>
  readFileSync(new URL(`../../templates/${name}`, import.meta.url), 'utf8')
