// A verb that is called and neither delegated with `yield*`, nor returned, nor handed to a runner does nothing, silently: a payment would be
// accepted without its event. The compiler says which calls answer a verb.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import {
  isArrowFunction,
  isAsExpression,
  isBinaryExpression,
  isCallExpression,
  isConditionalExpression,
  isFunctionDeclaration,
  isFunctionExpression,
  isMethodDeclaration,
  isNonNullExpression,
  isParenthesizedExpression,
  isReturnStatement,
  isSatisfiesExpression,
  isYieldExpression,
  type Node,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast'
import { API, type Checker, SignatureKind, type Type } from 'typescript/unstable/sync'
import { expect, test } from 'vitest'

const ROOT = new URL('../..', import.meta.url).pathname
/** What makes verbs and runs them. */
const CORE = /^src\/storage\/(verbs|(sqlite|postgres)\/run-verb)\.ts$/

/** Each of these calls is forgotten, or goes where nobody runs it. */
const FORGOTTEN = [
  'function* statement(): Verb<void> { note() }',
  'function* condition(): Verb<number> { return find(1) ? 1 : 2 }',
  'function* negation(): Verb<boolean> { return !find(1) }',
  'function* variable(): Verb<boolean> { const found = find(1); return found !== undefined }',
  'function* yielded(): Verb<void> { yield find(1) as unknown as Statement }',
  'function* returned() { return find(1) }',
  'async function awaited() { return find(1) }',
  'function* eachOne(ids: number[]): Verb<void> { ids.forEach((id) => find(id)) }',
  'function* mapped(ids: number[]): Verb<number> { return ids.map((id) => find(id)).length }',
  'function* elsewhere(): Verb<string> { return String(find(1)) }',
  'const lost = async ({ read }: Runner) => { await read(() => note()); note() }',
] as const
const DELEGATED = [
  'function* delegated(): Verb<number> { return (yield* find(1)) ?? 0 }',
  'function* chosen(first: boolean): Verb<number> { return yield* first ? note() : run("b") }',
  'const passedOn = (): Verb<number> => note()',
  'const handed = ({ read }: Runner, id: number) => read(() => (id > 1 ? find(id) : find(2)))',
] as const

const planted = (lines: readonly string[]): string =>
  [
    `import { one, run, type Runner, type Statement, type Verb } from '${ROOT}src/storage/verbs.js'`,
    "const note = (): Verb<number> => run('a')",
    "const find = (id: number): Verb<number | undefined> => one('b', [id], () => 1)",
    ...lines.map((line) => `export ${line}`),
  ].join('\n')

/** What an expression may be wrapped in, and still is what it answers. */
function isWrapping(parent: Node, child: Node): boolean {
  if (isConditionalExpression(parent)) return parent.condition !== child
  if (isBinaryExpression(parent)) return parent.right === child && parent.operatorToken.kind !== SyntaxKind.CommaToken
  return [isParenthesizedExpression, isAsExpression, isNonNullExpression, isSatisfiesExpression].some((is) =>
    is(parent),
  )
}

function callsIn(source: SourceFile): Node[] {
  const calls: Node[] = []
  const visit = (node: Node): void => {
    if (isCallExpression(node)) calls.push(node)
    node.forEachChild(visit)
  }
  visit(source)
  return calls
}

