// Raises the version of all three packages by the files in `.changeset`, and what follows from it: changelogs, lock file, constants, archive
// names in pages, generated files. Publishes and commits nothing.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
/** A constant in the code of each package says its version. */
const CONSTANTS = ['src/library/version.ts', 'src/client/shop/version.ts']
const CHANGELOGS = ['CHANGELOG.md', 'packages/grin/CHANGELOG.md', 'packages/client/CHANGELOG.md']

function run(args, cwd) {
  const { status } = spawnSync(process.execPath, args, { cwd, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`)
}

const rewrite = (path, change) => writeFileSync(path, change(readFileSync(path, 'utf8')))
const versionIn = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version

/**
 * A changelog as changesets leaves it: the new section stands between the title and the sentence below it, and is empty where a package only
 * follows the others.
 * @param {string} text
 * @returns {string}
 */
export const tidyChangelog = (text) =>
  text
    .replace(/^(# .+\n\n)(## [\s\S]*?)(All notable changes.*\n\n)/, '$1$3$2')
    .replace(/^(## \S+\n\n)(?=## )/gm, '$1- No changes of its own: the version follows that of the other packages.\n\n')

/**
 * Does it in `folder`, a checkout. Answers the versions before and after.
 * @param {string} folder
 */
export function raiseVersions(folder) {
  const before = versionIn(folder)
  run([join(root, 'node_modules/@changesets/cli/bin.js'), 'version'], folder)
  const after = versionIn(folder)
  if (after === before) return { before, after }
  rewrite(join(folder, 'package-lock.json'), (text) => {
    const lock = JSON.parse(text)
    const packages = { ...lock.packages, '': { ...lock.packages[''], version: after } }
    return `${JSON.stringify({ ...lock, version: after, packages }, null, 2)}\n`
  })
  for (const path of CONSTANTS) rewrite(join(folder, path), (text) => text.replace(`'${before}'`, `'${after}'`))
  for (const path of CHANGELOGS) rewrite(join(folder, path), tidyChangelog)
  const pages = readdirSync(join(folder, 'docs')).filter((name) => name.endsWith('.md'))
  for (const path of ['README.md', ...pages.map((name) => join('docs', name))])
    rewrite(join(folder, path), (text) => text.replaceAll(`grinpay-${before}.tgz`, `grinpay-${after}.tgz`))
  return { before, after }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { before, after } = raiseVersions(root)
  if (after !== before) run([join(root, 'scripts/docs.mjs')], root)
  process.stdout.write(after === before ? `no changes to release: still ${before}\n` : `${before} → ${after}\n`)
}
