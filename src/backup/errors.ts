// What can go wrong with an archive, in words for the operator.
import { defineError } from '../lib/errors.js'

export const backupTargetExists = defineError('BACKUP_TARGET_EXISTS', {
  status: 409,
  text: (path: string) => `${path} is there already; nothing was written`,
  hint: 'repeat the command, or choose another folder with --out',
})

export const backupUnwritable = defineError('BACKUP_UNWRITABLE', {
  status: 500,
  text: (path: string, cause: string) => `no backup was made in ${path}: ${cause}`,
  hint: 'check free space and permissions, or choose another folder with --out',
})

export const backupUnreadable = defineError('BACKUP_UNREADABLE', {
  status: 400,
  text: (path: string, cause: string) => `cannot read ${path}: ${cause}`,
  hint: 'name an archive made by grinpay backup create',
})

export const backupCompressed = defineError('BACKUP_COMPRESSED', {
  status: 400,
  text: (path: string, format: string) =>
    `${path} is compressed (${format}); a backup is a plain or an encrypted archive`,
  hint: 'decompress it first (gunzip, unxz, zstd -d, bunzip2, unzip), then name the file that is in it',
})

/** Truncated, changed, or never one of ours: whatever it is, nothing of it is used. */
export const backupDamaged = defineError('BACKUP_DAMAGED', {
  status: 409,
  text: (path: string, cause: string) => `${path} is not a complete backup: ${cause}`,
  hint: 'use another archive; check it with grinpay backup verify FILE',
})

export const backupNewer = defineError('BACKUP_NEWER', {
  status: 409,
  text: (path: string, what: string) => `${path} was made by a newer grinpay: ${what}`,
  hint: 'install that version, then repeat the command',
})

export const backupOtherKind = defineError('BACKUP_OTHER_KIND', {
  status: 409,
  text: (path: string, found: string, wanted: string) => `${path} is the backup of ${found}, not of ${wanted}`,
  hint: 'name an archive of that daemon, or omit --daemon',
})

export const backupSealed = defineError('BACKUP_SEALED', {
  status: 400,
  text: (path: string) => `${path} is encrypted, and no key was given`,
  hint: 'name the file with the AGE-SECRET-KEY with --identity-file',
})

export const backupNotForYou = defineError('BACKUP_NOT_FOR_YOU', {
  status: 409,
  text: (path: string) => `the identity file has no key that decrypts ${path}`,
  hint: 'name the identity file of the recipient (age1…) with --identity-file',
})

export const badRecipient = defineError('BAD_RECIPIENT', {
  status: 400,
  text: (text: string) => `not an age recipient: "${text.slice(0, 24)}${text.length > 24 ? '…' : ''}"`,
  hint: 'create one with age-keygen -o backup.key; it begins with age1',
})

export const badIdentityFile = defineError('BAD_IDENTITY_FILE', {
  status: 400,
  text: (path: string, cause: string) => `${path} holds no age key: ${cause}`,
  hint: 'name the file written by age-keygen, with a line AGE-SECRET-KEY-1…',
})

export const restoreTargetNotEmpty = defineError('RESTORE_TARGET_NOT_EMPTY', {
  status: 409,
  text: (path: string, why: string) => `${path} ${why}; nothing was changed`,
  hint: 'name an empty or new folder with --to',
})

export const restoreFailed = defineError('RESTORE_FAILED', {
  status: 500,
  text: (path: string, cause: string) => `nothing was restored to ${path}: ${cause}`,
  hint: 'check free space and permissions, then repeat the command',
})
