import { env } from '#app/platform/env.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { isServed, providers, type ProviderSettings } from './provider-settings.server.ts'
import type { ServedProvider } from './served-providers.ts'
import { type ProviderProfile, type ReadProfile, readDiscord, readFacebook, readGitHub, readSpotify } from './profile.server.ts'

/** Endpoints of a provider with OAuth 2 only, and how to read its user's profile. */
type Plain = { authorize: string; token: string; read: (accessToken: string) => Promise<ProviderProfile> }

/** An enabled provider. With OpenID Connect, the issuer's discovery document has the rest. */
export type Provider = {
  name: ServedProvider
  settings: ProviderSettings
  scopes: string
  /** Extra authorization parameters. */
  extra?: Record<string, string>
  issuer?: string
  /** Other issuer names that it uses. */
  aliases?: string[]
  /** The URL of its keys, if it has no discovery document. */
  jwks?: string
  plain?: Plain
}

type Kind = (settings: ProviderSettings) => Omit<Provider, 'name' | 'settings'>

const openId =
  (issuer: string, more: Partial<Provider> = {}): Kind =>
  ({ URL = issuer }) => ({ issuer: URL, scopes: 'openid email profile', ...more })

const kinds: Record<ServedProvider, Kind> = {
  // Apple responds with a form POST when the name or email is requested.
  apple: openId('https://appleid.apple.com', {
    scopes: 'openid name email',
    extra: { response_mode: 'form_post' },
    aliases: ['https://account.apple.com'],
  }),
  azure: ({ URL = 'https://login.microsoftonline.com/common' }) => ({ issuer: `${URL}/v2.0`, scopes: 'openid email profile' }),
  gitlab: openId('https://gitlab.com'),
  google: openId('https://accounts.google.com', { aliases: ['accounts.google.com'] }),
  kakao: openId('https://kauth.kakao.com', { scopes: 'openid account_email profile_nickname' }),
  keycloak: openId(''),
  linkedin_oidc: openId('https://www.linkedin.com/oauth'),
  slack_oidc: openId('https://slack.com'),
  twitch: openId('https://id.twitch.tv/oauth2', {
    scopes: 'openid user:read:email',
    extra: { claims: JSON.stringify({ id_token: { email: null, email_verified: null, picture: null, preferred_username: null } }) },
  }),
  discord: ({ URL = 'https://discord.com/api' }) =>
    plain('email identify', { authorize: `${URL}/oauth2/authorize`, token: `${URL}/oauth2/token`, read: readDiscord(`${URL}/users/@me`) }),
  facebook: ({ URL }) => ({
    ...plain('email', {
      authorize: `${URL ?? 'https://www.facebook.com/v23.0'}/dialog/oauth`,
      token: `${URL ?? 'https://graph.facebook.com/v23.0'}/oauth/access_token`,
      read: readFacebook(`${URL ?? 'https://graph.facebook.com/v23.0'}/me`),
    }),
    // Facebook's mobile apps still issue ID tokens.
    aliases: [URL ?? 'https://www.facebook.com'],
    jwks: `${URL ?? 'https://www.facebook.com'}/.well-known/oauth/openid/jwks/`,
  }),
  github: ({ URL = 'https://github.com' }) => {
    const api = URL === 'https://github.com' ? 'https://api.github.com' : `${URL}/api/v3`
    return plain('user:email', {
      authorize: `${URL}/login/oauth/authorize`,
      token: `${URL}/login/oauth/access_token`,
      read: readGitHub(api),
    })
  },
  spotify: ({ URL }) =>
    plain('user-read-email', {
      authorize: `${URL ?? 'https://accounts.spotify.com'}/authorize`,
      token: `${URL ?? 'https://accounts.spotify.com'}/api/token`,
      read: readSpotify(`${URL ?? 'https://api.spotify.com'}/v1/me`),
    }),
}

function plain(scopes: string, { read, ...places }: Omit<Plain, 'read'> & { read: ReadProfile }): Omit<Provider, 'name' | 'settings'> {
  return { scopes, plain: { ...places, read } }
}

/** Finds an enabled provider by its protocol name, or refuses. */
export function findProvider(name: string | undefined, refusal: 'validation_failed' | 'provider_disabled' = 'validation_failed'): Provider {
  if (!name) refuse('validation_failed', { sentence: 'Unsupported provider: name a provider' })
  if (!isServed(name)) refuse('validation_failed', { sentence: `Unsupported provider: Provider ${name.slice(0, 40)} could not be found` })
  const settings = providers.get(name)
  if (!settings) refuse(refusal, { sentence: `Unsupported provider: provider is not enabled` })
  return { name, settings, ...kinds[name](settings) }
}

export function callbackUrl({ settings }: Provider): string {
  return settings.REDIRECT_URI ?? `${env.API_EXTERNAL_URL}/callback`
}
