import { z } from 'zod/mini'
import { atMost, oneLine } from '#app/platform/text/clean-text.ts'

export const REDIRECTS = '/api/redirects'

export const statusCodes = [
  { value: 301, label: '301 Permanent' },
  { value: 302, label: '302 Temporary' },
  { value: 307, label: '307 Temporary (method preserved)' },
  { value: 308, label: '308 Permanent (method preserved)' },
] as const

export const kinds = ['exact', 'wildcard', 'pattern'] as const
export const queryOptions = ['pass', 'ignore', 'contains', 'exact'] as const

/** Maximum lengths in characters. */
export const redirectLimits = { path: 2_000, description: 500 } as const

const STATUS = 'Status code must be 301, 302, 307 or 308'
const FROM = 'From path must start with /'
const TO = 'To path is required'

const fromPath = z.string(FROM).check(
  z.trim(),
  ...atMost(redirectLimits.path, `From path must be at most ${redirectLimits.path} characters`),
  z.refine((given) => given.startsWith('/') && !given.startsWith('//'), FROM),
  z.refine(isPlain, 'From path must be one line without control characters'),
)

const toPath = z
  .string(TO)
  .check(
    z.trim(),
    z.minLength(1, TO),
    ...atMost(redirectLimits.path, `To path must be at most ${redirectLimits.path} characters`),
    z.refine(isPlain, 'To path must be one line without control characters'),
    z.refine(isPlace, 'To path must start with a single /, or be an http: or https: address'),
  )

/** A line break would end the header. */
function isPlain(given: string): boolean {
  return !/\p{Cc}/u.test(given)
}

/** A path of this site or a web URL: never a script, never another site in disguise (`//host`, `/\host`). */
function isPlace(given: string): boolean {
  if (given.startsWith('/')) return !/^\/[/\\]/.test(given)
  return /^https?:\/\/[^/\\]/i.test(given) && URL.canParse(given)
}

const fields = z.object({
  fromPath,
  toPath,
  statusCode: z._default(z.literal([301, 302, 307, 308], STATUS), 301),
  isActive: z._default(z.boolean('Active must be true or false'), true),
  description: z.nullish(
    z
      .string('Description must be text')
      .check(
        z.overwrite(oneLine),
        ...atMost(redirectLimits.description, `Description must be at most ${redirectLimits.description} characters`),
      ),
  ),
  kind: z._default(z.enum(kinds, 'Kind must be exact, wildcard or pattern'), 'exact'),
  query: z._default(z.enum(queryOptions, 'Query must be pass, ignore, contains or exact'), 'pass'),
  ignoresSlash: z._default(z.boolean('This must be true or false'), true),
  ignoresCase: z._default(z.boolean('This must be true or false'), false),
})

/** The body of a request to create or replace a redirect. A query in `fromPath` is part of what must match. */
export const redirectBody = fields.check(
  z.overwrite((given) => (given.query === 'pass' && namesQuery(given) ? { ...given, query: 'contains' as const } : given)),
)

/** In a pattern, a `?` is a sign of its language. */
export function namesQuery({ kind, fromPath }: { kind: (typeof kinds)[number]; fromPath: string }): boolean {
  return kind !== 'pattern' && fromPath.includes('?')
}

export type RedirectBody = z.infer<typeof redirectBody>

/** A redirect as the API returns it. */
export const redirect = z.object({
  id: z.string(),
  position: z.number(),
  fromPath: z.string(),
  toPath: z.string(),
  statusCode: z.number(),
  isActive: z.boolean(),
  description: z.nullable(z.string()),
  kind: z.enum(kinds),
  query: z.enum(queryOptions),
  ignoresSlash: z.boolean(),
  ignoresCase: z.boolean(),
  hits: z.number(),
  lastHitAt: z.nullable(z.string()),
  createdAt: z.string(),
})

export type Redirect = z.infer<typeof redirect>
