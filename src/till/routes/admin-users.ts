// Users and their receiving keys, with the admin token.
import type { FastifyPluginAsync } from 'fastify'
import { type Json, parseBody, parseQuery, requireBearer } from '../../http/index.js'
import { userNotFound } from '../errors.js'
import type { RouteParts } from './parts.js'
import { endpubView, userRecordView } from './print.js'
import { createUserBody, limitOf, rotateIntervalBody, userListQuery } from './requests.js'
import type { EndpubView, UserListView } from './views.js'

type WithId = { Params: { id: string } }

export const adminUserRoutes: FastifyPluginAsync<RouteParts> = async (app, { till, adminTokens }) => {
  const onRequest = [app.limits.api, requireBearer('admin', adminTokens)]

  app.get('/admin/users', { onRequest }, async ({ query }): Promise<UserListView> => {
    const { limit, cursor } = parseQuery(userListQuery, query)
    const page = await till.listUsers(limitOf(limit, 200), cursor)
    return { users: page.items.map(userRecordView), next_cursor: page.next }
  })

  app.post<{ Body: Json }>('/admin/users', { onRequest }, async ({ body }): Promise<EndpubView> => {
    const { user_id, rotate_interval } = parseBody(createUserBody, body ?? {})
    return endpubView(await till.createUser(user_id ?? undefined, rotate_interval ?? null))
  })

  app.get<WithId>('/admin/users/:id', { onRequest }, async ({ params }): Promise<EndpubView> => {
    const user = await till.findUser(params.id)
    if (!user) throw userNotFound()
    return endpubView(user)
  })

  app.post<WithId>('/admin/users/:id/rotate', { onRequest }, async ({ params }): Promise<EndpubView> => {
    return endpubView(await till.rotateUser(params.id))
  })

  app.post<WithId & { Body: Json }>('/admin/users/:id/rotate-interval', { onRequest }, async ({ params, body }) => {
    const { interval } = parseBody(rotateIntervalBody, body)
    await till.setRotateInterval(params.id, interval ?? null)
    return { user_id: params.id, updated: true }
  })
}
