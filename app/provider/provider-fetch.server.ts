const PATIENCE_MS = 5000
const MOST_BYTES = 512 * 1024

/** What `fetch` answers. */
export type Answered = Awaited<ReturnType<typeof fetch>>

export type FetchOptions = { method?: string; headers?: HeadersInit; body?: BodyInit | null; signal?: AbortSignal | null }

/** What another service answers, within a time and a size: it must not be able to hold us up or fill our memory. It is not followed elsewhere. */
export async function fetchWithin(url: string | URL, { method = 'GET', headers, body }: FetchOptions = {}): Promise<Answered> {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
  })
  const text = await readWithin(response)
  const { status } = response
  return new Response([204, 304].includes(status) ? null : text, {
    status,
    headers: { 'content-type': response.headers.get('content-type') ?? '' },
  })
}

/** The same where JSON is expected, and success. */
export async function fetchJson(url: string | URL, options?: FetchOptions): Promise<unknown> {
  const response = await fetchWithin(url, options)
  if (!response.ok) throw new Error(`The provider answered ${response.status}.`)
  return response.json()
}

async function readWithin({ body }: Answered): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > MOST_BYTES) throw new Error('The provider answered more than can be right.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
