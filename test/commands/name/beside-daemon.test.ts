// Commands work on the database while the authority answers: what they change shows in its very next answer.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import NameAssign from '../../../src/commands/name/assign.js'
import NameEvict from '../../../src/commands/name/evict.js'
import NameRelease from '../../../src/commands/name/release.js'
import NameReserve from '../../../src/commands/name/reserve.js'
import NameShow from '../../../src/commands/name/show.js'
import NameSuspend from '../../../src/commands/name/suspend.js'
import NameUnreserve from '../../../src/commands/name/unreserve.js'
import { loadNameauthConfig, openEnvironment } from '../../../src/config/index.js'
import { type NameDaemon, openNameDaemon } from '../../../src/daemons/nameauth.js'
import { openLog } from '../../../src/system/index.js'
import { ADA, ADA_NPUB, BOB, type NamesForCommands, namesForCommands } from '../../support/name-commands.js'

const WHY = ['--reason', 'because'] as const

let at: NamesForCommands
let daemon: NameDaemon
beforeEach(async () => {
  at = await namesForCommands('NAMEAUTH_NAMES_BIND=127.0.0.1:0\n')
  const environment = openEnvironment({ envFile: at.envFile, variables: {} })
  daemon = await openNameDaemon(loadNameauthConfig(environment), {
    version: '0',
    log: await openLog({ write: () => undefined }),
  })
  await daemon.start()
})
afterEach(async () => {
  await daemon.stop()
  await at.close()
})

const answer = async (path: string): Promise<unknown> => (await fetch(`${daemon.address()}${path}`)).json()
const reasonOf = async (name: string) => {
  const { reason = 'available' } = (await answer(`/api/v1/name/${name}`)) as { reason?: string }
  return reason
}
const holderOf = async (name: string) => {
  const { names } = (await answer(`/.well-known/nostr.json?name=${name}`)) as { names: Record<string, string> }
  return names[name]
}

describe('while the authority runs', () => {
  test('a name that was kept back is reserved at once, with its look-alikes, until it is set free', async () => {
    expect(await reasonOf('harbour')).toBe('available')
    await at.run(NameReserve, 'harbour', ...WHY)
    expect([await reasonOf('harbour'), await reasonOf('h4rbour')]).toEqual(['reserved', 'reserved'])
    await at.run(NameUnreserve, 'harbour', ...WHY)
    expect(await reasonOf('harbour')).toBe('available')
  })

  test('a name that was assigned resolves at once; suspended it does not, and again when that is lifted', async () => {
    await at.run(NameAssign, 'support', ADA_NPUB, ...WHY)
    expect(await holderOf('support')).toBe(ADA)
    await at.run(NameSuspend, 'support', ...WHY)
    expect(await holderOf('support')).toBeUndefined()
    await at.run(NameSuspend, 'support', ...WHY, '--lift')
    expect(await holderOf('support')).toBe(ADA)
  })

  test('a name that was taken or released stops resolving and is free or reserved at once', async () => {
    await at.claim('alice', ADA)
    await at.claim('bob', BOB)
    expect(await holderOf('alice')).toBe(ADA)
    expect((await at.run(NameEvict, 'alice', ...WHY, '--yes', '--reserve')).exit).toBe(0)
    expect((await at.run(NameRelease, 'bob', ...WHY, '--yes')).exit).toBe(0)
    expect([await holderOf('alice'), await holderOf('bob')]).toEqual([undefined, undefined])
    expect([await reasonOf('alice'), await reasonOf('bob')]).toEqual(['reserved', 'available'])
  })

  test('what the command says of a name is what the authority says', async () => {
    await at.claim('alice', ADA)
    for (const name of ['alice', 'al1ce', 'admin', 'zoe']) {
      const { state } = JSON.parse((await at.run(NameShow, name, '--json')).stdout)
      const expectedReason = { active: 'taken', taken: 'taken', reserved: 'reserved', free: 'available' }
      expect(expectedReason[state as keyof typeof expectedReason]).toBe(await reasonOf(name))
    }
  })
})
