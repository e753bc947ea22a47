// What the setup commands share: a flag per answer, how a setup goes, and the program that its unit starts.
import { fileURLToPath } from 'node:url'
import { Flags } from '@oclif/core'
import { BaseCommand } from './base-command.js'
import { canAsk, terminalWidth } from './terminal.js'

/** A flag for one question; the key in an answers file is the same with underscores. */
export const answerFlag = (description: string, helpValue: string) =>
  Flags.string({ description, helpValue, helpGroup: 'ANSWERS' })

/** Of these flags, those that were given, by the keys of an answers file. */
function answersIn(answerFlags: object, flags: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const given = Object.keys(answerFlags).flatMap((name) => {
    const value = flags[name]
    return typeof value === 'string' ? [[name.replaceAll('-', '_'), value]] : []
  })
  return Object.fromEntries(given)
}

/** Beside answers; `thing` is what --reconfigure changes, `looks` what --skip-checks skips. */
export const setupFlags = (thing: string, looks: string) => ({
  answers: Flags.string({
    description: 'JSON file with answers, - for stdin; flags take precedence',
    helpValue: 'FILE',
  }),
  prefix: Flags.string({ description: 'put everything under this folder', helpValue: 'DIR' }),
  yes: Flags.boolean({ description: 'ask nothing and go ahead' }),
  'dry-run': Flags.boolean({ description: 'show what would happen, change nothing' }),
  reconfigure: Flags.boolean({ description: `change an existing ${thing}` }),
  'skip-checks': Flags.boolean({ description: `skip the checks of ${looks}` }),
})

interface SetupFlags {
  readonly answers: string | undefined
  readonly prefix: string | undefined
  readonly yes: boolean
  readonly 'no-input': boolean
  readonly quiet: boolean
  readonly 'dry-run': boolean
  readonly reconfigure: boolean
  readonly 'skip-checks': boolean
}

export abstract class SetupCommand extends BaseCommand {
  /** Answers among the flags, and how the setup goes by the others. */
  protected setupOf(answerFlags: object, flags: SetupFlags) {
    const said = answersIn(answerFlags, { ...flags })
    return {
      said,
      /** The setup may prompt at the terminal. */
      isInteractive: canAsk(flags['no-input'] || flags.yes) && flags.answers === undefined,
      options: {
        prefix: flags.prefix,
        dryRun: flags['dry-run'],
        reconfigure: flags.reconfigure,
        skipChecks: flags['skip-checks'],
        isQuiet: flags.quiet,
        isUnattended: flags.yes || flags.answers !== undefined || Object.keys(said).length > 0,
        program: programOf(this.config.root),
        width: terminalWidth(),
        say: (text: string) => this.say(text),
        tell: (text: string) => this.log(text),
      },
    }
  }
}

/** This very installation; `root` is the folder of the package. */
export const programOf = (root: string) => ({
  node: process.execPath,
  script: fileURLToPath(new URL('../../bin/run.js', import.meta.url)),
  root,
})
