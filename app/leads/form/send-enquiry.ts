import { firstErrors } from '#app/platform/browser/first-errors.ts'
import { problem } from '#app/platform/errors/problem.ts'
import { asSent } from '#app/leads/lead/hire-message.ts'
import { unreached } from './enquiry-texts.ts'
import { type EnquiryFormKind, enquiryForms, sentReceipt, type SentReceipt } from '#app/leads/lead/contact.ts'

/** The result of sending an enquiry. `failed` has a reason only when it helps the reader. */
export type EnquiryReply =
  | { kind: 'received'; receipt: SentReceipt }
  | { kind: 'refused'; errors: Record<string, string> }
  | { kind: 'failed'; reason: string }

export type Attempt = {
  form: EnquiryFormKind
  values: Record<string, string>
  /** The same for every attempt with the same text: several of them make one enquiry. */
  key: string
  token: string | undefined
}

/** The error of each field, or nothing if the enquiry can be sent. */
export function errorsIn(form: EnquiryFormKind, values: Record<string, string>): Record<string, string> | undefined {
  const checked = enquiryForms[form].safeParse(values)
  return checked.success ? undefined : firstErrors(checked.error)
}

const PATIENCE_MS = 30_000

/** Sends an enquiry, and computes the proof of work if the server demands it. Never throws. */
export async function sendEnquiry(attempt: Attempt): Promise<EnquiryReply> {
  try {
    const first = await post(attempt)
    if (first.ok) return await toAnswer(first)
    const { sendAgain } = await import('./send-again.ts')
    return await toAnswer(await sendAgain(first, (proof) => post(attempt, proof)))
  } catch {
    return unreached()
  }
}

/** A proof of `null` says that this device could not compute it. All attempts under one key are one enquiry. */
function post({ form, values, key, token }: Attempt, proof?: unknown): Promise<Response> {
  return fetch('/api/contact', {
    method: 'POST',
    credentials: 'include',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ form, ...asSent(form, values), token, proof, page: location.href, referrer: document.referrer }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
}

async function toAnswer(response: Response): Promise<EnquiryReply> {
  const body: unknown = await response.json()
  if (response.ok) return { kind: 'received', receipt: sentReceipt.parse(body) }
  const { detail, errors } = problem.parse(body)
  return errors ? { kind: 'refused', errors } : { kind: 'failed', reason: detail }
}
