import fc from 'fast-check'
import type { OpenApi, Operation, Parameter } from '#app/data-api/docs/operation.ts'

/** One request that the description of an endpoint allows, or nearly allows. */
export type ApiCase = { method: string; url: string; headers: Record<string, string>; payload?: string | Buffer }

export type DescribedOperation = { method: string; path: string; operation: Operation }

export function operationsOf({ paths }: OpenApi): DescribedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

type Schema = {
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: unknown[]
  properties?: Record<string, unknown>
  required?: string[]
  additionalProperties?: unknown
  items?: unknown
  minimum?: number
  maximum?: number
  maxLength?: number
}

/** Texts that break programs. NUL and lone surrogates have a separate test. */
const hostile = [
  '',
  ' ',
  '../../etc/passwd',
  '%2e%2e%2f',
  "' OR 1=1 --",
  '<script>alert(1)</script>',
  '${7*7}',
  '\u202Etxt.exe',
  '🎉'.repeat(50),
  'x'.repeat(3000),
  '-1',
  '1e309',
  '9223372036854775808',
  'null',
  '[]',
  '__proto__',
  '2026-02-30',
  'ada@example.com',
  '=1+1',
]

/** Requests for an operation. `known` holds existing ids and names. */
export function casesOf(described: DescribedOperation, known: readonly string[]): fc.Arbitrary<ApiCase> {
  const { method, path, operation } = described
  const parameters = operation.parameters ?? []
  const inPlace = (place: string) => parameters.filter((parameter) => parameter.in === place)
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return fc
    .record({
      path: fc.tuple(...names.map(() => pathPart(known))),
      query: fc.tuple(...inPlace('query').map((parameter) => parameterValue(parameter, known))),
      headers: fc.tuple(...inPlace('header').map((parameter) => parameterValue(parameter, known))),
      body: bodyOf(operation, known),
    })
    .map(({ path: parts, query, headers, body }) => {
      const search = new URLSearchParams(query.flatMap((pairs) => pairs))
      const filled = names.reduce((text, name, at) => text.replace(`{${name}}`, encodeURIComponent(parts[at] ?? '')), path)
      const given = Object.fromEntries(headers.flat().map(([name, value]) => [name, value.replaceAll(/[^\x20-\x7e]/g, '')]))
      return {
        method,
        url: filled + (search.size > 0 ? `?${search}` : ''),
        headers: { ...given, ...(body && { 'content-type': body.type }) },
        ...(body && { payload: body.payload }),
      }
    })
}

function pathPart(known: readonly string[]): fc.Arbitrary<string> {
  const odd = fc.constantFrom(...hostile.filter((text) => text !== '' && text.length < 200))
  return fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...known) }, { weight: 2, arbitrary: fc.uuid() }, odd)
}

/** The query pairs of a parameter; none if it is omitted. */
function parameterValue({ name, schema, required }: Parameter, known: readonly string[]): fc.Arbitrary<[string, string][]> {
  const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  const good = valueOf(schema, known, 0)
  const value = fc.oneof({ weight: 4, arbitrary: good }, fc.constantFrom(...hostile)).map((given): [string, string][] => {
    if (name === 'filters' && isObject(given)) return Object.entries(given).map(([column, one]) => [column || 'x', asText(one)])
    return (Array.isArray(given) ? given : [given]).map((one) => [name, asText(one) ?? ''])
  })
  return fc.oneof({ weight: required ? 1 : 6, arbitrary: fc.constant<[string, string][]>([]) }, { weight: 9, arbitrary: value })
}

