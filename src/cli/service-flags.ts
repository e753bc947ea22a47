// What the commands share that make files of services.
import { Flags } from '@oclif/core'
import { settingsFlag } from './flags.js'

const daemon = Flags.option({
  options: ['pay', 'nameauth', 'relay'] as const,
  required: true,
  description: 'the daemon',
})

/** Whose service, and from which settings. */
const serviceFlags = {
  daemon: daemon(),
  settings: settingsFlag('settings of the till or of the name authority'),
  config: Flags.string({ description: 'settings of the relay', helpValue: 'FILE' }),
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
    options: ['pay', 'nameauth', 'relay'] as const,
    multiple: true,
    required: true,
    description: 'a daemon; repeat for several',
  })(),
  settings: settingsFlag('settings of the till'),
  'nameauth-settings': settingsFlag('settings of the name authority', { aliases: ['nameauth-env-file'] }),
  config: Flags.string({ description: 'settings of the relay', helpValue: 'FILE' }),
  dir: Flags.string({ description: 'folder of the files', default: '/etc/grinpay/compose', helpValue: 'DIR' }),
}

/** Several files as one text, each behind its path as `systemctl cat` shows them. */
export const printedFiles = (files: readonly { readonly path: string; readonly text: string }[]): string =>
  files
    .map(({ path, text }) => `# ${path}\n${text}`)
    .join('\n')
    .trimEnd()
