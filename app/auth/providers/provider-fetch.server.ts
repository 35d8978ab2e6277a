import { fetchBounded } from '#app/platform/http/fetch-bounded.server.ts'

const BOUNDS = { ms: 5000, bytes: 512 * 1024 }

export type Answered = Awaited<ReturnType<typeof fetch>>

type FetchOptions = { method?: string; headers?: HeadersInit; body?: BodyInit | null }

/** A bounded `fetch` for the OAuth libraries. It follows no redirects and has its own timeout. */
export async function fetchWithin(url: string | URL, { method = 'GET', headers, body }: FetchOptions = {}): Promise<Answered> {
  const init = { method, redirect: 'manual' as const, ...(headers && { headers }), ...(body !== undefined && { body }) }
  const { status, headers: said, text } = await fetchBounded(String(url), init, BOUNDS)
  return new Response([204, 304].includes(status) ? null : text, {
    status,
    headers: { 'content-type': said.get('content-type') ?? '' },
  })
}

/** Fetches JSON. Throws unless the status is a success. */
export async function fetchJson(url: string | URL, options?: FetchOptions): Promise<unknown> {
  const response = await fetchWithin(url, options)
  if (!response.ok) throw new Error(`The provider answered ${response.status}.`)
  return response.json()
}
