// The built command in this process: Node loads its entry anew, with variables, a folder, ends and an exit of its own, and everything is put
// back afterwards. What needs input of a pipe, a signal or a death runs in a process of its own (`spawnBuilt`, person.ts).
import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import { Console } from 'node:console'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { WriteStream } from 'node:tty'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { createDeferred } from './deferred.js'
import { createKeyboard, type Keyboard, type Line } from './keyboard.js'
import { ROOT } from './till-process.js'

export interface Ran {
  readonly stdout: string
  readonly stderr: string
  /** Null: a signal ended it, or it did not end. */
  readonly exit: number | null
}

export interface HereRan extends Ran {
  /** Both ends, in the order in which they were written. */
  readonly screen: string
  /** What was waited for in vain. */
  readonly missed: readonly string[]
}

export interface Place {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** Both ends are a terminal of this width; without it they are pipes. */
  readonly columns?: number
  /** What somebody types at that terminal; without it input is at its end already. */
  readonly lines?: readonly Line[]
  /** Of another program; by default that of the built command. */
  readonly entry?: string
  /** Milliseconds; how long it may hold on to something after its last line of code. */
  readonly patience?: number
}

/** Longer than any command takes to let go of what it holds. */
const LETTING_GO_MS = 30_000
const SETTLING_MS = 5_000
const ENTRY = join(ROOT, 'bin/run.js')
/** Node's own import: the test runner would transform the built files. */
const NATIVE = 'data:text/javascript,export const nativeImport = (url) => import(url)'
const { nativeImport }: { nativeImport: (url: string) => Promise<unknown> } = await import(NATIVE)

/** Ends the code that called `process.exit`. */
class Exit extends Error {}

let runs = 0
let isRunning = false

/** Runs `grinpay …args` to its end, which is also the end of everything that it left open. One at a time. */
export async function runHere(args: readonly string[], place: Place): Promise<HereRan> {
  if (isRunning) throw new Error('a command runs already: two would share their ends')
  isRunning = true
  const { entry: path = ENTRY, patience = LETTING_GO_MS } = place
  const opened = watchOpened()
  const screen: string[] = []
  const draw = (text: string) => {
    screen.push(text)
    keyboard?.drawn(text)
  }
  const keyboard = place.lines && createKeyboard(place.lines, draw)
  const isSilent = () => ending.isSilent()
  const [stdout, stderr] = [end(place, draw, isSilent), end(place, draw, isSilent)]
  const ending = createEnding(stderr.write)
  const restore = [
    replace(process, 'argv', [process.execPath, path, ...args]),
    replace(process, 'exit', ending.exit),
    replace(process, 'stdin', input(place, keyboard)),
    replace(process, 'stdout', stdout.stream),
    replace(process, 'stderr', stderr.stream),
    replace(globalThis, 'console', new Console(stdout.stream, stderr.stream)),
    takeListeners(),
    replaceVariables(place.env),
    replaceFolder(place.cwd),
  ]
  process.exitCode = undefined
  process.on('uncaughtException', ending.crash)
  process.on('unhandledRejection', ending.crash)
  process.on('warning', ending.warn)
  try {
    const url = `${pathToFileURL(path).href}?run=${++runs}`
    const entry = opened.during(() => nativeImport(url)).catch(ending.crash)
    await Promise.race([entry, ending.ended])
    await nextTurn() // Node tells of rejections and warnings behind the code that made them
    const isOver = await letGo(() => isSilent() || opened.kinds().length === 0, patience)
    if (isOver) ending.finish()
    else stderr.write(`still open: ${opened.kinds().join(', ')}\n`)
    opened.stop()
    // After an exit its code runs into the next `process.exit`, or waits for what never comes.
    await Promise.race([entry, sleep(SETTLING_MS, undefined, { ref: false })])
    keyboard?.leave()
    const missed = (await keyboard?.typing) ?? []
    const printed = { stdout: stdout.text(), stderr: stderr.text(), screen: screen.join('') }
    return { ...printed, exit: ending.code() ?? null, missed }
  } finally {
    keyboard?.leave()
    process.exitCode = undefined
    for (const undo of restore.reverse()) undo()
    isRunning = false
  }
}

/** How the process would end, and with which code. After that nothing more is printed. */
function createEnding(print: (text: string) => void) {
  let code: number | undefined
  let isSilent = false
  const { promise: ended, resolve } = createDeferred()
  const endWith = (given: number) => {
    if (code !== undefined) return
    code = given
    process.exitCode = given
    process.emit('exit', given)
    isSilent = true
    resolve()
  }
  return {
    ended,
    code: () => code,
    isSilent: () => isSilent,
    exit(given?: number | string | null): never {
      endWith(Number(given ?? process.exitCode ?? 0))
      throw new Exit()
    },
    /** As Node does with what nobody caught. */
    crash(thrown: unknown): void {
      if (thrown instanceof Exit) return
      print(
        `${thrown instanceof Error ? inspect(thrown) : `Uncaught ${inspect(thrown)}`}\n\nNode.js ${process.version}\n`,
      )
      endWith(1)
    },
    warn({ name, message }: Error): void {
      print(`(node:${process.pid}) ${name}: ${message}\n`)
    },
    finish: () => endWith(Number(process.exitCode ?? 0)),
  }
}

