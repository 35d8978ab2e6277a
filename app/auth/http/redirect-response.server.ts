import type { Stop } from '#app/platform/errors/stop.ts'
import type { SessionAnswer } from '#app/auth/sessions/auth-user.ts'

/** OAuth error names by status, for the client's URL. */
const names: Record<number, string> = {
  400: 'invalid_request',
  401: 'unauthorized_client',
  403: 'access_denied',
  500: 'server_error',
  503: 'temporarily_unavailable',
}

/** The session travels in the fragment (`#`), which no server sees. */
export function withSession(target: string, session: SessionAnswer, type?: string): string {
  const { access_token, expires_at, expires_in, refresh_token, token_type, provider_token, provider_refresh_token } = session
  return withFragment(target, {
    access_token,
    expires_at: String(expires_at),
    expires_in: String(expires_in),
    ...(provider_refresh_token && { provider_refresh_token }),
    ...(provider_token && { provider_token }),
    refresh_token,
    sb: '',
    token_type,
    ...(type && { type }),
  })
}

/** The URL after a PKCE sign-in. The code is worthless without the verifier. */
export function withCode(target: string, code: string): string {
  return withQuery(target, { code })
}

/** Reports that the first of the two address-change emails was confirmed. */
export function withMessage(target: string, message: string, isFlow: boolean): string {
  return withFragment(isFlow ? withQuery(target, { message }) : target, { message, sb: '' })
}

/** Adds the three error fields that clients read. PKCE clients read them in the query. */
export function withError(target: string, { status, data, extra }: Stop, isFlow: boolean): string {
  const error = names[status]
  const said = { ...(error && { error }), error_code: extra.code ?? 'unexpected_failure', error_description: data }
  return withFragment(isFlow ? withQuery(target, said) : target, { ...said, sb: '' })
}

function withFragment(target: string, said: Record<string, string>): string {
  const url = new URL(target)
  url.hash = new URLSearchParams(said).toString()
  return url.href
}

function withQuery(target: string, said: Record<string, string>): string {
  const url = new URL(target)
  for (const [name, value] of Object.entries(said)) url.searchParams.set(name, value)
  return url.href
}
