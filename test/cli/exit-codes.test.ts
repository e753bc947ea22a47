// A daemon that cannot start until an operator changes something: its exit code keeps systemd from a restart.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { exitCodeOf } from '../../src/cli/exit-codes.js'
import { databaseLost } from '../../src/daemons/errors.js'
import { databaseForeign, databaseNewer, databaseOtherChain, databaseOtherSeed } from '../../src/storage/errors.js'
import { walletMissing } from '../../src/system/errors.js'

const unit = readFileSync('templates/systemd/grinpay.service.eta', 'utf8')
const [, list = ''] = /^RestartPreventExitStatus=(.+)$/m.exec(unit) ?? []

test.each([
  databaseLost('/pay.db', '/seed'),
  walletMissing('/wallet'),
  databaseForeign('/pay.db', 'till', 'it is no database at all'),
  databaseNewer('/pay.db', 9, 6),
  databaseOtherChain('/pay.db', 'testnet', 'mainnet'),
  databaseOtherSeed('/pay.db', 'a', 'b'),
])('$code is not repeated by systemd', (error) => {
  expect(list.split(' ')).toContain(String(exitCodeOf(error)))
})
