// What a package has to read besides its README: guide, errors, examples and API reference, in its own folder. Links of a page that lead to
// files of the repository lead to the same file in the package; where the package has it not, the text stays without a link.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { apiPages } from './api-pages.mjs'

/** For each package: path in the package ← path in the repository. Folders are copied without what lies in folders of them. */
const PAGES = {
  grin: { 'docs/guide.md': 'docs/library.md', 'docs/errors.md': 'docs/library-errors.md', examples: 'examples/grin' },
  client: {
    'docs/guide.md': 'docs/client.md',
    'docs/webhooks.md': 'docs/webhooks.md',
    'docs/errors.md': 'docs/errors.md',
  },
}
/** Where the repository says how to get the pages that are generated; a package has those itself. */
const REFERENCE = { 'docs/reference.md': 'docs/errors.md' }
/** Pages that `buildPackage` has put there. */
const OWN = { 'README.md': 'README.md', 'CHANGELOG.md': 'CHANGELOG.md' }

/** A link of a page: its text, where it leads, and the part of the page. */
const LINKS = /\[([^\]\n]+)\]\((?!https?:)([^)#\s]*)(#[^)\s]+)?\)/g

/** Every file of the repository that the package has, by its path there. */
function filesOf(root, name) {
  const pages = Object.entries({
    ...Object.fromEntries(Object.entries(OWN).map(([to, from]) => [to, `packages/${name}/${from}`])),
    'SECURITY.md': 'SECURITY.md',
    ...PAGES[name],
  })
  return new Map(
    pages.flatMap(([to, from]) =>
      /\.\w+$/.test(from)
        ? [[from, to]]
        : readdirSync(join(root, from)).map((file) => [join(from, file), join(to, file)]),
    ),
  )
}

/** A page with its links as they lead within the package. */
function movedPage(text, { from, to, files }) {
  const lead = (whole, label, path, anchor = '') => {
    if (path === '') return whole
    const source = join(dirname(from), path)
    const target = REFERENCE[source] ?? files.get(source)
    const part = source in REFERENCE ? '' : anchor
    return target === undefined ? label : `[${label}](${relative(dirname(to), target)}${part})`
  }
  // Code is left as it is.
  return text
    .split(/(^```[\s\S]*?^```)/m)
    .map((part) => (part.startsWith('```') ? part : part.replace(LINKS, lead)))
    .join('')
}

/**
 * Writes them into the folder of a built package.
 * @param {string} root the repository
 * @param {string} name
 * @param {string} folder
 */
export function writePages(root, name, folder) {
  const files = filesOf(root, name)
  for (const [from, to] of files) {
    const target = join(folder, to)
    mkdirSync(dirname(target), { recursive: true })
    if (!to.endsWith('.md')) copyFileSync(join(root, from), target)
    else writeFileSync(target, movedPage(readFileSync(join(root, from), 'utf8'), { from, to, files }))
  }
  for (const [path, text] of apiPages(folder)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  if (!existsSync(join(folder, 'docs/api/README.md'))) throw new Error(`${name} has no API reference`)
}
