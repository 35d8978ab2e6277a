import { z } from 'zod'
import { env } from '#app/platform/env.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { servesPasskeys } from '#app/auth/mfa/relying-party.server.ts'
import { isServed, providerNames, providers } from '#app/auth/providers/provider-settings.server.ts'
import { smsProvider } from '#app/mail/sender.server.ts'
import { publicKeys, signingKey } from '#app/auth/sessions/jwt.server.ts'

/** The release of the reference server whose protocol we implement. */
const PROTOCOL_VERSION = 'v2.196.0'

/** Public information about the service. */
export const discoveryApi: Api = async (app) => {
  app.get('/.well-known/jwks.json', {
    schema: {
      summary: 'The public keys of access tokens',
      tags: ['auth'],
      response: { 200: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }) },
    },
    config: { isPublic: true },
    async handler(_request, reply) {
      return reply.header('cache-control', 'public, max-age=600').send({ keys: await publicKeys() })
    },
  })

  for (const name of ['openid-configuration', 'oauth-authorization-server']) {
    app.get(`/.well-known/${name}`, {
      schema: {
        summary: 'The issuer, keys and algorithms, for programs that verify our tokens',
        tags: ['auth'],
        response: { 200: discovery },
      },
      config: { isPublic: true },
      async handler(_request, reply) {
        return reply.header('cache-control', 'public, max-age=600').send(await describeService())
      },
    })
  }

  app.get('/settings', {
    schema: { summary: 'List the enabled sign-in methods', tags: ['auth'], response: { 200: settings } },
    handler: async () => ({
      external: {
        anonymous_users: env.EXTERNAL_ANONYMOUS_USERS_ENABLED,
        email: env.EXTERNAL_EMAIL_ENABLED,
        phone: env.EXTERNAL_PHONE_ENABLED,
        ...Object.fromEntries(providerNames.map((name) => [name, isServed(name) && providers.has(name)])),
      },
      disable_signup: env.DISABLE_SIGNUP,
      mailer_autoconfirm: env.MAILER_AUTOCONFIRM,
      phone_autoconfirm: env.SMS_AUTOCONFIRM,
      sms_provider: env.EXTERNAL_PHONE_ENABLED ? smsProvider : '',
      saml_enabled: false,
      saml_private_key_next_configured: false,
      passkeys_enabled: servesPasskeys(),
    }),
  })

  app.get('/health', {
    schema: { summary: 'Check that the auth service is up', tags: ['auth'], response: { 200: health } },
    handler: async () => ({ version: PROTOCOL_VERSION, name: 'GoTrue', description: 'Speaks the GoTrue protocol' }),
  })
}

const discovery = z.object({
  issuer: z.string(),
  jwks_uri: z.string(),
  response_types_supported: z.array(z.string()),
  subject_types_supported: z.array(z.string()),
  id_token_signing_alg_values_supported: z.array(z.string()),
  claims_supported: z.array(z.string()),
})

/**
 * Lists what a library for OpenID Connect can use: it verifies our tokens. Sign-in, renewal and `/user` speak the auth protocol, which such a
 * library does not, and there is no OAuth server for other applications.
 */
async function describeService(): Promise<z.infer<typeof discovery>> {
  const base = env.API_EXTERNAL_URL
  return {
    issuer: base,
    jwks_uri: `${base}/.well-known/jwks.json`,
    response_types_supported: [],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: await signingAlgorithms(),
    claims_supported: ['iss', 'sub', 'aud', 'exp', 'iat', 'email', 'phone', 'role', 'aal', 'amr', 'session_id', 'is_anonymous'],
  }
}

async function signingAlgorithms(): Promise<string[]> {
  const named = (await publicKeys()).flatMap(({ alg }) => alg ?? [])
  return [...new Set([(await signingKey()).alg, ...named])]
}

const health = z.object({ version: z.string(), name: z.string(), description: z.string() })

const settings = z.object({
  external: z.record(z.string(), z.boolean()),
  disable_signup: z.boolean(),
  mailer_autoconfirm: z.boolean(),
  phone_autoconfirm: z.boolean(),
  sms_provider: z.string(),
  saml_enabled: z.boolean(),
  saml_private_key_next_configured: z.boolean(),
  passkeys_enabled: z.boolean(),
})
