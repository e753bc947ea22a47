// What commands are tried on: invoices, payments, names, offers, files. Made when they are asked for, by the names that cases use.
import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generateIdentity, identityToRecipient } from 'age-encryption'
import { httpTransport } from '../../../src/client/index.js'
import { nanoGrin } from '../../../src/grin/amount/index.js'
import { type OpenNameStore, openNameStore } from '../../../src/storage/index.js'
import { openSqlite } from '../../../src/storage/sqlite.js'
import { ancestorTill, OLD_NSEC_HEX, OLD_WORDS } from '../ancestor-till.js'
import { ADA_NPUB, anOffer, BOB, BOB_NPUB } from '../name-commands.js'
import { vectors } from '../vectors.js'
import type { CliWorld } from './world.js'

export type Props = Readonly<Record<string, () => Promise<string>>>

export function createProps(world: CliWorld): Props {
  const { sandbox, home } = world
  const { relay = '', invoice = '', slate = '' } = sandbox
  const once = (make: () => Promise<string>): (() => Promise<string>) => {
    let made: Promise<string> | undefined
    return () => (made ??= make())
  }
  // Not fetch: its connections do not outlive the commands that block this process meanwhile.
  const send = httpTransport(10_000)
  const ask = async (path: string, body?: object) => {
    const token = sandbox[path.startsWith('/admin') ? 'admin token' : 'API token']
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const sent = body ? { method: 'POST' as const, body: JSON.stringify(body) } : { method: 'GET' as const }
    return JSON.parse((await send({ ...sent, headers, url: `${sandbox.till}${path}` })).text)
  }
  const openInvoice = async (amount = 100_000_000 + randomBytes(3).readUIntBE(0, 3)): Promise<string> =>
    (await ask('/invoice', { amount_grin: amount, memo: 'two coffees', order_ref: 'order-1001' })).invoice_id
  let count = 0
  const newFile = (): string => join(home, `new-${++count}`)
  let unmatched = { id: '', amount: 0 }
  return {
    relay: async () => relay,
    nodePort: async () => world.nodePort,
    npub: async () => BOB_NPUB,
    newFile: async () => newFile(),
    ...tillProps(),
    ...nameProps(),
    ...fileProps(),
  }

  function tillProps(): Props {
    return {
      paidInvoice: async () => invoice,
      payment: async () => slate,
      openInvoice: () => openInvoice(),
      openPage: async () => (await ask(`/invoice/${await openInvoice()}`)).pay_url,
      /** Of the relay; any id will do. */
      relayEvent: async () => randomBytes(32).toString('hex'),
      event: once(async () => (await ask('/admin/webhooks?state=delivered&limit=1')).deliveries[0].event_id),
      unmatched: async () => {
        const target = await openInvoice()
        const { slate_id: id } = JSON.parse(
          world.answer('sandbox', 'pay', target, '--node-port', world.nodePort, '--json'),
        )
        const db = openSqlite(join(home, 'sandbox/pay.db'), 'durable')
        unmatched = { id, amount: Number(db.get('SELECT amount FROM payment WHERE id = ?', [id])?.[0]) }
        // No customer of the sandbox pays what nobody asked for.
        db.run('UPDATE payment SET invoice_id = NULL WHERE id = ?', [id])
        db.close()
        return id
      },
      /** Open, of the amount of the payment above. */
      itsInvoice: () => openInvoice(unmatched.amount),
    }
  }

  function nameProps(): Props {
    const assign = (name: string, key = randomBytes(32).toString('hex')): string => {
      world.answer('name', 'assign', name, key, '--replace', '--reason', 'held')
      return name
    }
    const isHeld = (name: string): boolean =>
      ['active', 'suspended'].includes(JSON.parse(world.answer('name', 'show', name, '--json')).state)
    const holding = async (status: 'pending' | 'paid') => {
      const invoiceId = randomBytes(16).toString('hex')
      const [at, payUrl] = [1_790_000_000_000, 'https://pay.example/pay/x']
      const grant = { pubkey: BOB, resource: 'write', serial: ++count, invoiceId, payUrl } as const
      const state = { amount: nanoGrin(2_000_000_000n), status, createdAt: at, paidAt: status === 'paid' ? at : null }
      await withNames(home, (store) => store.saveGrant({ ...grant, ...state }, null))
      return invoiceId
    }
    return {
      heldName: async () => assign(`held${++count}`),
      suspendedName: async () => {
        const name = assign(`held${++count}`)
        world.answer('name', 'suspend', name, '--reason', 'reported')
        return name
      },
      heldAlice: async () => (isHeld('alice') ? 'alice' : assign('alice')),
      freeAlice: async () => {
        if (isHeld('alice')) world.answer('name', 'release', 'alice', '--yes', '--reason', 'made room')
        return 'alice'
      },
      suspendedAlice: async () => {
        if (!isHeld('alice')) assign('alice')
        world.answer('name', 'suspend', 'alice', '--reason', 'reported')
        return 'alice'
      },
      acme: async () => {
        world.answer('name', 'reserve', 'acme', '--reason', 'trade mark')
        return 'acme'
      },
      nameOfNpub: async () => assign('shopkeeper', BOB_NPUB),
      grant: () => holding('pending'),
      paidGrant: () => holding('paid'),
      offer: once(async () => {
        assign('offered', ADA_NPUB)
        const offer = { ...anOffer('offered'), expiration: 4_000_000_000 }
        await withNames(home, (store) => store.lodgeOffer(offer))
        return offer.id
      }),
      /** Everything that this authority knows, as another one would take it over. */
      namesFile: once(async () => {
        const file = newFile()
        writeFileSync(file, `${world.answer('name', 'export', '--everything')}\n`)
        return file
      }),
      /** The same as databases. */
      namesDatabases: once(async () => {
        const db = openSqlite(join(home, 'sandbox/names.db'), 'durable')
        for (const file of [join(home, 'names-copy.db'), world.place('var/lib/floonet-authority/names.db')]) {
          mkdirSync(dirname(file), { recursive: true })
          db.run('VACUUM INTO ?', [file])
        }
        db.close()
        return ''
      }),
    }
  }

  function fileProps(): Props {
    const sealed = (daemon: string) =>
      once(async () => {
        const identity = await generateIdentity()
        writeFileSync(join(home, 'backup.key'), `${identity}\n`, { mode: 0o600 })
        const recipient = await identityToRecipient(identity)
        return world.answer('backup', 'create', '--daemon', daemon, '--out', 'sealed', '--encrypt-to', recipient)
      })
    return {
      recipient: async () => identityToRecipient(await generateIdentity()),
      archive: once(async () => world.answer('backup', 'create', '--out', 'archives')),
      archives: async () => join(home, 'archives'),
      sealedTill: sealed('pay'),
      sealedRelay: sealed('relay'),
      events: once(async () => {
        rmSync(join(home, 'events.jsonl'), { force: true })
        world.answer('relay', 'export', '--output', 'events.jsonl')
        cpSync(join(home, 'events.jsonl'), join(home, 'backup.jsonl'))
        return join(home, 'events.jsonl')
      }),
      mixedEvents: async () => {
        const file = newFile()
        writeFileSync(file, '{"kind":1}\n')
        return file
      },
      /** The database of the program before this one. */
      oldTill: once(async () => {
        for (const file of ['var/lib/goblinpay/goblinpay.db', '../goblinpay-copy.db']) {
          mkdirSync(dirname(world.place(file)), { recursive: true })
          ancestorTill(world.place(file))
        }
        return world.place('var/lib/goblinpay/goblinpay.db')
      }),
      /** The same, and the settings of a till that has its wallet and its key. */
      movedTill: async () => {
        const folder = newFile()
        const lines = [
          ...[`PAY_DB_PATH=${folder}/pay.db`, `PAY_DATA_DIR=${folder}`, 'PAY_PUBLIC_URL=https://pay.myshop.example'],
          ...[`PAY_WALLET_PASSWORD_FILE=${home}/pw`, `PAY_NSEC_FILE=${folder}/nsec`],
          ...['PAY_RELAY_MODE=external', 'PAY_RELAYS=wss://relay.example'],
        ]
        const files = { 'pay.env': lines.join('\n'), nsec: OLD_NSEC_HEX, words: OLD_WORDS }
        mkdirSync(folder, { mode: 0o700 })
        for (const [name, text] of Object.entries(files))
          writeFileSync(join(folder, name), `${text}\n`, { mode: 0o600 })
        const settings = ['--env-file', join(folder, 'pay.env')]
        world.answer(
          'wallet',
          'restore',
          '--mnemonic-file',
          join(folder, 'words'),
          '--password-file',
          'pw',
          ...settings,
        )
        ancestorTill(join(folder, 'old.db'))
        return [join(folder, 'old.db'), ...settings].join(' ')
      },
      /** The words of a till that has settings, and no wallet any more. */
      wordsOfLost: async () => {
        renameSync(join(home, '.grinpay/data/wallet'), newFile())
        return join(home, 'words.txt')
      },
      /** The same till after it lost everything, and a seed file of grin-wallet. */
      seedOfLost: async () => {
        renameSync(join(home, '.grinpay/data'), newFile())
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
        world.grinpay(['till', 'remove', 'test'])
        return ''
      },
      tillTest: async () =>
        world.answer('till', 'add', 'test', '--url', 'http://127.0.0.1:1', '--token-file', 'api_token', '--replace'),
    }
  }
}

async function withNames<T>(home: string, use: (store: OpenNameStore) => Promise<T>): Promise<T> {
  const store = await openNameStore({ path: join(home, 'sandbox/names.db'), now: () => 1_790_000_000_000 })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

/** A line with its `{props}` filled in, as words. A text in single quotes is one word. */
export async function wordsOf(line: string, props: Props): Promise<string[]> {
  let text = line
  for (const [mark, name = ''] of line.matchAll(/\{([a-zA-Z]+)\}/g)) {
    const prop = props[name]
    if (!prop) throw new Error(`no ${mark} in ${line}`)
    text = text.replace(mark, await prop())
  }
  return [...text.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}
