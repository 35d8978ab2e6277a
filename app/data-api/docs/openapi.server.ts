import Fastify, { type RouteOptions } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { env } from '#app/platform/env.server.ts'
import { PROBLEM_TYPE, problem } from '#app/platform/errors/problem.ts'
import { noCompilers } from '#app/platform/http/http.server.ts'
import { ACCESS_COOKIE } from '#app/platform/http/session-cookie.server.ts'
import { identity } from '#app/content/identity.ts'
import { groupOf, groups, type OpenApi, type Operation, operationIdOf, type Parameter, securityOf } from './operation.ts'

export type Endpoint = Pick<RouteOptions, 'method' | 'url' | 'schema' | 'config'>

/**
 * Describes all endpoints from their validation schemas. They are registered on a second server that never listens, for the OpenAPI
 * package. So only requests for the description pay for it, not the start.
 */
export async function describe(endpoints: readonly Endpoint[]): Promise<OpenApi> {
  const { default: swagger } = await import('@fastify/swagger')
  const app = Fastify({ exposeHeadRoutes: false, schemaController: { compilersFactory: noCompilers } })
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => () => '')
  await app.register(swagger, { openapi: { openapi: '3.1.0', ...frame() }, transform: jsonSchemaTransform, convertConstToEnum: false })
  for (const { method, url, schema } of endpoints)
    app.route({ method, url: withoutStar(url), ...(schema && { schema }), handler: () => null })
  await app.ready()
  const described: OpenApi = JSON.parse(JSON.stringify(app.swagger()), plainSchema)
  await app.close()
  const paths = pathsOf(described, new Map(endpoints.flatMap((endpoint) => keysOf(endpoint).map((key) => [key, endpoint]))))
  return { ...described, paths, components: componentsOf(paths) }
}

function frame() {
  return {
    info: {
      title: `${identity.name} API`,
      version: '1',
      description: 'Datasets with an API key, and all functions of the product. Errors are problem details (RFC 9457).',
      license: { name: 'By agreement', url: `${env.SITE_URL}/terms-of-service` },
      contact: { name: identity.name, email: identity.email },
    },
    servers: [{ url: env.SITE_URL }],
    tags: Object.entries(groups).map(([name, description]) => ({ name, description })),
  }
}

/** OpenAPI has no wildcard, so it becomes a named parameter. */
function withoutStar(url: string): string {
  return url.replace(/\*$/, ':path')
}

