// Users and their receiving keys.
import type { Operation } from '../../../http/index.js'
import * as requests from '../requests.js'
import * as schemas from '../schemas.js'
import { body, failing, guarded, ok } from './parts.js'

export const USERS: readonly Operation[] = [
  {
    method: 'get',
    path: '/admin/users',
    id: 'listUsers',
    tag: 'users',
    summary: 'List users with what they were paid',
    auth: 'admin',
    query: requests.userListQuery,
    answers: {
      ...ok('A page of users.', schemas.listOf('users', schemas.userRecordSchema)),
      ...failing(400, ...guarded),
    },
  },
  {
    method: 'post',
    path: '/admin/users',
    id: 'createUser',
    tag: 'users',
    summary: 'Create a user with a receiving key',
    auth: 'admin',
    body: body(requests.createUserBody, false),
    answers: { ...ok('The receiving key.', schemas.endpubSchema), ...failing(400, ...guarded, 409, 413, 415) },
  },
  {
    method: 'get',
    path: '/admin/users/{user_id}',
    id: 'readUser',
    tag: 'users',
    summary: 'The receiving key of a user',
    auth: 'admin',
    answers: { ...ok('The receiving key in force.', schemas.endpubSchema), ...failing(...guarded, 404) },
  },
  {
    method: 'post',
    path: '/admin/users/{user_id}/rotate',
    id: 'rotateUser',
    tag: 'users',
    summary: 'Give a user a new receiving key now',
    auth: 'admin',
    answers: { ...ok('The new receiving key.', schemas.endpubSchema), ...failing(...guarded, 404, 409) },
  },
  {
    method: 'post',
    path: '/admin/users/{user_id}/rotate-interval',
    id: 'setRotateInterval',
    tag: 'users',
    summary: 'How often a user gets a new receiving key',
    auth: 'admin',
    body: body(requests.rotateIntervalBody),
    answers: { ...ok('Stored.', schemas.rotateIntervalSchema), ...failing(400, ...guarded, 404, 413, 415) },
  },
]
