// The code of a page, by the file name that its first line gives.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './till-process.js'

/** Every fenced block of the page whose first line is a remark with a file name, as `// create.ts`, `# verify.py`. */
export function snippetsOf(page: string): ReadonlyMap<string, string> {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8')
  const blocks = [...text.matchAll(/^```[a-z]+\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
  return new Map(
    blocks.flatMap((code): [string, string][] => {
      const [, name] = /^(?:<\?php )?(?:\/\/|#) ([\w-]+\.[a-z]+)\b/.exec(code) ?? []
      return name === undefined ? [] : [[name, code]]
    }),
  )
}
