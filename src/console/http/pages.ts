// Mounting a page: guard, request, content, frame.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ConsolePage, Download, PageContent } from '../area.js'
import { type ConsoleContext, pageRequest } from './context.js'
import { readFlash } from './flash.js'
import { guard, signedInOf } from './guard.js'
import { personFor } from './person.js'

export function mountPage(app: FastifyInstance, context: ConsoleContext, page: ConsolePage): void {
  app.get(page.path, { onRequest: guard(context, page.least) }, async (request, reply) => {
    const signedIn = signedInOf(request, context)
    const asked = pageRequest(request, reply, context, signedIn)
    const content = await page.render(asked)
    if (isDownload(content)) return sendDownload(reply, content)
    const flash = readFlash(asked.query, signedIn.cookie)
    return context.frame.send(reply, { content, page, flash, person: personFor(signedIn) })
  })
}

const isDownload = (content: PageContent | Download): content is Download => 'download' in content

const FILE_NAME = /^[\w][\w.-]{0,80}$/

function sendDownload(reply: FastifyReply, { download, type, content }: Download): FastifyReply {
  if (!FILE_NAME.test(download)) throw new RangeError(`not a plain file name: ${download}`)
  reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'").type(`${type}; charset=utf-8`)
  if (type !== 'application/manifest+json') reply.header('content-disposition', `attachment; filename="${download}"`)
  return reply.send(typeof content === 'string' ? Buffer.from(content) : Readable.from(content))
}
