// Templates lie beside the code, in the package and in a checkout alike. What fills them is no HTML: nothing is escaped.
import { readFileSync } from 'node:fs'
import { Eta } from 'eta'

export const readTemplate = (name: string): string =>
  readFileSync(new URL(`../../templates/${name}`, import.meta.url), 'utf8')

const eta = new Eta({ autoEscape: false, autoTrim: [false, 'nl'] })

/** `name` without its ending. */
export const renderTemplate = (name: string, data: object): string =>
  eta.renderString(readTemplate(`${name}.eta`), data)
