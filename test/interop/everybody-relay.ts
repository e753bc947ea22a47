// Our relay as `setup relay --profile everybody` writes it without questions, started with those settings.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Ran } from '../support/built-command.js'
import { spawnBuilt } from '../support/command-home.js'
import { freePort, startDaemon } from '../support/till-process.js'

export interface WizardRelay {
  readonly address: string
  /** A command of `grinpay relay` with the settings of this relay. */
  command(words: readonly string[], input?: string): Ran
  remove(): Promise<void>
}

export interface WizardAnswers {
  readonly profile: 'payments' | 'everybody'
  /** Gift wraps go to their recipients only: the relay asks for authentication. */
  readonly privateWraps?: boolean
  /** Set by hand afterwards: the setup does not ask for it. */
  readonly search?: boolean
}

export async function startWizardRelay({ profile, privateWraps, search }: WizardAnswers): Promise<WizardRelay> {
  const home = mkdtempSync(join(tmpdir(), 'grinpay-wizard-relay-'))
  const bind = `127.0.0.1:${await freePort()}`
  const address = `ws://${bind}`
  const prefix = join(home, 'relay')
  const answers = ['--relay-url', address, '--bind', bind, '--private-wraps', privateWraps ? 'yes' : 'no']
  const setup = ['setup', 'relay', '--prefix', prefix, '--profile', profile, ...answers, '--skip-checks', '--yes']
  const { exit, stderr } = spawnBuilt(setup, { home })
  if (exit !== 0) throw new Error(`setup relay ended with ${exit}: ${stderr}`)
  const variables = {
    RELAY_CONFIG_FILE: join(prefix, 'relay.toml'),
    ...(search === true && { RELAY_SEARCH_ENABLED: 'true' }),
  }
  const daemon = await startDaemon({
    command: ['serve', 'relay'],
    settings: { HOME: home, ...variables },
    bind,
    cwd: home,
  })
  return {
    address,
    command: (words, input = '') => spawnBuilt(['relay', ...words], { home, variables, input }),
    async remove() {
      await daemon.kill()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
