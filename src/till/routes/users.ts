// Users and their receiving keys, with the admin token.
import { ok, parseBody, parseQuery } from '../../http/index.js'
import { userNotFound } from '../errors.js'
import { failing, guarded, type TillRoute } from './parts.js'
import { endpubView, userRecordView } from './print.js'
import { createUserBody, limitOf, rotateIntervalBody, userListQuery } from './requests.js'
import {
  type EndpubView,
  endpubSchema,
  type RotateIntervalView,
  rotateIntervalSchema,
  type UserListView,
  userListSchema,
} from './schemas.js'

export const USER_ROUTES: readonly TillRoute[] = [
  {
    method: 'get',
    path: '/admin/users',
    id: 'listUsers',
    tag: 'users',
    summary: 'List users with what they were paid',
    auth: 'admin',
    query: userListQuery,
    responses: { ...ok('A page of users.', userListSchema), ...failing(400, 422, ...guarded) },
    handler:
      ({ till }) =>
      async ({ query }): Promise<UserListView> => {
        const { limit, cursor } = parseQuery(userListQuery, query)
        const page = await till.listUsers(limitOf(limit, 200), cursor)
        return { users: page.items.map(userRecordView), next_cursor: page.next }
      },
  },
  {
    method: 'post',
    path: '/admin/users',
    id: 'createUser',
    tag: 'users',
    summary: 'Create a user with a receiving key',
    auth: 'admin',
    body: { schema: createUserBody, required: false },
    responses: { ...ok('The receiving key.', endpubSchema), ...failing(400, 422, ...guarded, 409, 413, 415) },
    handler:
      ({ till }) =>
      async ({ body }): Promise<EndpubView> => {
        const { user_id, rotate_interval } = parseBody(createUserBody, body ?? {})
        return endpubView(await till.createUser(user_id ?? undefined, rotate_interval ?? null))
      },
  },
  {
    method: 'get',
    path: '/admin/users/{user_id}',
    id: 'readUser',
    tag: 'users',
    summary: 'The receiving key of a user',
    auth: 'admin',
    responses: { ...ok('The receiving key in force.', endpubSchema), ...failing(...guarded, 404) },
    handler:
      ({ till }) =>
      async ({ params }): Promise<EndpubView> => {
        const user = await till.findUser(params.user_id)
        if (!user) throw userNotFound()
        return endpubView(user)
      },
  },
  {
    method: 'post',
    path: '/admin/users/{user_id}/rotate',
    id: 'rotateUser',
    tag: 'users',
    summary: 'Give a user a new receiving key now',
    auth: 'admin',
    responses: { ...ok('The new receiving key.', endpubSchema), ...failing(422, ...guarded, 404, 409) },
    handler:
      ({ till }) =>
      async ({ params }): Promise<EndpubView> =>
        endpubView(await till.rotateUser(params.user_id)),
  },
  {
    method: 'post',
    path: '/admin/users/{user_id}/rotate-interval',
    id: 'setRotateInterval',
    tag: 'users',
    summary: 'How often a user gets a new receiving key',
    auth: 'admin',
    body: { schema: rotateIntervalBody },
    responses: { ...ok('Stored.', rotateIntervalSchema), ...failing(400, 422, ...guarded, 404, 413, 415) },
    handler:
      ({ till }) =>
      async ({ params, body }): Promise<RotateIntervalView> => {
        const { interval } = parseBody(rotateIntervalBody, body)
        await till.setRotateInterval(params.user_id, interval ?? null)
        return { user_id: params.user_id, updated: true }
      },
  },
]
