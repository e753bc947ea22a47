// What keeps a daemon from starting, beyond its settings.
import { defineError } from '../lib/errors.js'

export const walletPasswordMissing = defineError('WALLET_PASSWORD_MISSING', {
  status: 500,
  text: () => 'the wallet password is not set',
  hint: 'set PAY_WALLET_PASSWORD_FILE, or the systemd credential pay_wallet_password',
})

export const walletPasswordShort = defineError('WALLET_PASSWORD_SHORT', {
  status: 500,
  text: (why: string) => `no wallet is made from PAY_MNEMONIC: ${why}`,
  hint: 'write a longer one into the file of PAY_WALLET_PASSWORD_FILE; a wallet that exists keeps the password it has',
})

export const databaseLost = defineError('DATABASE_LOST', {
  status: 503,
  text: (path: string, seed: string) => `there is no database at ${path}, but the wallet at ${seed} was in use`,
  hint: 'check PAY_DB_PATH, or grinpay restore ARCHIVE; to start over without invoices and payments, create the empty file no-database-yet beside the wallet',
})

export const mnemonicOther = defineError('MNEMONIC_OTHER', {
  status: 500,
  text: (path: string) => `PAY_MNEMONIC does not belong to the wallet at ${path}`,
  hint: "remove PAY_MNEMONIC, or set PAY_DATA_DIR to the other wallet's folder",
})

export const addressInUse = defineError('ADDRESS_IN_USE', {
  status: 500,
  text: (bind: string) => `cannot listen on ${bind}: the address is in use`,
  hint: 'stop the other program, or change PAY_BIND, NAMEAUTH_NAMES_BIND or network.port of a relay (metrics: PAY_METRICS_BIND, metrics.bind; Foreign API: PAY_GRIN1_FOREIGN_PORT)',
})

export const addressRefused = defineError('ADDRESS_REFUSED', {
  status: 500,
  text: (bind: string, why: string) => `cannot listen on ${bind}: ${why}`,
  hint: 'use an address of this machine and a port above 1023, behind a proxy: PAY_BIND, NAMEAUTH_NAMES_BIND, network.address and network.port of a relay',
})

export const portTaken = defineError('PORT_TAKEN', {
  status: 500,
  text: (port: number) => `port ${port} is in use`,
  hint: 'choose another port, or 0 for a free one',
})

export const eventsFileUnreadable = defineError('EVENTS_FILE_UNREADABLE', {
  status: 400,
  text: (path: string, why: string) => `cannot read ${path}: ${why}`,
  hint: 'check path and permissions; - reads stdin',
})

export const eventsFileUnwritable = defineError('EVENTS_FILE_UNWRITABLE', {
  status: 400,
  text: (path: string, why: string) => `cannot write ${path}: ${why}`,
  hint: 'name a new file in a writable folder; nothing is overwritten',
})

export const filterInvalid = defineError('FILTER_INVALID', {
  status: 400,
  text: (problem: string) => `not a filter: ${problem}`,
  hint: 'use a NIP-01 filter, for example {"kinds":[1],"authors":["<64 hex>"]}',
})

export const retentionNotSet = defineError('RETENTION_NOT_SET', {
  status: 503,
  text: () => 'no retention rules are set: everything stays',
  hint: 'set retention.max_events, max_bytes or persist_days, or use grinpay relay delete',
})

export const verifiedOnly = defineError('VERIFIED_ONLY', {
  status: 409,
  text: () => 'a running relay checks every signature',
  hint: 'omit --no-verify, or stop the relay for the import',
})

export const walletNotMoved = defineError('WALLET_NOT_MOVED', {
  status: 503,
  text: (path: string) => `no wallet at ${path}: restore the earlier till's wallet first`,
  hint: 'grinpay wallet restore --seed-file wallet_data/wallet.seed --seed-password-file FILE',
})

export const identityNotMoved = defineError('IDENTITY_NOT_MOVED', {
  status: 503,
  text: (path: string) => `no Nostr identity at ${path}: links of the earlier till need its identity`,
  hint: "copy that till's nostr/identity.json there (password: the wallet password), or set PAY_NSEC_FILE",
})

export const relayUnreachable = defineError('CONSOLE_RELAY_UNREACHABLE', {
  status: 503,
  text: (file: string, why: string) => `the settings of the relay in ${file} cannot be read: ${why}`,
  hint: 'check PAY_CONSOLE_RELAY, and that the till may read that file; or switch on the console of the relay itself ([console] in it)',
})

export const namesUnreachable = defineError('CONSOLE_NAMES_UNREACHABLE', {
  status: 503,
  text: (file: string, why: string) => `the names of ${file} cannot be read: ${why}`,
  hint: 'check PAY_CONSOLE_NAMEAUTH, and that the till may read that file and its database; or switch on the console of the name authority itself (NAMEAUTH_CONSOLE)',
})

