import { z } from 'zod/mini'
import { oneLine } from '#app/platform/clean-text.ts'

export const REDIRECTS = '/api/redirects'

export const statusCodes = [
  { value: 301, label: '301 Permanent' },
  { value: 302, label: '302 Temporary' },
  { value: 307, label: '307 Temporary (method preserved)' },
  { value: 308, label: '308 Permanent (method preserved)' },
] as const

export const kinds = ['exact', 'wildcard', 'pattern'] as const
export const queryOptions = ['pass', 'ignore', 'exact'] as const

/** The most that each field takes, in characters. */
export const limits = { path: 2_000, description: 500 } as const

const STATUS = 'Status code must be 301, 302, 307 or 308'
const FROM = 'From path must start with /'
const TO = 'To path is required'

const fromPath = z.string(FROM).check(
  z.trim(),
  z.maxLength(limits.path, `From path must be at most ${limits.path} characters`),
  z.refine((given) => given.startsWith('/') && !given.startsWith('//'), FROM),
  z.refine(isPlain, 'From path must be one line without control characters'),
)

const toPath = z
  .string(TO)
  .check(
    z.trim(),
    z.minLength(1, TO),
    z.maxLength(limits.path, `To path must be at most ${limits.path} characters`),
    z.refine(isPlain, 'To path must be one line without control characters'),
    z.refine(isPlace, 'To path must start with a single /, or be an http: or https: address'),
  )

/** A line break would end the header that carries it. */
function isPlain(given: string): boolean {
  return !/\p{Cc}/u.test(given)
}

/** A path of ours or a web address: never a script, never another site by the back door (`//host`, `/\host`). */
function isPlace(given: string): boolean {
  if (given.startsWith('/')) return !/^\/[/\\]/.test(given)
  return /^https?:\/\/[^/\\]/i.test(given) && URL.canParse(given)
}

/** What staff send to make or change a redirect (rows 158 and 171), with what is added to it. */
export const redirectBody = z.object({
  fromPath,
  toPath,
  statusCode: z._default(z.literal([301, 302, 307, 308], STATUS), 301),
  isActive: z._default(z.boolean('Active is true or false'), true),
  description: z.nullish(
    z
      .string('Description must be text')
      .check(z.overwrite(oneLine), z.maxLength(limits.description, `Description must be at most ${limits.description} characters`)),
  ),
  kind: z._default(z.enum(kinds, 'Kind must be exact, wildcard or pattern'), 'exact'),
  query: z._default(z.enum(queryOptions, 'Query must be pass, ignore or exact'), 'pass'),
  ignoresSlash: z._default(z.boolean('This is true or false'), true),
  ignoresCase: z._default(z.boolean('This is true or false'), false),
})

export type RedirectBody = z.infer<typeof redirectBody>

/** A redirect as the API answers it, in the order in which they are tried. */
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
