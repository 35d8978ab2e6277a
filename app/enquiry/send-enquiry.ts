import { problem } from '#app/platform/problem.ts'
import { asSent } from '#app/leads/hire-message.ts'
import { enquiryForm } from '#app/site/content/enquiry.ts'
import { type EnquiryForm, enquiryReceipt, type EnquiryReceipt } from '#app/leads/contact.ts'

/** What became of an enquiry. `failed` tells why only when the reason helps whoever reads it. */
export type Answer =
  | { kind: 'received'; receipt: EnquiryReceipt }
  | { kind: 'refused'; errors: Record<string, string> }
  | { kind: 'failed'; reason: string }

export type Attempt = {
  form: EnquiryForm
  values: Record<string, string>
  /** The same for every try of the same words: several of them make one enquiry. */
  key: string
  token: string | undefined
}

const PATIENCE_MS = 30_000

/** Sends an enquiry, and does the work that the server may ask for first. Never throws. */
export async function sendEnquiry(attempt: Attempt): Promise<Answer> {
  try {
    const first = await post(attempt)
    const asked = first.status === 422 ? problem.safeParse(await first.clone().json()) : undefined
    if (!asked?.success || asked.data.code !== 'proof_required') return await toAnswer(first)
    const { solveProof } = await import('#app/spam/solve-proof.ts')
    return await toAnswer(await post(attempt, await solveProof(asked.data.challenge)))
  } catch {
    return { kind: 'failed', reason: navigator.onLine ? enquiryForm.unreachable : enquiryForm.offline }
  }
}

/** A proof of `null` says that this machine could not do the work. */
function post({ form, values, key, token }: Attempt, proof?: unknown): Promise<Response> {
  return fetch('/api/contact', {
    method: 'POST',
    credentials: 'include',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ form, ...asSent(form, values), token, proof }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
}

async function toAnswer(response: Response): Promise<Answer> {
  const body: unknown = await response.json()
  if (response.ok) return { kind: 'received', receipt: enquiryReceipt.parse(body) }
  const { detail, errors } = problem.parse(body)
  return errors ? { kind: 'refused', errors } : { kind: 'failed', reason: detail }
}
