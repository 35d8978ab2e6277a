const OWNER = { email: 'owner@example.com', password: 'a long pass phrase' }

/**
 * Signs up the first account of a server on this machine, with the code from the email that it shows there: the account becomes the owner.
 * Returns its request headers.
 */
export async function signUpOwner(base: string): Promise<{ authorization: string }> {
  await send(`${base}/auth/v1/signup`, OWNER)
  const emails: { to: string; text?: string }[] = await (await fetch(`${base}/dev/mail.json`)).json()
  const [token] = /\b\d{6}\b/.exec(emails.find(({ to }) => to.includes(OWNER.email))?.text ?? '') ?? []
  const verified = await send(`${base}/auth/v1/verify`, { type: 'signup', email: OWNER.email, token })
  const authorization = `Bearer ${verified.access_token}`
  // The first account gets no password from the sign-up of a program.
  await send(`${base}/auth/v1/user`, { password: OWNER.password }, { method: 'PUT', authorization })
  return { authorization }
}

async function send(
  url: string,
  body: object,
  { method = 'POST', ...more }: Record<string, string> = {},
): Promise<{ access_token?: string }> {
  const reply = await fetch(url, { method, headers: { 'content-type': 'application/json', ...more }, body: JSON.stringify(body) })
  if (!reply.ok) throw new Error(`${url} returned ${reply.status}: ${await reply.text()}`)
  return reply.json()
}

/** Signs the same account in as the form of the sign-in page does, and returns its cookies. */
export async function cookiesOfOwner(base: string): Promise<string> {
  const { form, headers } = ownerForm
  const reply = await fetch(`${base}/login`, { method: 'POST', headers, body: new URLSearchParams(form), redirect: 'manual' })
  const cookies = reply.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0])
  if (cookies.length === 0) throw new Error(`Signing in was answered by ${reply.status}: ${await reply.text()}`)
  return cookies.join('; ')
}

/** The form of the sign-in page, for the requests of a browser. */
export const ownerForm = { form: OWNER, headers: { 'sec-fetch-site': 'same-origin' }, maxRedirects: 0 }
