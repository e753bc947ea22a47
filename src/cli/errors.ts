import { defineError } from '../lib/errors.js'

/** The command line itself is wrong. */
export const usage = defineError('USAGE', {
  status: 400,
  text: (what: string) => what,
})

export const notConfigured = defineError('NOT_CONFIGURED', {
  status: 503,
  text: (where: string) => `no settings found (looked in ${where})`,
  hint: 'grinpay setup pay; or name the settings with --settings, or a till with --url and --token-file',
})

/** `serve nameauth` without a domain: a daemon cannot prompt for it. */
export const nameauthNotConfigured = defineError('NAMEAUTH_NOT_CONFIGURED', {
  status: 503,
  text: (where: string) => `the name authority has no settings: NAMEAUTH_DOMAIN is not set (looked in ${where})`,
  hint: 'grinpay setup nameauth, or name the settings with --settings',
})

export const consoleOff = defineError('CONSOLE_OFF', {
  status: 503,
  text: (daemon: string, setting: string) => `this ${daemon} has no console: ${setting} is off`,
  hint: 'switch it on in its settings (of a relay: true), then restart it',
})

/** Settings and database of a daemon belong to the user it runs as, or to root. */
export const filesOfOtherUser = defineError('FILES_OF_OTHER_USER', {
  status: 403,
  text: (path: string, user: string) =>
    `you may not use ${path}, which belongs to ${user}: repeat the command with "sudo -u '${user}'"`,
  hint: "or run it as root; new files keep the database's owner",
})

/** The lists lie beside the database. */
export const relayFolderMissing = defineError('RELAY_FOLDER_MISSING', {
  status: 503,
  text: (path: string) => `no folder ${path}: the relay never ran with these settings`,
  hint: 'start the relay once, or name its folder with --db',
})

export const profileUnknown = defineError('TILL_PROFILE_UNKNOWN', {
  status: 404,
  text: (name: string, guess: string | undefined) =>
    `no saved till "${name}"${guess === undefined ? '' : ` (did you mean "${guess}"?)`}`,
  hint: 'grinpay till list',
})

export const tokenFileUnreadable = defineError('TOKEN_FILE_UNREADABLE', {
  status: 400,
  text: (path: string, why: string) => `cannot read the token file ${path}: ${why}`,
  hint: 'check path and permissions; the file holds only the token',
})

/** A port that the command listens on is in use or not permitted. */
export const cannotListen = defineError('CANNOT_LISTEN', {
  status: 400,
  text: (host: string, port: number, why: string) => `cannot listen on ${host}:${port}: ${why}`,
  hint: 'choose another --port; 0: a free port',
})

/** A question cannot be asked: no terminal, or --no-input. */
export const needsConfirmation = defineError('NEEDS_CONFIRMATION', {
  status: 400,
  text: (what: string) => `${what} needs confirmation, and there is no terminal`,
  hint: 'repeat the command with --yes',
})

export const notConfirmed = defineError('NOT_CONFIRMED', {
  status: 400,
  text: (word: string) => `not confirmed: "${word}" was not typed`,
  hint: 'type the words shown, or use --yes',
})

/** The time limit passed before the requested state was reached. */
export const waitTimedOut = defineError('WAIT_TIMED_OUT', {
  status: 504,
  text: (id: string, wanted: string, status: string, seconds: number) =>
    `invoice ${id} is still ${status}, not ${wanted}, after ${seconds} s`,
  hint: 'wait longer with --timeout, or grinpay invoice show',
})

/** The state is final and not the requested one. */
export const endedOtherwise = defineError('ENDED_OTHERWISE', {
  status: 409,
  text: (what: string) => what,
  hint: 'grinpay invoice show',
})

/** Service files are made from a settings file; variables of the current shell do not last. */
export const settingsNotInFile = defineError('SETTINGS_NOT_IN_FILE', {
  status: 503,
  text: (what: string) => `no settings file for ${what}`,
  hint: 'grinpay setup, or name the file with --settings',
})
