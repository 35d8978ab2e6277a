import { z } from 'zod/mini'
import { mayRepeat } from './confirm-identity.ts'
import { problem, type Problem } from '#app/platform/errors/problem.ts'

/** A response of our own server that is not OK. `message` is `<status>: <body, or status text>`; people read `detail`. */
export class ApiError extends Error {
  readonly status: number
  readonly problem: Problem | undefined

  constructor(status: number, text: string, found?: Problem) {
    super(`${status}: ${text}`)
    this.name = 'ApiError'
    this.status = status
    this.problem = found
  }

  /** The sentence for a toast or a field. */
  get detail(): string {
    return this.problem?.detail ?? 'The server could not answer. Please try again.'
  }

  get wayOut(): Problem['wayOut'] {
    return this.problem?.wayOut
  }
}

const always: Record<string, string> = {}

/** Sends a header with every request of this tab from now on. */
export function sendAlways(name: string, value: string): void {
  always[name] = value
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Calls our own server with the session's cookies. A body sets the content type, unless the caller's headers do. */
export async function apiRequest(
  method: Method,
  url: string,
  body?: unknown,
  options: { signal?: AbortSignal; headers?: Record<string, string> } = {},
): Promise<Response> {
  const content = body === undefined ? undefined : { 'content-type': 'application/json' }
  const headers = { ...always, ...(options.headers ?? content) }
  const given = body === undefined ? {} : { body: JSON.stringify(body) }
  return orConfirm(() => fetch(url, { method, credentials: 'include', ...given, ...options, headers }))
}

/** `apiRequest` with a file as the body. */
export async function apiSend(method: Method, url: string, file: File): Promise<Response> {
  const headers = { ...always, 'content-type': file.type || 'application/octet-stream' }
  return orConfirm(() => fetch(url, { method, credentials: 'include', headers, body: file }))
}

/** Sends a change that needs a recent sign-in again, once the person has confirmed their identity. */
async function orConfirm(send: () => Promise<Response>): Promise<Response> {
  const response = await send()
  if (response.ok) return response
  const error = await toError(response)
  if (!(await mayRepeat(error.problem?.code))) throw error
  const again = await send()
  if (!again.ok) throw await toError(again)
  return again
}

type ApiQuery<Data> = { queryKey: [string]; queryFn: (context: { signal: AbortSignal }) => Promise<Data> }

/**
 * Query options for one address of our API, whose response has this schema. The address is the query key, so one invalidation covers
 * everything below it, and queries of one address must use one schema. A 401 throws by default; `on401: 'null'` returns null for queries
 * that ask whether anyone is signed in.
 */
export function apiQuery<Schema extends z.core.$ZodType>(
  url: string,
  schema: Schema,
  options?: { on401: 'throw' },
): ApiQuery<z.output<Schema>>
export function apiQuery<Schema extends z.core.$ZodType>(
  url: string,
  schema: Schema,
  options: { on401: 'null' },
): ApiQuery<z.output<Schema> | null>
export function apiQuery(
  url: string,
  schema: z.core.$ZodType,
  { on401 }: { on401: 'null' | 'throw' } = { on401: 'throw' },
): ApiQuery<unknown> {
  return {
    queryKey: [url],
    queryFn: async ({ signal }) => {
      try {
        return z.parse(schema, await (await apiRequest('GET', url, undefined, { signal })).json())
      } catch (error) {
        if (on401 === 'null' && error instanceof ApiError && error.status === 401) return null
        throw error
      }
    },
  }
}

async function toError(response: Response): Promise<ApiError> {
  const text = await response.text()
  return new ApiError(response.status, text || response.statusText, readProblem(text))
}

/** Undefined if the text is not a problem of our API. */
export function readProblem(text: string): Problem | undefined {
  try {
    const read = problem.safeParse(JSON.parse(text))
    return read.success ? read.data : undefined
  } catch {
    // A proxy may respond with HTML.
    return undefined
  }
}
