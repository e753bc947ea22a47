// Serves the page and the library's bundle on this machine. Nothing else: the page speaks to the Grin node by itself.
//
//   node serve.mjs [--port 8460] [--bundle FOLDER]
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { dirname, extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { port: { type: 'string', default: '8460' }, bundle: { type: 'string' } } })
const PAGE = fileURLToPath(new URL('public', import.meta.url))
const BUNDLE = values.bundle ?? installedBundle()
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}
const HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy': "frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

function installedBundle() {
  try {
    return dirname(fileURLToPath(import.meta.resolve('@grinpay/grin/browser')))
  } catch {
    process.stderr.write('@grinpay/grin is not installed: see README.md\n')
    return process.exit(1)
  }
}

/** The file of a path, or undefined for one outside of the two folders. */
function fileOf(path) {
  const clean = normalize(decodeURIComponent(path))
  if (clean.split(/[\\/]/).includes('..')) return undefined
  return clean.startsWith('/grin/') ? join(BUNDLE, clean.slice('/grin/'.length)) : join(PAGE, clean)
}

const server = createServer(async (request, response) => {
  try {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const file = fileOf(pathname === '/' ? '/index.html' : pathname)
    const type = TYPES[extname(file ?? '')]
    if (request.method !== 'GET' || !file || !type) throw new Error('not found')
    const body = await readFile(file)
    response.writeHead(200, { ...HEADERS, 'content-type': type }).end(body)
  } catch {
    response.writeHead(404, HEADERS).end()
  }
})
server.listen(Number(values.port), '127.0.0.1', () => {
  process.stdout.write(`wallet page: http://127.0.0.1:${server.address().port}\n`)
})
