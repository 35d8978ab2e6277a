/** No person fills in a form faster. Our form delays the request to this minimum, so a faster one is suspicious. */
export const LEAST_FILL_MS = 2_000

type Opened = { token: string | undefined; at: number }

const PATIENCE_MS = 5_000

/** Fetches a token when a form is opened. Never fails: a form without a token can be sent too. */
export async function openEnquiryForm(): Promise<Opened> {
  return { token: await fetchToken().catch(() => undefined), at: performance.now() }
}

/** The token once it is old enough for a person's filling time. */
export async function ripeToken(opening: Promise<Opened> | undefined): Promise<string | undefined> {
  const opened = await opening
  if (!opened?.token) return undefined
  const missing = opened.at + LEAST_FILL_MS - performance.now()
  if (missing > 0) await new Promise((resolve) => setTimeout(resolve, missing))
  return opened.token
}

async function fetchToken(): Promise<string | undefined> {
  const reply: unknown = await (await fetch('/api/contact/token', { signal: AbortSignal.timeout(PATIENCE_MS) })).json()
  return typeof reply === 'object' && reply && 'token' in reply && typeof reply.token === 'string' ? reply.token : undefined
}
