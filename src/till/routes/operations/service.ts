// Health, documents and files.
import { z } from 'zod'
import type { Operation } from '../../../http/index.js'
import * as schemas from '../schemas.js'
import { failing, html, ok } from './parts.js'

export const SERVICE: readonly Operation[] = [
  {
    method: 'get',
    path: '/health',
    id: 'health',
    tag: 'service',
    summary: 'Whether the process answers',
    query: z.object({
      deep: z
        .enum(['1'])
        .optional()
        .describe('`1`: with the checks of `/ready` and their details; needs the admin token.'),
    }),
    answers: { ...ok('It does.', schemas.healthSchema), ...failing(401, 503) },
  },
  {
    method: 'get',
    path: '/health/client',
    id: 'client',
    tag: 'service',
    summary: 'Who asks, as the till sees it',
    answers: { ...ok('For `grinpay doctor`, which looks through the proxy.', schemas.clientSchema), ...failing(429) },
  },
  {
    method: 'get',
    path: '/ready',
    id: 'ready',
    tag: 'service',
    summary: 'Whether the till can take payments',
    answers: {
      ...ok('It can.', schemas.readySchema),
      ...failing(429),
      503: { description: 'It cannot; `error` names the failed checks.', schema: schemas.readySchema },
    },
  },
  {
    method: 'get',
    path: '/openapi.json',
    id: 'openapi',
    tag: 'service',
    summary: 'This document',
    answers: { ...ok('OpenAPI 3.1.', z.looseObject({ openapi: z.string() })), ...failing(429) },
  },
  {
    method: 'get',
    path: '/static/{name}',
    id: 'asset',
    tag: 'service',
    summary: 'Style sheet and mark of the pages',
    answers: { 200: { description: 'The file.', schema: z.string(), contentType: 'text/css' }, ...failing(404) },
  },
  {
    method: 'get',
    path: '/',
    id: 'landing',
    tag: 'service',
    summary: 'A plain page that says what this is',
    answers: { 200: html, ...failing(429) },
  },
]
