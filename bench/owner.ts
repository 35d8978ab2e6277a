const OWNER = { email: 'owner@example.com', password: 'a long pass phrase' }

/** Signs up the first account of a server without email confirmation; it becomes the owner. Returns its request headers. */
export async function signUpOwner(base: string): Promise<{ authorization: string }> {
  const body = JSON.stringify(OWNER)
  const reply = await fetch(`${base}/auth/v1/signup`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { access_token: token } = await reply.json()
  return { authorization: `Bearer ${token}` }
}

/** Signs the same account in as a browser does, and returns its cookies. */
export async function cookiesOfOwner(base: string): Promise<string> {
  const headers = { 'content-type': 'application/json', origin: new URL(base).origin, 'sec-fetch-site': 'same-origin' }
  const reply = await fetch(`${base}/auth/v1/token?grant_type=password`, { method: 'POST', headers, body: JSON.stringify(OWNER) })
  if (!reply.ok) throw new Error(`Signing in was answered by ${reply.status}: ${await reply.text()}`)
  const cookies = reply.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0])
  return cookies.join('; ')
}
