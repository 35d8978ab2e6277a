/** One endpoint as OpenAPI 3.1 describes it: the fields that we read or add. */
export type Operation = {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content?: Record<string, { schema?: unknown }> }
  responses?: Record<string, Answer>
}

export type Parameter = {
  name: string
  in: string
  style?: string
  explode?: boolean
  description?: string
  required?: boolean
  schema?: unknown
}

type Answer = { $ref?: string; description?: string; content?: Record<string, { schema?: unknown }> }

export type OpenApi = {
  openapi: string
  info: Record<string, unknown>
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Record<string, unknown>
}

/** The groups of endpoints, in the order in which the reference shows them. */
export const groups = {
  data: 'Datasets: the catalog, rows, schemas, changes, files and SQL queries.',
  keys: 'Keys of the Data API.',
  products: 'For staff: products, their versions and grants.',
  blog: 'Posts of the blog and their pictures.',
  leads: 'Enquiries and leads.',
  redirects: 'For staff: redirects and the log of missing URLs.',
  users: 'For the owner: accounts, access requests and the audit log.',
  account: 'Your own account, devices and data.',
  workspace: 'Notifications and work of the signed-in user.',
  auth: 'The auth protocol: signing up, signing in, sessions and factors.',
  'auth-admin': 'The auth protocol with the service key: managing accounts.',
  health: 'For the operator: health and metrics.',
  pages: 'Images of pages and link previews.',
} as const

export type Group = keyof typeof groups

const byPath: [RegExp, Group][] = [
  [/^\/api\/v1\//, 'data'],
  [/^\/api\/data-products\/(order|\{\w+\}\/(versions|entitlements))/, 'products'],
  [/^\/api\/(contact|consultation|leads|me\/|letters)/, 'leads'],
  [/^\/api\/admin\/data-products|^\/api\/dataset-uploads|^\/api\/(product-requests|entitlements)/, 'products'],
  [/^\/api\/(data-products|user\/downloads)|^\/files/, 'data'],
  [/^\/api\/(access-requests|account)/, 'account'],
  [/^\/api\/(workspace|notifications|events)/, 'workspace'],
  [/^\/(healthz|readyz|metrics)/, 'health'],
  [/^\/(og|images|avatars)\//, 'pages'],
]

/** The group of a path without one of its own. */
export function groupOf(path: string): Group {
  return byPath.find(([address]) => address.test(path))?.[1] ?? 'workspace'
}

/** Endpoints that need no sign-in: method and path, in OpenAPI's notation. */
const OPEN = [
  /^GET \/(healthz|readyz|metrics|avatars|og|images|files|brand|site-files)\b/,
  /^GET \/api\/(blog(\/\{\w+\})?|contact\/token|redirects\/resolve|data-products(\/\{\w+\}(\/manifest)?)?|openapi\.json|login|logout)$/,
  /^POST \/api\/(contact|logout)$/,
  // Clients have the secret of the address; everyone may check a signed file.
  /^GET \/proposal\/|^POST \/verify\/file$/,
  // Guests have no account: a cookie, a link or a signature stands for them.
  /^(GET|POST|PATCH|DELETE) \/api\/booking(s|\/)/,
  /^GET \/calendar\//,
  /^POST \/enquiry\//,
]

/** The security of an endpoint: an API key or session, the tokens of the auth protocol, or none. */
export function securityOf(method: string, path: string): Record<string, string[]>[] {
  if (path.startsWith('/api/v1/')) return [{ apiKey: [] }, { session: [] }]
  if (/^\/auth\/v1\/(admin\/|invite)/.test(path)) return [{ serviceKey: [] }]
  if (/^\/auth\/v1\/(user|factors|logout|reauthenticate)/.test(path)) return [{ accessToken: [] }]
  if (path.startsWith('/auth/v1/')) return []
  return OPEN.some((open) => open.test(`${method} ${path}`)) ? [] : [{ session: [] }]
}

/** `GET /api/blog/{id}/draft` becomes `getBlogByIdDraft`, so the id changes only with the path. */
export function operationIdOf(method: string, path: string): string {
  const words = path
    .replace(/^\/api\//, '/')
    .split(/[/.\-_]+/)
    .filter(Boolean)
    .map((word) => (word.startsWith('{') ? `by-${word.slice(1, -1)}` : word))
  const parts = words.flatMap((word) => word.split(/[^a-z\d]+/i)).filter(Boolean)
  return method.toLowerCase() + parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('')
}
