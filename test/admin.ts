import { makeServiceKey } from '#app/auth/sessions/jwt.server.ts'
import type { Http } from '#app/platform/http/http.server.ts'
import { authClient } from './auth.ts'

/** Calls the auth service like an operator's program. */
export async function adminClient(app: Http) {
  const call = authClient(app)
  const authorization = `Bearer ${await makeServiceKey(1)}`
  return (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) => call(method, path, body, { authorization })
}
