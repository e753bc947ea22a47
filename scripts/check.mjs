// `npm run check`: style, types and unused code, two programs at a time. Each program's output stands together.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const WIDTH = 2
/** The longest first. */
const PROGRAMS = [
  ['tsc', '-p', 'tsconfig.test.json', '--noEmit'],
  ['biome', 'check', '.'],
  ['tsc', '-p', 'tsconfig.json', '--noEmit'],
  ['tsc', '-p', 'packages/grin/tsconfig.browser.json'],
  ['knip'],
]

function run([name, ...args]) {
  return new Promise((resolve) => {
    let output = ''
    const shell = process.platform === 'win32' // programs of npm are .cmd files there
    const child = spawn(join(root, 'node_modules', '.bin', name), args, { cwd: root, shell })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    child.once('error', ({ message }) => resolve({ isFine: false, output: message }))
    child.once('close', (code) => resolve({ isFine: code === 0, output }))
  })
}

let areFine = true
async function work() {
  for (let program = PROGRAMS.shift(); program; program = PROGRAMS.shift()) {
    const { isFine, output } = await run(program)
    process.stdout.write(`${isFine ? 'passed' : 'FAILED'}: ${program.join(' ')}\n${output}`)
    areFine &&= isFine
  }
}

await Promise.all(Array.from({ length: WIDTH }, work))
process.exit(areFine ? 0 : 1)
