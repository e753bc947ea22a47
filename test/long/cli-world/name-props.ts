// Names, grants and offers of the sandbox's name authority.
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { nanoGrin } from '../../../src/grin/amount/index.js'
import { type OpenNameStore, openNameStore } from '../../../src/storage/index.js'
import { openSqlite } from '../../../src/storage/sqlite/sqlite.js'
import { ADA_NPUB, anOffer, BOB, BOB_NPUB } from '../../support/name-commands.js'
import { type NewNames, once, type Props } from './prop.js'
import type { CliWorld } from './world.js'

export function nameProps(world: CliWorld, names: NewNames): Props {
  const { home } = world
  const assign = async (name: string, key = randomBytes(32).toString('hex')): Promise<string> => {
    await world.answer('name', 'assign', name, key, '--replace', '--reason', 'held')
    return name
  }
  const isHeld = async (name: string): Promise<boolean> =>
    ['active', 'suspended'].includes(JSON.parse(await world.answer('name', 'show', name, '--json')).state)
  const holding = async (status: 'pending' | 'paid') => {
    const invoiceId = randomBytes(16).toString('hex')
    const [at, payUrl] = [1_790_000_000_000, 'https://pay.example/pay/x']
    const grant = { pubkey: BOB, resource: 'write', serial: names.number(), invoiceId, payUrl } as const
    const state = { amount: nanoGrin(2_000_000_000n), status, createdAt: at, paidAt: status === 'paid' ? at : null }
    await withNames(home, (store) => store.saveGrant({ ...grant, ...state }, null))
    return invoiceId
  }
  return {
    heldName: async () => assign(`held${names.number()}`),
    suspendedName: async () => {
      const name = await assign(`held${names.number()}`)
      await world.answer('name', 'suspend', name, '--reason', 'reported')
      return name
    },
    heldAlice: async () => ((await isHeld('alice')) ? 'alice' : assign('alice')),
    freeAlice: async () => {
      if (await isHeld('alice')) await world.answer('name', 'release', 'alice', '--yes', '--reason', 'made room')
      return 'alice'
    },
    suspendedAlice: async () => {
      if (!(await isHeld('alice'))) await assign('alice')
      await world.answer('name', 'suspend', 'alice', '--reason', 'reported')
      return 'alice'
    },
    acme: async () => {
      await world.answer('name', 'reserve', 'acme', '--reason', 'trade mark')
      return 'acme'
    },
    nameOfNpub: async () => assign('shopkeeper', BOB_NPUB),
    namelessNpub: async () => {
      await world.answer('name', 'release', await assign('shopkeeper', BOB_NPUB), '--yes', '--reason', 'made room')
      return BOB_NPUB
    },
    grant: () => holding('pending'),
    paidGrant: () => holding('paid'),
    offer: once(async () => {
      await assign('offered', ADA_NPUB)
      const offer = { ...anOffer('offered'), expiration: 4_000_000_000 }
      await withNames(home, (store) => store.createOffer(offer))
      return offer.id
    }),
    /** Everything that this authority knows, as another one would take it over. */
    namesFile: once(async () => {
      const file = names.file()
      writeFileSync(file, `${await world.answer('name', 'export', '--everything')}\n`)
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

async function withNames<T>(home: string, use: (store: OpenNameStore) => Promise<T>): Promise<T> {
  const store = await openNameStore({ path: join(home, 'sandbox/names.db'), now: () => 1_790_000_000_000 })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}
