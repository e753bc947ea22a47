// What the setup commands share: a flag per answer, how a setup goes, and the program that its unit starts.
import { fileURLToPath } from 'node:url'
import { Flags } from '@oclif/core'
import { BaseCommand } from './base-command.js'
import { canAsk, terminalWidth } from './terminal.js'

/** What its flag says of a question. */
type FlagsOf = Readonly<
  Record<string, { readonly flag: string; readonly value?: string; readonly words?: readonly string[] }>
>

/** A flag for each question; the key in an answers file is the same with underscores. */
export const answerFlagsOf = (questions: FlagsOf): object =>
  Object.fromEntries(
    Object.entries(questions).map(([key, { flag: description, value: helpValue = 'TEXT', words }]) => {
      const taken = words ? { options: [...words] } : { helpValue }
      return [flagOf(key), Flags.string({ description, helpGroup: 'ANSWERS', ...taken })]
    }),
  )

const flagOf = (key: string): string => key.replaceAll('_', '-')

/** Of the answers those that flags gave. */
function answersIn(questions: FlagsOf, flags: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const given = Object.keys(questions).flatMap((key) => {
    const value = flags[flagOf(key)]
    return typeof value === 'string' ? [[key, value]] : []
  })
  return Object.fromEntries(given)
}

/** Beside answers; `thing` is what --reconfigure changes, `looks` what --skip-checks skips. */
export const setupFlags = (
  thing: string,
  looks: string,
  { prefix = 'put everything under this folder', yes = 'ask nothing and go ahead' } = {},
) => ({
  answers: Flags.string({
    description: 'JSON file with answers, - for stdin; flags take precedence',
    helpValue: 'FILE',
  }),
  prefix: Flags.string({ description: prefix, helpValue: 'DIR' }),
  yes: Flags.boolean({ description: yes }),
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
  protected setupOf(questions: FlagsOf, flags: SetupFlags) {
    const said = answersIn(questions, { ...flags })
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