interface Opened {
  /** Runs `work`; what it opens is watched, whenever it does. */
  during<T>(work: () => T): T
  /** What would keep its process running. */
  kinds(): readonly string[]
  /** Ends its timers, and lets go of the rest. */
  stop(): void
}

/**
 * Of the command alone: the test has servers, clocks and connections of its own meanwhile. What a module opens itself behind a top-level `await`
 * is seen by Node 20 alone: newer ones forget there whose code it is.
 */
function watchOpened(): Opened {
  const context = new AsyncLocalStorage<true>()
  const open = new Map<number, readonly [kind: string, resource: WeakRef<Handle>]>()
  const hook = createHook({
    init(id, kind, _, resource) {
      if (context.getStore() && isHandle(resource)) open.set(id, [kind, new WeakRef(resource)])
    },
    destroy: (id) => void open.delete(id),
  }).enable()
  const holding = () =>
    [...open.values()].flatMap(([kind, held]) => {
      const resource = held.deref()
      return resource?.hasRef() ? [{ kind, resource }] : []
    })
  return {
    during: (work) => context.run(true, work),
    kinds: () => [...holding().map(({ kind }) => kind), ...requests()],
    stop() {
      hook.disable()
      context.disable()
      for (const { kind, resource } of holding()) {
        if (kind === 'Timeout') clearTimeout(resource as unknown as NodeJS.Timeout)
        else if (kind === 'Immediate') clearImmediate(resource as unknown as NodeJS.Immediate)
        else resource.unref?.()
      }
    },
  }
}

/** Of the whole process: one that is under way, such as a write to the disk, soon ends. */
const requests = (): readonly string[] => process.getActiveResourcesInfo().filter((kind) => /Req/.test(kind))

interface Handle {
  hasRef(): boolean
  unref?(): void
}

const isHandle = (resource: object): resource is Handle => 'hasRef' in resource && typeof resource.hasRef === 'function'

async function letGo(isOver: () => boolean, patience: number): Promise<boolean> {
  for (const limit = Date.now() + patience; !isOver(); await sleep(5)) if (Date.now() > limit) return false
  return true
}

function end({ columns }: Place, draw: (text: string) => void, isSilent: () => boolean) {
  const pieces: Buffer[] = []
  const write = (text: string | Buffer) => {
    if (isSilent()) return
    pieces.push(Buffer.from(text))
    draw(String(text))
  }
  const stream = new Writable({
    decodeStrings: true,
    write(chunk, _, done) {
      write(chunk)
      done()
    },
  })
  // Node's own mark of the two: a pipe into them does not end them.
  Object.assign(stream, { _isStdio: true }, columns === undefined ? {} : terminal(columns))
  return { stream, write, text: () => Buffer.concat(pieces).toString() }
}

function terminal(columns: number) {
  const { getColorDepth, hasColors } = WriteStream.prototype
  return { isTTY: true, columns, rows: 50, getWindowSize: () => [columns, 50], getColorDepth, hasColors }
}

/** At its end already, unless somebody types. */
const input = ({ columns }: Place, keyboard: Keyboard | undefined) =>
  keyboard?.stdin ?? Object.assign(Readable.from([]), columns === undefined ? {} : { isTTY: true })

function replace(owner: object, name: string, value: unknown): () => void {
  const own = Object.getOwnPropertyDescriptor(owner, name)
  Object.defineProperty(owner, name, { value, configurable: true, writable: true, enumerable: true })
  return () => {
    if (own) Object.defineProperty(owner, name, own)
    else Reflect.deleteProperty(owner, name)
  }
}

/** Listeners of the process are those of the command alone. */
function takeListeners(): () => void {
  const kept = process
    .eventNames()
    .filter((name) => !KEPT.has(name))
    .map((name) => [name, process.rawListeners(name as 'exit')] as const)
  for (const [name] of kept) process.removeAllListeners(name)
  return () => {
    for (const name of process.eventNames()) if (!KEPT.has(name)) process.removeAllListeners(name)
    for (const [name, listeners] of kept)
      for (const listener of listeners) process.on(name as 'exit', listener as () => void)
  }
}

/** Between this process and the test runner. */
const KEPT: ReadonlySet<string | symbol> = new Set([
  'message',
  'disconnect',
  'internalMessage',
  'newListener',
  'removeListener',
])

/** In the object that is there: another would reach neither the system nor what this process starts. */
function replaceVariables(wanted: NodeJS.ProcessEnv): () => void {
  const before = { ...process.env }
  const become = (variables: NodeJS.ProcessEnv) => {
    for (const name of Object.keys(process.env)) if (variables[name] === undefined) delete process.env[name]
    for (const [name, value] of Object.entries(variables)) if (value !== undefined) process.env[name] = value
  }
  become(wanted)
  return () => become(before)
}

function replaceFolder(wanted: string): () => void {
  const before = process.cwd()
  process.chdir(wanted)
  return () => process.chdir(before)
}
