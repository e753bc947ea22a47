import { defineError } from '../lib/errors.js'

export const answersWrong = defineError('ANSWERS_WRONG', {
  status: 400,
  text: (problems: readonly string[]) => problems.join('; '),
  hint: 'see --help for every answer',
})

export const answersUnreadable = defineError('ANSWERS_UNREADABLE', {
  status: 400,
  text: (path: string, why: string) => `cannot read ${path}: ${why}`,
  hint: 'check path and permissions',
})

export const passwordShort = defineError('PASSWORD_SHORT', {
  status: 400,
  text: (path: string, why: string) => `${path}: ${why}`,
  hint: 'write a longer one into the file; a till that restarts unattended needs none, setup makes one of 64',
})

export const alreadySetUp = defineError('ALREADY_SET_UP', {
  status: 409,
  text: (what: string) => `there is already ${what}; nothing was changed`,
  hint: 'grinpay setup pay --reconfigure keeps seed, password and tokens',
})

export const nothingToReconfigure = defineError('NOTHING_TO_RECONFIGURE', {
  status: 503,
  text: (path: string) => `there is no ${path} to reconfigure`,
  hint: 'run it without --reconfigure',
})

/** `setup nameauth` without a terminal and without answers. */
export const setupNeedsTerminal = defineError('SETUP_NEEDS_TERMINAL', {
  status: 500,
  text: () => 'stdin or stdout is no terminal; nothing was changed',
  hint: 'give --answers FILE, or --domain and the other flags in --help',
})

/** `secret rotate` of something that there is not. */
export const secretNotSet = defineError('SECRET_NOT_SET', {
  status: 503,
  text: (name: string, where: string) => `${name} is not set in ${where}: there is nothing to rotate`,
  hint: 'grinpay secret new writes one with --out FILE; name that file in the settings as NAME_FILE',
})

/** It came with the environment or from systemd: the place that it came from is not ours to change. */
export const secretElsewhere = defineError('SECRET_ELSEWHERE', {
  status: 409,
  text: (name: string, where: string) =>
    `${name} comes from ${where}, which this command cannot change; nothing was changed`,
  hint: 'move it to a file, set NAME_FILE to that path, then rotate it',
})

export const secretFileRefused = defineError('SECRET_FILE_REFUSED', {
  status: 400,
  text: (path: string, why: string) => `cannot write the new file ${path}: ${why}; nothing was changed`,
  hint: 'name a file that does not exist yet with --out',
})

export const secretNotKept = defineError('SECRET_NOT_KEPT', {
  status: 500,
  text: (path: string, why: string) => `cannot write ${path}: ${why}; the old secret stays in force`,
  hint: 'check path and permissions; files of a till under systemd belong to root',
})

export const valueUnsafe = defineError('VALUE_UNSAFE', {
  status: 400,
  text: (name: string) => `${name} must not contain quotes, backslashes, $, backquotes or control characters`,
  hint: 'choose another value: systemd, Docker and sh read the same file',
})

/** What was created before the failure is gone again. */
export const applyFailed = defineError('SETUP_FAILED', {
  status: 500,
  text: (step: string, why: string, removed: readonly string[]) =>
    `${step}: ${why}; ${removed.length === 0 ? 'nothing was changed' : `rolled back: ${removed.join(', ')}`}`,
  hint: 'fix the cause, then repeat the setup',
})

export const setupDeclined = defineError('SETUP_DECLINED', {
  status: 409,
  text: () => 'nothing was changed',
  hint: 'repeat the setup to change the plan',
})

export const walletExists = defineError('WALLET_EXISTS', {
  status: 409,
  text: (path: string) => `there is already a wallet at ${path}`,
  hint: 'move it to a safe place first; it is never overwritten',
})

/** A secret that a wallet command needs and that was not given. */
export const inputMissing = defineError('INPUT_MISSING', {
  status: 400,
  text: (what: string) => what,
  hint: 'repeat the command with --help',
})

/** Nothing is printed that a proxy would read as something else. */
export const notForProxy = defineError('NOT_FOR_PROXY', {
  status: 400,
  text: (what: string) => `cannot configure a proxy: ${what}`,
  hint: 'correct the flag or setting; grinpay config show --daemon nameauth (or relay) shows its origin',
})

/** Nothing is printed that systemd would read as something else. */
export const notForUnit = defineError('NOT_FOR_UNIT', {
  status: 400,
  text: (what: string) => `cannot write a unit: ${what}`,
  hint: 'correct the setting; grinpay config show --daemon pay (nameauth, relay) shows its origin',
})

/** A generated file that was changed by hand. */
export const changedByHand = defineError('CHANGED_BY_HAND', {
  status: 409,
  text: (paths: readonly string[]) => `changed by hand, not overwritten: ${paths.join(', ')}`,
  hint: '--dry-run shows the difference, --force overwrites it',
})

/** nginx and Caddy refuse to start without it, and with them every other site of the machine stays away. */
export const certificateMissing = defineError('CERTIFICATE_MISSING', {
  status: 409,
  text: (paths: readonly string[]) => `nothing was written: the proxy needs ${paths.join(' and ')}`,
  hint: 'get one with certbot certonly (--webroot, or --standalone while port 80 is free), or use --certificate FILE --key FILE',
})
