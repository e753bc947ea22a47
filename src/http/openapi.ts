// An OpenAPI 3.1 document from the same zod schemas that check requests.

import type {
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteGenericInterface,
  RouteHandlerMethod,
} from 'fastify'
import type { z } from 'zod'
import type { Hook } from './rate-limit.js'

/** One answer of an operation. */
interface OperationResponse {
  readonly description: string
  readonly schema?: z.ZodType
  /** Default `application/json`. */
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Operation {
  readonly method: 'get' | 'post' | 'delete'
  /** With `{name}` for parameters. */
  readonly path: string
  readonly id: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** Which of the security schemes it needs. */
  readonly auth?: string
  readonly query?: z.ZodObject
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: { readonly schema: z.ZodType; readonly contentType?: string; readonly required?: boolean }
  readonly responses: Responses
}

/** An event that the API sends. */
export interface WebhookDescription {
  readonly id: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly schema: z.ZodType
}

export type Responses = Readonly<Record<number, OperationResponse>>

/** The success response, with its schema. */
export const ok = (description: string, schema: z.ZodType): Responses => ({ 200: { description, schema } })

/** Makes the error responses of one API: `errors` explains the statuses, `headers` names those that come with one. */
export const errorResponses =
  <Status extends number>(
    errors: Readonly<Record<Status, string>>,
    schema: z.ZodType,
    headers: Readonly<Partial<Record<Status, OperationResponse['headers']>>>,
  ) =>
  (...statuses: readonly Status[]): Responses =>
    Object.fromEntries(
      statuses.map((status) => [
        status,
        { description: errors[status], schema, ...(headers[status] && { headers: headers[status] }) },
      ]),
    )

type JsonSchema = Record<string, unknown>

export interface ApiDescription {
  readonly title: string
  readonly version: string
  readonly description: string
  readonly tags: Readonly<Record<string, string>>
  /** What each path parameter means. */
  readonly parameters: Readonly<Record<string, string>>
  readonly operations: readonly Operation[]
  /** What the API sends by itself, by event type, and the headers that every one of them has. */
  readonly webhooks?: Readonly<Record<string, WebhookDescription>>
  readonly webhookHeaders?: Readonly<Record<string, string>>
  /** Of every answer; what each header means. */
  readonly responseHeaders?: Readonly<Record<string, string>>
  readonly servers: readonly JsonSchema[]
  /** How a caller proves who it is, by the names that operations use. */
  readonly securitySchemes: Readonly<Record<string, JsonSchema>>
}

/** The document; schemas with an id (`.meta({ id })`) become components. */
export function openapiDocument(api: ApiDescription): JsonSchema {
  const schemas: Record<string, JsonSchema> = {}
  const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => hoist(schema, io, schemas)
  const paths: Record<string, Record<string, JsonSchema>> = {}
  const { responseHeaders = {} } = api
  for (const operation of api.operations) {
    paths[operation.path] ??= {}
    Object.assign(paths[operation.path] ?? {}, { [operation.method]: describe(operation, api, schemaOf) })
  }
  return {
    openapi: '3.1.0',
    info: {
      title: api.title,
      version: api.version,
      description: api.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: api.servers,
    tags: Object.entries(api.tags).map(([name, description]) => ({ name, description })),
    paths,
    ...(api.webhooks && { webhooks: sentBy(api.webhooks, api.webhookHeaders ?? {}, schemaOf) }),
    components: {
      securitySchemes: api.securitySchemes,
      ...(Object.keys(responseHeaders).length > 0 && { headers: headersOf(responseHeaders) }),
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
}

/** Requests that the API makes itself. */
const sentBy = (
  webhooks: Readonly<Record<string, WebhookDescription>>,
  headers: Readonly<Record<string, string>>,
  schemaOf: SchemaOf,
): JsonSchema =>
  Object.fromEntries(
    Object.entries(webhooks).map(([type, { id, tag, summary, description, schema }]) => [
      type,
      {
        post: {
          operationId: id,
          tags: [tag],
          summary,
          description,
          security: [],
          parameters: headerParameters(headers),
          requestBody: { required: true, content: { 'application/json': { schema: schemaOf(schema, 'output') } } },
          responses: {
            '2XX': { description: 'It was taken, and is not sent again.' },
            default: { description: 'It was not taken: it is sent again later.' },
          },
        },
      },
    ]),
  )

const headerParameters = (headers: Readonly<Record<string, string>>): readonly JsonSchema[] =>
  Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  }))

type SchemaOf = (schema: z.ZodType, io: 'input' | 'output') => JsonSchema

function describe(operation: Operation, api: ApiDescription, schemaOf: SchemaOf): JsonSchema {
  const { body, query } = operation
  const parameters = [
    ...pathParameters(operation.path, api.parameters),
    ...(query ? queryParameters(query, schemaOf) : []),
    ...headerParameters(operation.headers ?? {}),
  ]
  const shared = Object.fromEntries(
    Object.keys(api.responseHeaders ?? {}).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  )
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description !== undefined && { description: operation.description }),
    security: operation.auth ? [{ [operation.auth]: [] }] : [],
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: body.required ?? true,
        content: { [body.contentType ?? 'application/json']: { schema: schemaOf(body.schema, 'input') } },
      },
    }),
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([status, response]) => [
        status,
        describeResponse(response, shared, schemaOf),
      ]),
    ),
  }
}