export const moveBusy = defineError('CONSOLE_MOVE_BUSY', {
  status: 409,
  text: (kind: string, file: string) => `an ${kind} is under way: ${file}`,
  hint: 'wait until it ends, or stop it',
})

export const moveStopping = defineError('CONSOLE_MOVE_STOPPING', {
  status: 503,
  text: () => 'the daemon stops: nothing new begins',
  hint: 'start it again first',
})

export const moveEnded = defineError('CONSOLE_MOVE_ENDED', {
  status: 409,
  text: () => 'this export or import has ended, or another one runs now',
  hint: 'look at the page again',
})

export const moveFileUnusable = defineError('CONSOLE_MOVE_FILE', {
  status: 404,
  text: (name: string, folder: string, why: string) => `"${name.slice(0, 100)}" in ${folder}: ${why}`,
  hint: 'look at the list again; copy a file there with scp, or import any file with: grinpay relay import FILE',
})

export const moveNoEvents = defineError('CONSOLE_MOVE_NO_EVENTS', {
  status: 400,
  text: (name: string, why: string) => `"${name}" is not a file of events: ${why}`,
  hint: 'each line is one event in JSON, as grinpay relay export and strfry export write it; unpack a compressed file first',
})

export const moveRoomMissing = defineError('CONSOLE_MOVE_ROOM', {
  status: 503,
  text: (folder: string, needed: number, free: number) =>
    `the export may take ${megabytes(needed)}, and ${folder} has ${megabytes(free)} free`,
  hint: 'make room, or export fewer kinds or a shorter time',
})

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

export const moveUnwritable = defineError('CONSOLE_MOVE_UNWRITABLE', {
  status: 503,
  text: (path: string, why: string) => `cannot write ${path}: ${why}`,
  hint: 'make room, and check that the daemon may write in that folder',
})

export const moveUnreadable = defineError('CONSOLE_MOVE_UNREADABLE', {
  status: 503,
  text: (path: string, why: string) => `cannot read ${path}: ${why}`,
  hint: "check owner and permissions: the daemon's user reads it",
})

export const moveRelayFailed = defineError('CONSOLE_MOVE_RELAY', {
  status: 502,
  text: (why: string) => `the relay did not take the events: ${why}`,
  hint: 'check that it runs, and import the file again: what is stored is skipped. Into a stopped relay: grinpay relay import FILE',
})

export const moveFailed = defineError('CONSOLE_MOVE_FAILED', {
  status: 500,
  text: (why: string) => `it ended unexpectedly: ${why}`,
  hint: 'look into the log, then try again',
})

export const databaseAddressWrong = defineError('DATABASE_ADDRESS_WRONG', {
  status: 400,
  text: (problem: string) => `the address of the database ${problem}`,
  hint: 'postgresql://user@a:5432,b:5432,c:5432/grinpay?sslmode=verify-full',
})

export const databaseNotSet = defineError('DATABASE_URL_NOT_SET', {
  status: 400,
  text: (variable: string) => `${variable} is not set: the rows are in a file`,
  hint: 'set PAY_DATABASE_URL_FILE, NAMEAUTH_DATABASE_URL_FILE or RELAY_LOG_URL_FILE, or the same without _FILE and without a password',
})

export const relayCopyUnfit = defineError('RELAY_COPY_UNFIT', {
  status: 409,
  text: (path: string, why: string) => `${path} cannot follow the log: ${why}`,
  hint: 'copy relay.db again, from a front end that runs on this log: grinpay relay backup FILE',
})

export const relayHasEvents = defineError('RELAY_HAS_EVENTS', {
  status: 409,
  text: (path: string) => `${path} is there already`,
  hint: 'repeat it with --replace to overwrite it',
})

export const relayListsMissing = defineError('RELAY_LISTS_MISSING', {
  status: 404,
  text: (path: string) => `there is no ${path}: keys that the other front ends ban would be welcome here`,
  hint: 'copy relay-lists.json of that front end too, or say --no-lists when it has none',
})

export const notForSharedTill = defineError('NOT_FOR_SHARED_TILL', {
  status: 400,
  text: (command: string) => `"${command}" does not work on a till in PostgreSQL`,
  hint: 'use it on the file, before grinpay store move pay',
})

export const pgDumpMissing = defineError('PG_DUMP_MISSING', {
  status: 400,
  text: () => 'the rows are in PostgreSQL, and pg_dump is not installed here: they cannot be copied',
  hint: 'install the client programs of the server version (Debian: postgresql-client), or use --without-rows and back up at the database server',
})

export const backupRowsInFile = defineError('BACKUP_ROWS_IN_FILE', {
  status: 400,
  text: () => 'the rows of this daemon are in its file, which a backup cannot leave out',
  hint: 'use the command without --without-rows',
})

export const pgDumpFailed = defineError('PG_DUMP_FAILED', {
  status: 500,
  text: (why: string) => `pg_dump could not copy the rows: ${why}`,
  hint: 'pg_dump must not be older than the server; try the same with grinpay store check',
})
