// No text is made of a value whose type is not known: its own `toString` would run, which foreign JSON can replace. The compiler says
// what is known.
import { readdirSync, readFileSync } from 'node:fs'
import { isCallExpression, isIdentifier, isTemplateSpan, type Node, type SourceFile } from 'typescript/unstable/ast'
import { API, type Type, TypeFlags } from 'typescript/unstable/sync'
import { expect, test } from 'vitest'
import { foreignText } from '../src/lib/plain-text.js'

const ROOT = new URL('..', import.meta.url).pathname

/** What a file turns into texts: arguments of String(), and the values in templates. */
function madeTexts(source: SourceFile): Node[] {
  const made: Node[] = []
  const visit = (node: Node): void => {
    const [argument] = isCallExpression(node) && isCalled(node.expression, 'String') ? node.arguments : []
    if (argument) made.push(argument)
    if (isTemplateSpan(node)) made.push(node.expression)
    node.forEachChild(visit)
  }
  visit(source)
  return made
}

const isCalled = (node: Node, name: string): boolean => isIdentifier(node) && node.text === name

/** `{}` and `object` are what a check for undefined or null leaves of an unknown value. */
const isUnknown = (type: Type, text: string): boolean =>
  (type.flags & (TypeFlags.Unknown | TypeFlags.Any)) !== 0 || text === '{}' || text === 'object'

function unknownTexts(files: readonly string[]): string[] {
  const api = new API({ cwd: ROOT })
  try {
    const { program, checker } = api.updateSnapshot({ openProject: `${ROOT}tsconfig.json` }).getProjects()[0]!
    return files.flatMap((file) => {
      const source = program.getSourceFile(`${ROOT}${file}`)
      const made = source ? madeTexts(source) : []
      const types = made.length > 0 ? checker.getTypeAtLocation(made) : []
      const text = readFileSync(`${ROOT}${file}`, 'utf8')
      return made.flatMap((node, at) => {
        const type = types[at]
        if (type && !isUnknown(type, checker.typeToString(type))) return []
        return [`${file}:${text.slice(0, node.pos).split('\n').length} ${text.slice(node.pos, node.end).trim()}`]
      })
    })
  } finally {
    api.close()
  }
}

test('no source makes a text of an unknown value', { timeout: 120_000 }, () => {
  const files = readdirSync(`${ROOT}src`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `src/${name}`)
    .filter((file) => /String\(|\$\{/.test(readFileSync(`${ROOT}${file}`, 'utf8')))
  expect(files.length).toBeGreaterThan(300)
  expect(unknownTexts(files)).toEqual([])
})

test.each([
  ['a text', 'a text'],
  [17, '17'],
  [2n ** 64n, '18446744073709551616'],
  [null, 'null'],
  [undefined, 'undefined'],
  [JSON.parse('{"toString":1}'), 'an object'],
  [JSON.parse('{"toString":{"a":1},"valueOf":2,"toJSON":3}'), 'an object'],
  [Object.create(null), 'an object'],
  [JSON.parse('[{"toString":1}]'), 'a list'],
  [Symbol('s'), 'a symbol'],
])('the text of a foreign value: %#', (value, text) => {
  expect(foreignText(value)).toBe(text)
})
