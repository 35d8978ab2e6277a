/** The other side did not answer as it should: not in time, not at all, or with more than anyone would read. */
export class AskFailure extends Error {}

type Bounds = { ms: number; bytes: number }

export type Asked = { status: number; headers: Headers; text: string }

/** Asks another service, for a bounded time, and reads a bounded answer. Where it would send us elsewhere we do not go: that fails, unless `init` says otherwise. */
export async function ask(url: string, init: RequestInit, { ms, bytes }: Bounds): Promise<Asked> {
  try {
    const response = await fetch(url, { redirect: 'error', ...init, signal: AbortSignal.timeout(ms) })
    return { status: response.status, headers: response.headers, text: await readAtMost(response, bytes) }
  } catch (error) {
    if (error instanceof AskFailure) throw error
    throw new AskFailure(`${new URL(url).host} did not answer.`, { cause: error })
  }
}

async function readAtMost({ body, url }: Response, bytes: number): Promise<string> {
  if (!body) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > bytes) throw new AskFailure(`${new URL(url).host} answered more than ${bytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
