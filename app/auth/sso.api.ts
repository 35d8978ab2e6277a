import { refuse } from '#app/auth-protocol/refusal.ts'
import type { Api } from '#app/platform/http.server.ts'
import { ssoLimit } from './limits.server.ts'

/** Directories of companies (SAML) are not served, which is told in the protocol's words whatever is asked for. */
export const ssoApi: Api = async (app) => {
  app.post('/sso', {
    schema: { summary: 'Sign in by a company’s own directory: not served', tags: ['auth'] },
    config: { limit: ssoLimit },
    handler: async () => refuse('saml_provider_disabled'),
  })

  // Newer clients ask for these. They must hear that there are none, not which methods `/factors/:id` takes.
  app.get('/factors/recovery-codes', { schema: { hide: true } }, () => refuse('not_found'))
}
