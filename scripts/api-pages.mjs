// The API reference of a package as pages of Markdown, one per entry: every export with its docstring and its declaration, read from the built
// `.d.ts` files. tsc writes them in one form, which is what this reads; `docs-api.mjs` writes the larger reference in HTML.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const DECLARES = /^(?:export )?(?:declare )?(?:const|function|class|interface|type|enum|let|abstract class) (\w+)/
const STARTS = /^(?:\/\*\*|\/\/|export|import|declare|interface|type|class|const|function)/

/** The statements of a declaration file, each with its docstring before it. */
function statementsOf(text) {
  const statements = []
  let isComplete = true
  for (const line of text.split('\n')) {
    if (STARTS.test(line) && isComplete) statements.push([])
    statements.at(-1)?.push(line)
    // A docstring belongs to what follows it.
    isComplete = !(line.startsWith('/**') || line.startsWith(' *'))
  }
  return statements.map((lines) => lines.join('\n').trim()).filter((statement) => statement !== '')
}

const docOf = (statement) => {
  const [, raw = ''] = /^\/\*\*([\s\S]*?)\*\//.exec(statement) ?? []
  return raw.replace(/^\s*\* ?/gm, '').trim()
}
const codeOf = (statement) => statement.replace(/^\/\*\*[\s\S]*?\*\/\s*/, '')

/** `a`, `type B` and `c as d` of a list in braces: the name in the file, and the exported one. */
const namesIn = (list) =>
  list.split(',').flatMap((item) => {
    const [, name, , as] = /^\s*(?:type )?(\w+)( as (\w+))?\s*$/.exec(item) ?? []
    return name ? [{ name, as: as ?? name }] : []
  })

/** What a file declares, imports, exports and passes on. */
function readModule(file) {
  const found = { declared: new Map(), imported: new Map(), exported: new Map(), all: [], namespaces: new Map() }
  const at = (target) => (target.startsWith('.') ? join(dirname(file), target.replace(/\.js$/, '.d.ts')) : undefined)
  for (const statement of statementsOf(readFileSync(file, 'utf8'))) {
    const code = codeOf(statement)
    const [, keyword, list, from] = /^(export|import)(?: type)? \{([^}]*)\}(?: from '([^']+)')?;/.exec(code) ?? []
    const [, namespace, whole] = /^export \*(?: as (\w+))? from '([^']+)';/.exec(code) ?? []
    const [, declared] = DECLARES.exec(code) ?? []
    if (keyword === 'import') for (const { name, as } of namesIn(list)) found.imported.set(as, { name, file: at(from) })
    else if (keyword === 'export')
      for (const { name, as } of namesIn(list)) found.exported.set(as, { name, file: from ? at(from) : file })
    else if (namespace) found.namespaces.set(namespace, { file: at(whole), doc: docOf(statement) })
    else if (whole) found.all.push(at(whole))
    else if (declared) {
      const known = found.declared.get(declared)
      found.declared.set(declared, {
        doc: known?.doc || docOf(statement),
        code: [known?.code, code].filter(Boolean).join('\n'),
      })
      if (code.startsWith('export ')) found.exported.set(declared, { name: declared, file })
    }
  }
  return found
}

/** Reads declaration files, each once. */
function createReader() {
  const modules = new Map()
  const moduleOf = (file) => {
    if (!modules.has(file)) modules.set(file, readModule(file))
    return modules.get(file)
  }

  /** The declaration of a name; undefined where a foreign package has it. */
  function find(name, file) {
    if (!file) return undefined
    const { declared, imported, exported, all } = moduleOf(file)
    if (declared.has(name)) return declared.get(name)
    const passed = exported.get(name) ?? imported.get(name)
    if (passed && (passed.file !== file || passed.name !== name)) return find(passed.name, passed.file)
    if (imported.has(name)) return find(imported.get(name).name, imported.get(name).file)
    for (const other of all) {
      const found = exportsOf(other).get(name)
      if (found) return found
    }
    return undefined
  }

  /** Every export with its declaration, by name. */
  function exportsOf(file) {
    const { exported, all, namespaces } = moduleOf(file)
    const spaces = file.endsWith('library/index.d.ts') ? [] : [...namespaces]
    const inherited = all.flatMap((other) => [...exportsOf(other)])
    const own = [...exported].map(([as, { name, file: from }]) => [as, find(name, from) ?? { doc: '', code: '' }])
    return new Map([...inherited, ...own, ...spaces.map(([as, { doc }]) => [as, { doc, code: '' }])])
  }

  return { exportsOf, namespacesOf: (file) => moduleOf(file).namespaces }
}

const isCode = ({ code }) => !/^(?:export )?(?:declare )?(?:interface|type) /.test(code)

function entryPage(title, summary, exports) {
  const sorted = [...exports].sort(
    ([a, left], [b, right]) => Number(isCode(right)) - Number(isCode(left)) || (a < b ? -1 : 1),
  )
  const parts = sorted.map(([name, { doc, code }]) => {
    const shown = code.replace(/^export (?:declare )?|^declare /gm, '')
    return `## ${name}\n\n${doc === '' ? '' : `${doc}\n\n`}${shown === '' ? '' : `\`\`\`ts\n${shown}\n\`\`\`\n`}`
  })
  return `# ${title}\n\n${summary === '' ? '' : `${summary}\n\n`}${parts.join('\n')}`
}

const typesOf = (target) => (typeof target === 'string' ? undefined : target.types)

/**
 * The pages of a built package: path in its folder → text.
 * @param {string} folder
 * @returns {ReadonlyMap<string, string>}
 */
export function apiPages(folder) {
  const { name, version, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const reader = createReader()
  const { '.': main, ...others } = exports
  const front = join(folder, typesOf(main))
  const namespaces = reader.namespacesOf(front)
  const pages = new Map()
  const rows = []
  const add = (entry, title, summary, found) => {
    pages.set(`docs/api/${entry}.md`, entryPage(title, summary, found))
    rows.push(`| [${title}](${entry}.md) | ${[...found.keys()].sort().join(', ')} |`)
  }
  const own = reader.exportsOf(front)
  if (own.size > 0) add('index', name, '', own)
  for (const [path, target] of Object.entries(others)) {
    const types = typesOf(target)
    // The file without a bundler has what the front door has; the script of a worker has no exports.
    if (!types || path === './browser' || path.endsWith('.worker')) continue
    const entry = path.slice(2)
    add(entry, `${name}/${entry}`, namespaces.get(entry)?.doc ?? '', reader.exportsOf(join(folder, types)))
  }
  const head = `# API of ${name} ${version}\n\nEvery export with its docstring and its type, as the package declares them.\n\n`
  pages.set('docs/api/README.md', `${head}| Entry | Exports |\n|---|---|\n${rows.join('\n')}\n`)
  return pages
}
