// A site on this machine for pages under test: folders, one page, and a path to which a page posts what it found.
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { lasting } from './local-server.js'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
}

/** What the documentation of the library asks of a page that has a policy; the nonce is for the import map. */
const NONCE = 'cGFnZQ'
const POLICY = `default-src 'self'; script-src 'self' 'nonce-${NONCE}' 'wasm-unsafe-eval'; worker-src 'self'`

export interface PageSite {
  readonly url: string
  /** What the next page posts to `/report`. Rejects after `ms`. */
  report(ms: number): Promise<unknown>
  close(): void
}

/** A page without a bundler that runs one module. Names of packages mean what the map says. */
export const modulePage = (script: string, imports: Readonly<Record<string, string>>): string => `<!doctype html>
<meta charset="utf-8">
<title>running</title>
<script type="importmap" nonce="${NONCE}">${JSON.stringify({ imports })}</script>
<script type="module" src="${script}"></script>
`

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}

/** Serves `page` as `/`, and below every name of `folders` that folder. */
export async function servePages(page: string, folders: Readonly<Record<string, string>>): Promise<PageSite> {
  const waiting: ((report: unknown) => void)[] = []
  const reply = (response: ServerResponse, body: string | Buffer, type: string): void => {
    response.setHeader('content-type', type).setHeader('content-security-policy', POLICY).end(body)
  }
  const { url, close } = await lasting(async (request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://page').pathname)
    if (path === '/report') {
      const report: unknown = JSON.parse(await textOf(request))
      for (const resolve of waiting.splice(0)) resolve(report)
      return reply(response, '', 'text/plain')
    }
    if (path === '/') return reply(response, page, 'text/html')
    const [, name = '', ...rest] = path.split('/')
    const file = await readFile(join(folders[name] ?? '', ...rest)).catch(() => undefined)
    if (file === undefined || folders[name] === undefined) return void response.writeHead(404).end()
    reply(response, file, TYPES[extname(path)] ?? 'application/octet-stream')
  })
  return {
    url,
    close,
    report: (ms) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`no report within ${ms} ms`)), ms)
        waiting.push((report) => {
          clearTimeout(late)
          resolve(report)
        })
      }),
  }
}