/** Rewrites a schema for tools in other languages. A value has to fit one of the schemas, not exactly one. */
function plainSchema(key: string, value: unknown): unknown {
  if (key === 'pattern' && typeof value === 'string') return plainPattern(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const { oneOf, pattern, ...others } = { oneOf: undefined, pattern: undefined, ...value }
  const isNumber = 'type' in others && others.type === 'integer'
  return { ...others, ...(oneOf !== undefined && { anyOf: oneOf }), ...(pattern !== undefined && !isNumber && { pattern }) }
}

/** Not every regular expression engine has Unicode properties. Control characters are spelled out, and JSON has no lone surrogates. */
function plainPattern(pattern: string): string | undefined {
  const spelled = pattern.replaceAll(String.raw`\p{Cc}`, String.raw`\u0000-\u001f\u007f-\u009f`).replaceAll(String.raw`\p{Cs}`, '')
  return /\\p\{|\(\?<[a-z]/i.test(spelled) ? undefined : spelled
}

/** The keys of an endpoint in the description. */
function keysOf({ method, url }: Endpoint): string[] {
  const path = withoutStar(url).replaceAll(/:(\w+)/g, '{$1}')
  return [method].flat().map((each) => `${each} ${path}`)
}

/** Adds what the package leaves out: bodies that are not JSON, and parameters of any name. */
function withRest(method: string, operation: Operation, endpoint: Endpoint | undefined): Operation {
  const types = method === 'GET' ? [] : (endpoint?.config?.takes ?? [])
  const isOpen = isCatchall(endpoint?.schema)
  return {
    ...operation,
    ...(types.length > 0 && {
      requestBody: { required: true, content: Object.fromEntries(types.map((type) => [type, { schema: bodyOf(type) }])) },
    }),
    ...(isOpen && { parameters: [...(operation.parameters ?? []), filters] }),
  }
}

function bodyOf(type: string) {
  return type.endsWith('form-urlencoded')
    ? { type: 'object', additionalProperties: { type: 'string' } }
    : { type: 'string', format: 'binary' }
}

const filters: Parameter = {
  name: 'filters',
  in: 'query',
  style: 'form',
  explode: true,
  description: 'Filters: `column=5`, `column[gte]=5`',
  schema: { type: 'object', additionalProperties: { type: 'string' } },
}

const openQuery = z.object({ querystring: z.instanceof(z.ZodObject) })

function isCatchall(schema: Endpoint['schema']): boolean {
  const catchall = openQuery.safeParse(schema).data?.querystring.def.catchall
  return catchall instanceof z.ZodUnion
}

/** Paths that differ only in parameter names are one path. */
function pathsOf({ paths }: OpenApi, endpoints: ReadonlyMap<string, Endpoint>): OpenApi['paths'] {
  const merged: OpenApi['paths'] = {}
  for (const [path, operations] of Object.entries(paths)) {
    const known = Object.keys(merged).find((other) => shapeOf(other) === shapeOf(path)) ?? path
    merged[known] ??= {}
    for (const [method, operation] of Object.entries(operations)) {
      const name = method.toUpperCase()
      const whole = withRest(name, operation, endpoints.get(`${name} ${path}`))
      merged[known][method] = completed(name, known, renamed(whole, namesIn(path), namesIn(known)))
    }
  }
  return merged
}

function shapeOf(path: string): string {
  return path.replaceAll(/\{[^}]+\}/g, '{}')
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name)
}

function renamed(operation: Operation, from: string[], to: string[]): Operation {
  const { parameters } = operation
  if (!parameters) return operation
  const nameOf = (name: string) => (name === '*' ? to.at(-1) : to[from.indexOf(name)]) ?? name
  return { ...operation, parameters: parameters.map((one) => (one.in === 'path' ? { ...one, name: nameOf(one.name) } : one)) }
}

/** Adds what all endpoints have in common. */
function completed(method: string, path: string, operation: Operation): Operation {
  return {
    operationId: operationIdOf(method, path),
    summary: `${method} ${path}`,
    ...operation,
    tags: tagsOf(path, operation),
    security: operation.security ?? securityOf(method, path),
    responses: { ...Object.fromEntries(answersOf(operation)), ...failures(path) },
  }
}

function tagsOf(path: string, { tags = [] }: Operation): string[] {
  const known = tags.filter((tag) => tag in groups)
  return known.length > 0 ? known : [groupOf(path)]
}

const saying: Record<string, string> = { 200: 'Success.', 201: 'Created.', 202: 'Accepted.', 204: 'Success, without content.' }

function answersOf({ responses = {} }: Operation): [string, unknown][] {
  return Object.entries(responses).map(([status, { content, ...answer }]) => {
    const told = answer.description && answer.description !== 'Default Response' ? answer.description : (saying[status] ?? 'Success.')
    return [status, { ...answer, description: told, ...(content && !/^(204|3..)$/.test(status) && { content }) }]
  })
}

function failures(path: string) {
  const answer = { $ref: `#/components/responses/${path.startsWith('/auth/v1/') ? 'Refusal' : 'Problem'}` }
  return { '4XX': answer, '5XX': answer }
}

function componentsOf(paths: OpenApi['paths']): OpenApi['components'] {
  const used = new Set(
    Object.values(paths).flatMap((each) => Object.values(each).flatMap(({ security = [] }) => security.flatMap(Object.keys))),
  )
  return {
    schemas: { Problem: z.toJSONSchema(problem, { io: 'output' }), Refusal: z.toJSONSchema(refusal) },
    responses: {
      Problem: {
        description: 'The request failed. `detail` explains why, and `errors` lists the invalid fields.',
        content: { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
      },
      Refusal: {
        description: 'The request failed. The error has the format of the auth protocol.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
      },
    },
    securitySchemes: Object.fromEntries(Object.entries(schemes).filter(([name]) => used.has(name))),
  }
}

const schemes = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'A key of the Data API, `wn_…`. Create one at /account/keys.' },
  session: { type: 'apiKey', in: 'cookie', name: ACCESS_COOKIE, description: 'The session of a signed-in browser.' },
  accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An access token of the auth protocol.' },
  serviceKey: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The service key. Only servers may hold it.' },
}

/** The error of the auth protocol. The version that a client names decides between the two shapes. */
const refusal = z.object({
  code: z.union([z.int(), z.string()]),
  error_code: z.string().optional(),
  msg: z.string().optional(),
  message: z.string().optional(),
})
