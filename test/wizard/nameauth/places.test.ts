// Where the settings go (specification: names, 11): the named file, the machine's place when it can be written, else this folder.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { openEnvironment } from '../../../src/config/index.js'
import { candidatesIn, isWritable, targetOf, usualTarget } from '../../../src/wizard/nameauth/places.js'

const NOTHING = openEnvironment({ variables: {} })
const NAMED = openEnvironment({ variables: { NAMEAUTH_ENV_FILE: '/srv/names/my.env' } })
const MACHINE = '/etc/grinpay/nameauth.env'
const everywhere = () => true
const nowhere = () => false

test('root sets up the machine: settings, database, secrets and unit at their usual places', () => {
  expect(usualTarget(NOTHING, everywhere)).toMatchObject({
    machineWide: true,
    isService: true,
    places: {
      envFile: MACHINE,
      secretsDir: '/etc/grinpay/nameauth/secrets',
      dbPath: '/var/lib/grinpay-nameauth/names.db',
      unitFile: '/etc/systemd/system/grinpay-nameauth.service',
    },
  })
})

test('a user who cannot write there gets everything in this folder, and no unit', () => {
  const { places, machineWide, isService } = usualTarget(NOTHING, nowhere)
  expect({ machineWide, isService }).toEqual({ machineWide: false, isService: false })
  expect(places.envFile).toBe(resolve('.env'))
  expect(places.secretsDir).toBe(resolve('nameauth/secrets'))
  expect(places.dbPath).toBe(resolve('nameauth/data/names.db'))
})

test('a named file wins, with its secrets beside it', () => {
  const { places, isService } = usualTarget(NAMED, everywhere)
  expect(places).toMatchObject({ envFile: '/srv/names/my.env', secretsDir: '/srv/names/nameauth/secrets' })
  expect(isService).toBe(false)
})

test('the first of named, machine-wide and this folder counts', () => {
  expect(candidatesIn(NAMED)).toEqual(['/srv/names/my.env', MACHINE, resolve('.env')])
  expect(candidatesIn(NOTHING)).toEqual([MACHINE, resolve('.env')])
})

test('the conventional file is the machine, however it is written', () => {
  expect(targetOf('/etc/../etc/grinpay/nameauth.env').machineWide).toBe(true)
})

test('a folder that is missing can be made where its parent can be written', () => {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-places-'))
  expect(isWritable(join(folder, 'a', 'b'))).toBe(true)
  expect(isWritable('/proc/1/nameauth')).toBe(false)
  chmodSync(folder, 0o500)
  if (process.getuid?.() !== 0) expect(isWritable(join(folder, 'a'))).toBe(false)
  rmSync(folder, { recursive: true })
})
