// Parts of pages that tests write, so that the pages cannot say anything else than what was measured.
import { readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'vitest'

/** The part between the marks of that name is this text. With GRINPAY_WRITE_DOCS=1 it is written there instead. */
export function expectSection(path: string, name: string, text: string): void {
  const page = readFileSync(path, 'utf8')
  const [begin, end] = [`<!-- ${name}: written by its test -->\n\n`, `\n\n<!-- end of ${name} -->`]
  const [from, to] = [page.indexOf(begin) + begin.length, page.indexOf(end)]
  if (process.env.GRINPAY_WRITE_DOCS === '1') writeFileSync(path, page.slice(0, from) + text + page.slice(to))
  else expect(page.slice(from, to)).toBe(text)
}