function createRule(checker: Checker) {
  /** A verb, or what the compiler makes of a generator that names no type. */
  function isVerb(type: Type | undefined): boolean {
    const name = type?.getSymbol()?.name
    if (type === undefined || name !== 'Generator') return name === 'Verb'
    return checker.typeToString(type).startsWith('Generator<Statement,')
  }
  const answersVerb = (type: Type): boolean =>
    checker
      .getSignaturesOfType(type, SignatureKind.Call)
      .some((signature) => isVerb(checker.getReturnTypeOfSignature(signature)))

  /** Whether the call declares what it takes at this place as `fits`. */
  function takes(call: Node, argument: Node, fits: (type: Type) => boolean): boolean {
    if (!isCallExpression(call)) return false
    const given: readonly Node[] = call.arguments
    const at = given.indexOf(argument)
    const callee = checker.getTypeAtLocation(call.expression)
    if (at < 0 || !callee) return false
    return checker.getSignaturesOfType(callee, SignatureKind.Call).some((signature) => {
      const parameter = signature.getParameters()[at]
      const type = parameter && checker.getTypeOfSymbol(parameter)
      return type !== undefined && fits(type)
    })
  }

  /** A function that answers what it calls: it is called like every verb, or handed to a call that runs it. */
  function passesOn(made: Node | undefined): boolean {
    if (!made) return false
    if (isFunctionDeclaration(made)) return !made.asteriskToken && !isAsync(made)
    if (!isArrowFunction(made) && !isFunctionExpression(made) && !isMethodDeclaration(made)) return false
    if (isAsync(made) || (!isArrowFunction(made) && made.asteriskToken)) return false
    return !isCallExpression(made.parent) || takes(made.parent, made, answersVerb)
  }

  function isForgotten(call: Node): boolean {
    let node = call
    while (isWrapping(node.parent, node)) node = node.parent
    const { parent } = node
    if (isYieldExpression(parent)) return !parent.asteriskToken
    if (isReturnStatement(parent)) return !passesOn(functionAround(parent))
    if (isArrowFunction(parent)) return !passesOn(parent)
    return !takes(parent, node, isVerb)
  }

  return { isVerb, isForgotten }
}

const isAsync = (node: Node): boolean =>
  'modifiers' in node &&
  Array.isArray(node.modifiers) &&
  node.modifiers.some((one) => one.kind === SyntaxKind.AsyncKeyword)

function functionAround(node: Node): Node | undefined {
  let around: Node | undefined = node.parent
  while (
    around &&
    ![isFunctionDeclaration, isArrowFunction, isFunctionExpression, isMethodDeclaration].some((is) => is(around!))
  )
    around = around.parent
  return around
}

/** The calls of verbs in each file that are forgotten, and how many there are. */
function examine(folder: string, files: readonly string[]) {
  const api = new API({ cwd: ROOT })
  try {
    const { program, checker } = api.updateSnapshot({ openProject: join(folder, 'tsconfig.json') }).getProjects()[0]!
    const { isVerb, isForgotten } = createRule(checker)
    const sources = files.map((file) => program.getSourceFile(file)).filter((source) => source !== undefined)
    const calls = sources.flatMap((source) => callsIn(source).map((call) => ({ source, call })))
    const types = checker.getTypeAtLocation(calls.map(({ call }) => call))
    const verbs = calls.filter((_, at) => isVerb(types[at]))
    const forgotten = verbs.filter(({ call }) => isForgotten(call))
    return {
      verbs: verbs.length,
      forgotten: forgotten.map(
        ({ source, call }) => `${relative(ROOT, source.fileName)}: ${source.text.slice(call.pos, call.end).trim()}`,
      ),
    }
  } finally {
    api.close()
  }
}

test('every call of a verb is delegated, returned or handed to a runner', { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-verbs-'))
  try {
    const stores = readdirSync(`${ROOT}src/storage`, { recursive: true, encoding: 'utf8' })
      .map((name) => `src/storage/${name}`)
      .filter((file) => file.endsWith('.ts') && !file.startsWith('src/storage/events/') && !CORE.test(file))
      .map((file) => `${ROOT}${file}`)
    const [lost, sound] = [join(folder, 'lost.ts'), join(folder, 'sound.ts')]
    writeFileSync(lost, planted(FORGOTTEN))
    writeFileSync(sound, planted(DELEGATED))
    const config = {
      extends: `${ROOT}tsconfig.json`,
      compilerOptions: { noEmit: true },
      files: [...stores, lost, sound],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const found = examine(folder, [...stores, lost, sound])
    const where = new RegExp(`^${relative(ROOT, lost)}: `)
    expect(found.forgotten.filter((one) => !where.test(one))).toEqual([])
    expect(found.forgotten.filter((one) => where.test(one))).toHaveLength(FORGOTTEN.length)
    expect(found.verbs).toBeGreaterThan(100)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
