// One name authority that runs through, for troubles other than kills.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findNameFaults } from './name-checker.js'
import { type Answer, type LivingAuthority, startAuthority } from './name-life.js'
import { type Asked, emptyNameLog, type NameLog } from './name-log.js'
import { asksOf, BASE, DOMAIN, newPerson } from './name-people.js'
import { throughSmallDisk } from './trouble.js'

const MAX_AGE_SECONDS = 60

export interface SingleAuthority {
  readonly authority: LivingAuthority
  readonly log: NameLog
  /** The database, as this process reaches it. */
  readonly path: string
  /** Claims of fresh keys, at once. */
  claim(...names: readonly string[]): Promise<readonly Claimed[]>
  /** The same requests once more. */
  repeat(claims: readonly Claimed[]): Promise<readonly Claimed[]>
  faults(): readonly string[]
  close(): Promise<void>
}

export interface Claimed {
  readonly asked: Asked
  readonly answer: Answer | undefined
}

/** `diskKiB`: its folder is a disk of this size, which only the process and its /proc entry know. */
export async function openSingle(diskKiB?: number): Promise<SingleAuthority> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-name-trouble-'))
  const log = emptyNameLog(MAX_AGE_SECONDS)
  const settings = {
    NAMEAUTH_DOMAIN: DOMAIN,
    NAMEAUTH_BASE_URL: BASE,
    NAMEAUTH_DATA_DIR: folder,
    NAMEAUTH_AUTH_MAX_AGE_SECS: String(MAX_AGE_SECONDS),
    NAMEAUTH_WRITE_RATE_MAX: '1000000',
  }
  const life = { cooldownMs: 0, isPaid: false }
  const authority = await startAuthority({ life, settings, through: throughSmallDisk(folder, diskKiB) })
  if (!(await authority.up)) throw new Error(`it does not start:\n${authority.output()}`)
  const inside = diskKiB === undefined ? folder : `/proc/${authority.child.pid}/root${folder}`
  const path = join(inside, 'names.db')
  const copies = mkdtempSync(join(tmpdir(), 'grinpay-name-copy-'))
  /** SQLite would follow the entry of /proc to our own root; and it remembers a file by its place. Nothing is written meanwhile. */
  function copied(from: string): string {
    const to = join(mkdtempSync(join(copies, 'at-')), 'names.db')
    for (const end of ['', '-wal']) copyFileSync(from + end, to + end)
    return to
  }
  const send = async (asked: Asked): Promise<Claimed> => ({ asked, answer: await authority.ask(asked) })
  return {
    authority,
    log,
    path,
    claim: (...names) => Promise.all(names.map((name) => send(asksOf(log).claim(newPerson(), name)))),
    repeat: (claims) => Promise.all(claims.map(({ asked }) => send(asked))),
    faults: () => findNameFaults(diskKiB === undefined ? path : copied(path), log, Date.now()),
    async close() {
      await authority.kill()
      for (const one of [folder, copies]) rmSync(one, { recursive: true, force: true })
    },
  }
}