const headersOf = (headers: Readonly<Record<string, string>>): JsonSchema =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  )

function describeResponse(
  { description, schema, contentType, headers: own = {} }: OperationResponse,
  shared: JsonSchema,
  schemaOf: SchemaOf,
): JsonSchema {
  const headers = { ...headersOf(own), ...shared }
  return {
    description,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(schema && { content: { [contentType ?? 'application/json']: { schema: schemaOf(schema, 'output') } } }),
  }
}

const pathParameters = (path: string, known: ApiDescription['parameters']) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: known[name] ?? name,
    schema: { type: 'string' },
  }))

const queryParameters = (query: z.ZodObject, schemaOf: SchemaOf) =>
  Object.entries(query.shape).map(([name, schema]) => {
    const { description, ...rest } = schemaOf(schema as z.ZodType, 'input')
    return { name, in: 'query', required: false, ...(description !== undefined && { description }), schema: rest }
  })

/** JSON Schema of one zod schema, with its named parts moved to the components. */
function hoist(schema: z.ZodType, io: 'input' | 'output', into: Record<string, JsonSchema>): JsonSchema {
  const override = io === 'input' ? closeBodies : stayOpen
  const { $schema: _dialect, $defs, ...own } = schema.toJSONSchema({ io, unrepresentable: 'any', override })
  for (const [name, part] of Object.entries($defs ?? {})) into[name] = relink(part)
  return relink(own)
}

/** Answers may gain members later: a reader must not refuse them. */
function stayOpen({ jsonSchema }: { jsonSchema: { additionalProperties?: unknown } }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
}

/** A body of a plain object is refused when it holds another member (`createUnknownCheck`); a loose object says so itself. */
function closeBodies({ jsonSchema }: { jsonSchema: { type?: unknown; additionalProperties?: unknown } }): void {
  if (jsonSchema.type === 'object') jsonSchema.additionalProperties ??= false
}

const relink = (part: object): JsonSchema =>
  JSON.parse(JSON.stringify(part).replaceAll('#/$defs/', '#/components/schemas/'))

// A route and its description in one declaration: the server mounts it, the OpenAPI document prints it.
type Handler<Request extends RouteGenericInterface> = RouteHandlerMethod<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  Request
>

export interface ApiRoute<Parts, Request extends RouteGenericInterface> extends Operation {
  /** Runs once, when the route is mounted; the result answers the requests. */
  readonly handler: (parts: Parts, app: FastifyInstance) => Handler<Request>
}

/** Mounts a route on a plugin whose prefix its path begins with. `onRequest` runs before the body is read. */
export function mountRoute<Parts, Request extends RouteGenericInterface>(
  app: FastifyInstance,
  route: Pick<ApiRoute<Parts, Request>, 'method' | 'path' | 'handler'>,
  parts: Parts,
  onRequest: Hook[],
): void {
  const url = routerPath(route.path).slice(app.prefix.length)
  app.route<Request>({ method: route.method, url, onRequest, handler: route.handler(parts, app) })
}

/** `/invoice/{invoice_id}` as the router writes it. */
export const routerPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')
