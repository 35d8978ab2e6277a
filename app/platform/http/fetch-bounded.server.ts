/** The other service failed: too slow, unreachable, or with a response over the size limit. */
export class FetchFailure extends Error {}

type Bounds = { ms: number; bytes: number }

export type FetchedResponse = { status: number; headers: Headers; text: string }

/** Fetches from another service with a limit on time and size. A redirect fails, unless `init` says otherwise. */
export async function fetchBounded(url: string, init: RequestInit, { ms, bytes }: Bounds): Promise<FetchedResponse> {
  try {
    const response = await fetch(url, { redirect: 'error', ...init, signal: AbortSignal.timeout(ms) })
    return { status: response.status, headers: response.headers, text: await readAtMost(response, bytes) }
  } catch (error) {
    if (error instanceof FetchFailure) throw error
    throw new FetchFailure(`${new URL(url).host} did not answer.`, { cause: error })
  }
}

async function readAtMost({ body, url }: Response, bytes: number): Promise<string> {
  if (!body) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > bytes) throw new FetchFailure(`${new URL(url).host} answered more than ${bytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
