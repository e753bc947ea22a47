// What the commands share that print or install files of services.
import { Flags } from '@oclif/core'
import { DAEMON_NAMES } from '../lib/daemon-names.js'
import { BaseCommand } from './base-command.js'
import { settingsFlag } from './flags.js'

const daemon = Flags.option({
  options: DAEMON_NAMES,
  required: true,
  description: 'the daemon',
})

/** Whose service, and from which settings. */
const serviceFlags = {
  daemon: daemon(),
  settings: settingsFlag('its settings', { aliases: ['env-file', 'config'] }),
}

/** What goes into units. */
export const unitFlags = {
  ...serviceFlags,
  socket: Flags.boolean({ description: 'let systemd hold the port, so that a restart refuses no connection' }),
  backup: Flags.boolean({ description: 'include a nightly backup', default: true, allowNo: true }),
  dir: Flags.string({ description: 'folder of the units', default: '/etc/systemd/system', helpValue: 'DIR' }),
}

/** Whose containers, and from which settings. */
export const composeFlags = {
  daemon: Flags.option({
    options: DAEMON_NAMES,
    multiple: true,
    required: true,
    description: 'a daemon; repeat for several',
  })(),
  settings: settingsFlag('settings of the till'),
  'nameauth-settings': settingsFlag('settings of the name authority', { aliases: ['nameauth-env-file'] }),
  config: Flags.string({ description: 'settings of the relay', helpValue: 'FILE' }),
  dir: Flags.string({ description: 'folder of the files', default: '/etc/grinpay/compose', helpValue: 'DIR' }),
}

interface TextFile {
  readonly path: string
  readonly text: string
}

interface PlannedFiles<File> {
  readonly files: readonly File[]
  /** What to type next. */
  readonly commands: readonly string[]
  readonly notes: readonly string[]
}

interface InstallFlags {
  readonly force: boolean
  readonly 'dry-run': boolean
}

/** The wizard's `installFiles`. */
type InstallFiles<File> = (request: {
  readonly files: readonly File[]
  readonly force: boolean
  readonly dryRun: boolean
  readonly say: (text: string) => void
}) => Promise<readonly { readonly path: string; readonly outcome: string }[]>

export abstract class PrintCommand extends BaseCommand {
  static override enableJsonFlag = true

  /** Prints the file of this name, or all of them, each behind its path as `systemctl cat` shows them. */
  protected print(files: readonly TextFile[], notes: readonly string[], name?: string) {
    const shown = files.filter(({ path }) => name === undefined || path.endsWith(`/${name}`))
    for (const note of notes) this.say(note)
    const texts = shown.map(({ path, text }) => (name === undefined ? `# ${path}\n${text}` : text.trimEnd()))
    this.log(texts.join('\n').trimEnd())
    return { files: shown.map(({ path, text }) => ({ path, text })), notes }
  }
}

export abstract class InstallCommand extends PrintCommand {
  protected static readonly installFlags = {
    'dry-run': Flags.boolean({ description: 'show what would happen, change nothing', default: false }),
    force: Flags.boolean({ description: 'also overwrite files changed by hand' }),
  }

  /** Writes the files, and prints what became of each and what to type next. Answers the `--json` document. */
  protected async install<File>(
    { files, commands, notes }: PlannedFiles<File>,
    { force, 'dry-run': dryRun }: InstallFlags,
    installFiles: InstallFiles<File>,
  ) {
    for (const note of notes) this.say(note)
    const installed = await installFiles({ files, force, dryRun, say: (text) => this.say(text) })
    for (const { path, outcome } of installed) this.log(`${outcome.padEnd(11)} ${path}`)
    if (dryRun) this.say('dry run: nothing was changed')
    else this.say(['', 'Next, as root:', ...commands.map((line) => `  ${line}`)].join('\n'))
    return { files: installed, next: commands, notes, dry_run: dryRun }
  }
}
