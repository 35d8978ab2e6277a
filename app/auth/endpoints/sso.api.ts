import { refuse } from '#app/auth/protocol/refusal.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { ssoLimit } from '#app/auth/http/limits.server.ts'

/** SAML is not supported. The protocol has an error code for that. */
export const ssoApi: Api = async (app) => {
  app.post('/sso', {
    schema: { summary: 'Single sign-on (SAML): not supported', tags: ['auth'] },
    config: { limit: ssoLimit },
    handler: async () => refuse('saml_provider_disabled'),
  })

  // Newer clients request recovery codes. They need a 404 here, not a 405 from `/factors/:id`.
  app.get('/factors/recovery-codes', { schema: { hide: true } }, () => refuse('not_found'))
}
