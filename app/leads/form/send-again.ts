import { problem } from '#app/platform/errors/problem.ts'

/** The retries for a busy server, and the longest pause in seconds before one. */
const RETRIES = 3
const LONGEST_PAUSE = 3

type Post = (proof?: unknown) => Promise<Response>

/** Retries an enquiry: pauses while the server is busy, and computes the proof of work that it demands. Most visitors never load this. */
export async function sendAgain(first: Response, post: Post): Promise<Response> {
  const response = await afterPauses(first, post)
  const asked = response.status === 422 ? problem.safeParse(await response.clone().json()) : undefined
  if (!asked?.success || asked.data.code !== 'proof_required') return response
  const { solveProof } = await import('#app/platform/browser/solve-proof.ts')
  const proof = await solveProof(asked.data.challenge)
  return afterPauses(await post(proof), () => post(proof))
}

async function afterPauses(first: Response, post: Post): Promise<Response> {
  let response = first
  for (let tries = 0; tries < RETRIES; tries += 1) {
    const pause = Number(response.headers.get('retry-after'))
    if (response.status !== 503 || !pause || pause > LONGEST_PAUSE) return response
    // With jitter, so that the retries do not arrive together.
    await new Promise((resolve) => setTimeout(resolve, pause * 1000 * (1 + Math.random())))
    response = await post()
  }
  return response
}
