// A program of its own, for tests of several processes on one names.db: opens the database, says so, waits for its input to end, then claims
// every name and uses every signed request of its list at once. Prints one JSON list of the answers per kind.
// Arguments: path of the database, how many of each.
import { createHash } from 'node:crypto'
import { shapeOf } from '../../src/authority/names/rules.js'
import { openNameStore } from '../../src/storage/index.js'

const NOON = Date.UTC(2026, 6, 1, 12)
const [path = '', count = '0'] = process.argv.slice(2)
const digest = (text: string) => createHash('sha256').update(text).digest('hex')

async function compete(): Promise<void> {
  const store = await openNameStore({ path, now: () => NOON })
  process.stdout.write('open\n')
  for await (const _ of process.stdin);
  const numbers = Array.from({ length: Number(count) }, (_, i) => i)
  const claims = await Promise.all(
    numbers.map((i) =>
      store.claimName({
        shape: shapeOf(`name-${i}x`),
        pubkey: digest(`${process.pid} ${i}`),
        now: NOON,
        cooldownMs: 0,
        paid: false,
      }),
    ),
  )
  const auths = await Promise.all(numbers.map((i) => store.recordAuth(digest(`auth ${i}`), NOON)))
  await store.close()
  process.stdout.write(`${JSON.stringify({ claims: claims.map(({ outcome }) => outcome), auths })}\n`)
}

await compete()
