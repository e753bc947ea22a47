// What the commands share that put files of services in their places.
import { Flags } from '@oclif/core'
import { BaseCommand } from './base-command.js'

interface Done {
  readonly installed: readonly { readonly path: string; readonly outcome: string }[]
  /** What to type next. */
  readonly commands: readonly string[]
  readonly notes: readonly string[]
  readonly dryRun: boolean
}

export abstract class InstallCommand extends BaseCommand {
  protected static readonly installFlags = {
    'dry-run': Flags.boolean({ description: 'show what would happen, change nothing', default: false }),
    force: Flags.boolean({ description: 'also overwrite files changed by hand' }),
  }

  /** Tells what became of the files, and what to type next. */
  protected toldInstalled({ installed, commands, notes, dryRun }: Done) {
    for (const { path, outcome } of installed) this.log(`${outcome.padEnd(11)} ${path}`)
    if (dryRun) this.say('dry run: nothing was changed')
    else this.say(['', 'Next, as root:', ...commands.map((line) => `  ${line}`)].join('\n'))
    return { files: installed, next: commands, notes, dry_run: dryRun }
  }
}
