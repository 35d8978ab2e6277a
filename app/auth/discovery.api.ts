import { z } from 'zod'
import { env } from '#app/platform/env.server.ts'
import type { Api } from '#app/platform/http.server.ts'
import { isServed, providerNames, providers } from '#app/provider/provider-settings.server.ts'
import { smsProvider } from '#app/sms/sender.server.ts'
import { publicKeys } from '#app/session/signing-key.server.ts'

/** The release of the reference server whose protocol this is. */
const PROTOCOL_VERSION = 'v2.196.0'

/** What a client may know before anyone has signed in. */
export const discoveryApi: Api = async (app) => {
  app.get('/.well-known/jwks.json', {
    schema: { summary: 'The public keys of access tokens', tags: ['auth'] },
    config: { isPublic: true },
    async handler(_request, reply) {
      return reply.header('cache-control', 'public, max-age=600').send({ keys: await publicKeys() })
    },
  })

  app.get('/settings', {
    schema: { summary: 'Which ways of signing in there are', tags: ['auth'], response: { 200: settings } },
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
      passkeys_enabled: false,
    }),
  })

  app.get('/health', {
    schema: { summary: 'Whether the auth service answers', tags: ['auth'] },
    handler: async () => ({ version: PROTOCOL_VERSION, name: 'GoTrue', description: 'Speaks the GoTrue protocol' }),
  })
}

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
