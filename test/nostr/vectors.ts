import { readFileSync } from 'node:fs'

/** A file of test/vectors/pay. */
export const payVectors = (name: string) =>
  JSON.parse(readFileSync(new URL(`../vectors/pay/${name}.json`, import.meta.url), 'utf8'))
