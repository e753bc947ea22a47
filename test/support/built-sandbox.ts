// `grinpay sandbox` in a process of its own, for shops that are tested against it: quiet, by default with a block every half second.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnvironment, ROOT } from './till-process.js'

const ENTRY = join(ROOT, 'bin/run.js')

export interface BuiltSandbox {
  readonly url: string
  readonly apiToken: string
  readonly adminToken: string
  readonly webhookSecret: string
  /** Calls a control of the node, such as `mine`; answers its JSON. */
  control(name: string, members: object): Promise<Record<string, unknown>>
  /** Pays an open invoice, named by its id or address, as a customer's wallet does. */
  pay(target: string): Promise<void>
  /** A link that signs in to the console, once. */
  consoleLink(): Promise<string>
  close(): Promise<void>
}

function run(args: readonly string[]) {
  if (!existsSync(join(ROOT, 'dist/commands'))) throw new Error('not built: npm run build')
  const child = spawn(process.execPath, [ENTRY, ...args], {
    env: cleanEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  const waiting = new Set<() => void>()
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      text += chunk
      for (const look of waiting) look()
    })
  const find = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = text.split('\n').flatMap((line) => pattern.exec(line)?.[1] ?? [])[0]
        if (found !== undefined) resolve(found)
      }
      waiting.add(look)
      look()
      void ended.then(() => reject(new Error(`ended without ${pattern}:\n${text}`)))
    })
  return { child, ended, find, output: () => text }
}

/** Events go on to `forwardTo`, byte for byte with their signatures. `blockEvery` as in `--block-every`. */
export async function startBuiltSandbox(forwardTo?: string, blockEvery = '500ms'): Promise<BuiltSandbox> {
  const forward = forwardTo === undefined ? [] : ['--forward-to', forwardTo]
  const { child, ended, find } = run([
    ...['sandbox', '--no-pay', '--block-every', blockEvery, '--port', '0', '--node-port', '0'],
    ...forward,
  ])
  const [url, nodePort, apiToken, adminToken, webhookSecret] = await Promise.all([
    find(/till +(http:\S+)/),
    find(/node +http:\/\/127\.0\.0\.1:(\d+)/),
    find(/API token +(pay_live_\S+)/),
    find(/admin token +(pay_admin_\S+)/),
    find(/webhook secret +(whsec_\S+)/),
  ])
  return {
    url,
    apiToken,
    adminToken,
    webhookSecret,
    async control(name, members) {
      const headers = { 'content-type': 'application/json' }
      const request = { method: 'POST', headers, body: JSON.stringify(members) }
      const answer = await fetch(`http://127.0.0.1:${nodePort}/sandbox/${name}`, request)
      if (!answer.ok) throw new Error(await answer.text())
      return (await answer.json()) as Record<string, unknown>
    },
    async pay(target) {
      const paying = run(['sandbox', 'pay', target, '--node-port', nodePort])
      if ((await paying.ended) !== 0) throw new Error(paying.output())
    },
    async consoleLink() {
      const asking = run(['sandbox', 'console', '--node-port', nodePort])
      return asking.find(/^(http:\S+)/)
    },
    async close() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
