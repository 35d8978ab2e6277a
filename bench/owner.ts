/** Signs up the first account of a server that asks for no proof of an address, and so owns it. Answers what its requests are sent with. */
export async function signUpOwner(base: string): Promise<{ authorization: string }> {
  const body = JSON.stringify({ email: 'owner@example.com', password: 'a long pass phrase' })
  const reply = await fetch(`${base}/auth/v1/signup`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { access_token: token } = await reply.json()
  return { authorization: `Bearer ${token}` }
}
