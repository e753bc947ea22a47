// What two independent programs say about an archive that npm would publish: publint about its manifest and files, attw
// ("are the types wrong") about its types as Node and bundlers resolve them.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)
const CHECK_MS = 120_000

/** Every package is for `import` only: `require` and the resolution of Node 10 do not count. */
const CHECKS = [
  { tool: 'publint', arguments: (archive) => ['run', archive, '--strict'] },
  { tool: 'attw', arguments: (archive) => [archive, '--profile', 'esm-only', '--format', 'ascii', '--no-color'] },
]

/**
 * Answers one text for each program that found a problem; none when the archive is in order.
 * @param {string} archive path of a .tgz file
 * @returns {Promise<readonly string[]>}
 */
export async function archiveProblems(archive) {
  const findings = await Promise.all(
    CHECKS.map(({ tool, arguments: argumentsFor }) =>
      run(join(root, 'node_modules', '.bin', tool), argumentsFor(archive), { cwd: root, timeout: CHECK_MS }).then(
        () => [],
        ({ stdout = '', stderr = '', message }) => [`${tool}:\n${stdout}${stderr || (stdout ? '' : message)}`],
      ),
    ),
  )
  return findings.flat()
}
