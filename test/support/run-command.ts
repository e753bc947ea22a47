// Runs a command class from source in this process, against a till app on a free port.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from '@oclif/core'
import { captureOutput } from '@oclif/test'
import { createFakeTill, type FakeTill } from './fake-till.js'
import { ADMIN_TOKEN, API_TOKEN, tillApp } from './till-app.js'

export interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly exit: number
}

type RunnableCommand = Pick<Command.Class, 'run'>

/** Both ends look like pipes, whatever runs the tests. */
export async function runCommandClass(command: RunnableCommand, argv: readonly string[]): Promise<Ran> {
  const { stdout, stderr, error } = await captureOutput(() => command.run([...argv], process.cwd()), {
    stripAnsi: true,
  })
  return { stdout, stderr, exit: error === undefined ? 0 : ((error as { oclif?: { exit?: number } }).oclif?.exit ?? 1) }
}

export interface TillForCommands {
  readonly till: FakeTill
  readonly envFile: string
  /** Runs with `--settings` of this till. */
  run(command: RunnableCommand, ...argv: readonly string[]): Promise<Ran>
  close(): Promise<void>
}

/** A till that answers over real HTTP, and the env file that leads to it. */
export async function tillForCommands(given: FakeTill = createFakeTill()): Promise<TillForCommands> {
  const { app, till } = await tillApp({ till: given })
  const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-commands-'))
  const envFile = join(folder, 'pay.env')
  writeFileSync(envFile, `PAY_BIND=${url.host}\nPAY_API_TOKEN=${API_TOKEN}\nPAY_ADMIN_TOKEN=${ADMIN_TOKEN}\n`, {
    mode: 0o600,
  })
  return {
    till,
    envFile,
    run: (command, ...argv) => runCommandClass(command, [...argv, '--settings', envFile]),
    async close() {
      await app.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
