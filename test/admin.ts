import { makeServiceKey } from '#app/session/admin-token.server.ts'
import type { Http } from '#app/platform/http.server.ts'
import { authClient } from './auth.ts'

/** Talks to the auth service as a program of the operator does. */
export async function adminClient(app: Http) {
  const call = authClient(app)
  const authorization = `Bearer ${await makeServiceKey(1)}`
  return (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) => call(method, path, body, { authorization })
}
