// What keeps a daemon from starting, beyond its settings.
import { defineError } from '../lib/errors.js'

export const walletPasswordMissing = defineError('WALLET_PASSWORD_MISSING', {
  status: 500,
  text: () => 'the wallet password is not set',
  hint: 'set PAY_WALLET_PASSWORD_FILE, or a systemd credential named pay_wallet_password',
})

export const walletMissing = defineError('WALLET_MISSING', {
  status: 500,
  text: (path: string) => `there is no wallet at ${path}`,
  hint: 'grinpay setup pay, or grinpay wallet restore',
})

export const databaseLost = defineError('DATABASE_LOST', {
  status: 503,
  text: (path: string, seed: string) => `there is no database at ${path}, but the wallet at ${seed} was in use`,
  hint: 'check PAY_DB_PATH, or restore the newest backup: grinpay restore ARCHIVE; only to begin anew without its invoices and payments, create the empty file no-database-yet beside the wallet',
})

export const mnemonicOther = defineError('MNEMONIC_OTHER', {
  status: 500,
  text: (path: string) => `the words in PAY_MNEMONIC are not those of the wallet at ${path}`,
  hint: 'remove PAY_MNEMONIC, or set PAY_DATA_DIR to the folder of the other wallet',
})

export const addressInUse = defineError('ADDRESS_IN_USE', {
  status: 500,
  text: (bind: string) => `cannot listen on ${bind}: the address is taken`,
  hint: 'stop the other program, or choose another address: PAY_BIND of a till, NAMEAUTH_NAMES_BIND of a name authority, network.port of a relay (Foreign API: PAY_GRIN1_FOREIGN_PORT, figures: PAY_METRICS_BIND, metrics.bind)',
})

export const addressRefused = defineError('ADDRESS_REFUSED', {
  status: 500,
  text: (bind: string, why: string) => `cannot listen on ${bind}: ${why}`,
  hint: 'take an address of this machine and a port above 1023, with a proxy before it: PAY_BIND of a till, NAMEAUTH_NAMES_BIND of a name authority, network.address and network.port of a relay',
})

export const portTaken = defineError('PORT_TAKEN', {
  status: 500,
  text: (port: number) => `port ${port} of this machine is taken`,
  hint: 'name another port, or 0 for any',
})

export const eventsFileUnreadable = defineError('EVENTS_FILE_UNREADABLE', {
  status: 400,
  text: (path: string, why: string) => `cannot read ${path}: ${why}`,
  hint: 'check the path and who may read the file; - reads from a pipe',
})

export const eventsFileUnwritable = defineError('EVENTS_FILE_UNWRITABLE', {
  status: 400,
  text: (path: string, why: string) => `cannot write ${path}: ${why}`,
  hint: 'name a new file in a folder that you may write to; nothing is overwritten',
})

export const filterInvalid = defineError('FILTER_INVALID', {
  status: 400,
  text: (problem: string) => `not a filter: ${problem}`,
  hint: 'write it as NIP-01 does, for example {"kinds":[1],"authors":["<64 hex>"]}',
})

export const retentionNotSet = defineError('RETENTION_NOT_SET', {
  status: 503,
  text: () => 'the settings have no rules of what is to go: everything stays',
  hint: 'set retention.max_events, retention.max_bytes or retention.persist_days, or use grinpay relay delete',
})

export const verifiedOnly = defineError('VERIFIED_ONLY', {
  status: 409,
  text: () => 'a relay that runs checks every signature',
  hint: 'repeat the command without --no-verify, or stop the relay for the import',
})

export const walletNotMoved = defineError('WALLET_NOT_MOVED', {
  status: 503,
  text: (path: string) => `there is no wallet at ${path} yet: the money of an earlier till stays in its own`,
  hint: 'grinpay wallet restore --seed-file wallet_data/wallet.seed --seed-password-file FILE',
})

export const identityNotMoved = defineError('IDENTITY_NOT_MOVED', {
  status: 503,
  text: (path: string) =>
    `there is no Nostr identity at ${path} yet: payments to the links of an earlier till are found by its own`,
  hint: 'copy nostr/identity.json of that till there (its password is the wallet password), or set PAY_NSEC_FILE',
})