function bodyOf(
  { requestBody }: Operation,
  known: readonly string[],
): fc.Arbitrary<{ type: string; payload: string | Buffer } | undefined> {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (!type) return fc.constant(undefined)
  if (type.endsWith('form-urlencoded')) {
    const pairs = fc.dictionary(fc.constantFrom('state', 'code', 'error', 'token', 'type'), fc.constantFrom(...known, ...hostile))
    return pairs.map((given) => ({ type, payload: new URLSearchParams(given).toString() }))
  }
  if (type !== 'application/json') {
    const bytes = fc.uint8Array({ maxLength: 400 }).map((given) => Buffer.from(given))
    return bytes.map((payload) => ({ type: type.replace('*', 'png'), payload }))
  }
  const good = valueOf(content?.schema, known, 0)
  const json = fc.oneof(
    { weight: 8, arbitrary: good },
    { weight: 2, arbitrary: good.chain(damaged) },
    fc.json().map((text): unknown => JSON.parse(text)),
  )
  const text = fc.oneof(
    { weight: 20, arbitrary: json.map((value) => JSON.stringify(value) ?? 'null') },
    fc.constantFrom('', '{', '[1,]', 'NaN'),
  )
  return text.map((payload) => ({ type, payload }))
}

/** The same with one member missing, or of another kind. */
function damaged(value: unknown): fc.Arbitrary<unknown> {
  if (!isObject(value) || Object.keys(value).length === 0) return fc.constantFrom<unknown>(null, 1, 'text', [], {})
  return fc
    .tuple(fc.constantFrom(...Object.keys(value)), fc.constantFrom<unknown>(undefined, null, 0, -1, 1e21, true, [], {}, [[]], ...hostile))
    .map(([name, other]) => ({ ...value, [name]: other }))
}

function valueOf(schema: unknown, known: readonly string[], depth: number): fc.Arbitrary<unknown> {
  const { type, format, enum: allowed, anyOf, properties, required = [], additionalProperties, items, ...bounds } = asSchema(schema)
  if ('const' in bounds) return fc.constant(bounds.const)
  if (allowed?.length) return fc.constantFrom(...allowed)
  if (anyOf?.length) return fc.oneof(...anyOf.map((each) => valueOf(each, known, depth)))
  const [kind = ''] = [type].flat()
  if (kind === 'object' || properties) {
    const rest =
      depth < 3 && additionalProperties
        ? fc.dictionary(fc.string({ maxLength: 8 }), valueOf(additionalProperties, known, depth + 1), { maxKeys: 3 })
        : fc.constant({})
    const own = Object.entries(properties ?? {}).map(([name, one]): [string, fc.Arbitrary<unknown>] => [
      name,
      valueOf(one, known, depth + 1),
    ])
    const record = fc.record(Object.fromEntries(own), { requiredKeys: required.filter((name) => own.some(([key]) => key === name)) })
    return fc.tuple(rest, record).map(([more, given]) => ({ ...more, ...given }))
  }
  if (kind === 'array') return depth < 4 ? fc.array(valueOf(items, known, depth + 1), { maxLength: 3 }) : fc.constant([])
  if (kind === 'integer')
    return fc.oneof(fc.integer({ min: bounds.minimum ?? -5, max: Math.max(bounds.minimum ?? -5, bounds.maximum ?? 500) }), fc.constant(0))
  if (kind === 'number') return fc.double({ noNaN: true, min: bounds.minimum ?? -1e6, max: bounds.maximum ?? 1e6 })
  if (kind === 'boolean') return fc.boolean()
  if (kind === 'null') return fc.constant(null)
  if (kind === 'string') return textOf(format, bounds.maxLength ?? 40, known)
  return fc.oneof(fc.constant(null), fc.constantFrom(...hostile), fc.constantFrom(...known))
}

function textOf(format: string | undefined, most: number, known: readonly string[]): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.oneof(fc.uuid(), fc.constantFrom(...known))
  if (format === 'email') return fc.emailAddress()
  if (format === 'uri') return fc.webUrl()
  if (format === 'date-time')
    return fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') }).map((date) => date.toISOString())
  if (format === 'date')
    return fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') }).map((date) => date.toISOString().slice(0, 10))
  const plain = fc.string({ unit: 'grapheme', maxLength: Math.min(most, 40) }).map((text) => text.replaceAll('\0', ''))
  return fc.oneof({ weight: 3, arbitrary: plain }, { weight: 3, arbitrary: fc.constantFrom(...known) }, fc.constantFrom(...hostile))
}

function asSchema(schema: unknown): Schema {
  return isObject(schema) ? schema : {}
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
