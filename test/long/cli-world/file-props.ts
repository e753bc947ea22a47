// Archives, exports, wallets and settings that commands read.
import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generateIdentity, identityToRecipient } from 'age-encryption'
import { OLD_NSEC_HEX, OLD_WORDS, writeLegacyTill } from '../../support/legacy-till.js'
import { vectors } from '../../support/vectors.js'
import { type NewNames, once, type Props } from './prop.js'
import type { CliWorld } from './world.js'

export function fileProps(world: CliWorld, names: NewNames): Props {
  const { home } = world
  const sealed = (daemon: string) =>
    once(async () => {
      const identity = await generateIdentity()
      writeFileSync(join(home, 'backup.key'), `${identity}\n`, { mode: 0o600 })
      const recipient = await identityToRecipient(identity)
      return await world.answer('backup', 'create', '--daemon', daemon, '--out', 'sealed', '--encrypt-to', recipient)
    })
  return {
    recipient: async () => identityToRecipient(await generateIdentity()),
    archive: once(async () => world.answer('backup', 'create', '--out', 'one-archive')),
    archives: async () => join(home, 'archives'),
    sealedTill: sealed('pay'),
    sealedRelay: sealed('relay'),
    events: once(async () => {
      rmSync(join(home, 'events.jsonl'), { force: true })
      await world.answer('relay', 'export', '--output', 'events.jsonl')
      cpSync(join(home, 'events.jsonl'), join(home, 'backup.jsonl'))
      return join(home, 'events.jsonl')
    }),
    mixedEvents: async () => {
      const file = names.file()
      writeFileSync(file, '{"kind":1}\n')
      return file
    },
    /** The database of the program before this one. */
    oldTill: once(async () => {
      for (const file of ['var/lib/goblinpay/goblinpay.db', '../goblinpay-copy.db']) {
        mkdirSync(dirname(world.place(file)), { recursive: true })
        writeLegacyTill(world.place(file))
      }
      return world.place('var/lib/goblinpay/goblinpay.db')
    }),
    /** The same, and the settings of a till that has its wallet and its key. */
    movedTill: async () => {
      const folder = names.file()
      const lines = [
        ...[`PAY_DB_PATH=${folder}/pay.db`, `PAY_DATA_DIR=${folder}`, 'PAY_PUBLIC_URL=https://pay.myshop.example'],
        ...[`PAY_WALLET_PASSWORD_FILE=${home}/pw`, `PAY_NSEC_FILE=${folder}/nsec`],
        ...['PAY_RELAY_MODE=external', 'PAY_RELAYS=wss://relay.example'],
      ]
      const files = { 'pay.env': lines.join('\n'), nsec: OLD_NSEC_HEX, words: OLD_WORDS }
      mkdirSync(folder, { mode: 0o700 })
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), `${text}\n`, { mode: 0o600 })
      const settings = ['--settings', join(folder, 'pay.env')]
      await world.answer(
        'wallet',
        'restore',
        '--mnemonic-file',
        join(folder, 'words'),
        '--password-file',
        'pw',
        ...settings,
      )
      writeLegacyTill(join(folder, 'old.db'))
      return [join(folder, 'old.db'), ...settings].join(' ')
    },
    /** The words of a till that has settings, and no wallet any more. */
    wordsOfLost: async () => {
      renameSync(join(home, '.grinpay/data/wallet'), names.file())
      return join(home, 'words.txt')
    },
    /** The same till after it lost everything, and a seed file of grin-wallet. */
    seedOfLost: async () => {
      renameSync(join(home, '.grinpay/data'), names.file())
      const [seed] = vectors('wallet/seedfile.json').files
      mkdirSync(join(home, 'wallet_data'), { recursive: true })
      writeFileSync(join(home, 'wallet_data/wallet.seed'), JSON.stringify(seed.wallet_seed))
      writeFileSync(join(home, 'old-pw'), seed.password, { mode: 0o600 })
      return ''
    },
    noWebhookSecret: async () => {
      rmSync(join(home, 'webhook_secret'), { force: true })
      return ''
    },
    noTillTest: async () => {
      await world.grinpay(['till', 'remove', 'test'])
      return ''
    },
    tillTest: async () =>
      world.answer('till', 'add', 'test', '--url', 'http://127.0.0.1:1', '--token-file', 'api_token', '--replace'),
  }
}
