import { isHosted } from '#app/platform/env.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { adminsOnly } from './endpoints/admin-bearer.server.ts'
import { adminFactorsApi } from './endpoints/admin-factors.api.ts'
import { adminPasskeysApi } from './endpoints/admin-passkeys.api.ts'
import { adminUserApi } from './endpoints/admin-user.api.ts'
import { adminAuditApi } from './endpoints/audit.api.ts'
import { authorizeApi } from './endpoints/authorize.api.ts'
import { callbackApi } from './endpoints/callback.api.ts'
import { discoveryApi } from './endpoints/discovery.api.ts'
import { factorsApi } from './endpoints/factors.api.ts'
import { identitiesApi } from './endpoints/identities.api.ts'
import { adminInviteApi } from './endpoints/invite.api.ts'
import { adminLinkApi } from './endpoints/link.api.ts'
import { logoutApi } from './endpoints/logout.api.ts'
import { otpApi } from './endpoints/otp.api.ts'
import { passkeysApi } from './endpoints/passkeys.api.ts'
import { recoverApi } from './endpoints/recover.api.ts'
import { signupApi } from './endpoints/signup.api.ts'
import { ssoApi } from './endpoints/sso.api.ts'
import { tokenApi } from './endpoints/token.api.ts'
import { userApi } from './endpoints/user.api.ts'
import { adminUsersApi } from './endpoints/users.api.ts'
import { verifyApi } from './endpoints/verify.api.ts'
import { hostedAuthApi } from './hosted/proxy.api.ts'
import { allowListedOrigins } from './http/cross-origin.api.ts'
import { authService } from './http/service.server.ts'
import { refusalsWritten } from './users/refused.server.ts'
import './hosted/housekeeping.server.ts'
import './mfa/housekeeping.server.ts'
import './providers/housekeeping.server.ts'
import './sessions/housekeeping.server.ts'

/** The auth service, ours or the proxy of a hosted one. `prepare` adds what concerns only our own pages. Register it under `/auth/v1`. */
export function authApi(prepare: (app: Parameters<Api>[0]) => void): Api {
  return async (app) => {
    app.addHook('onClose', refusalsWritten)
    allowListedOrigins(app)
    prepare(app)
    if (isHosted) return hostedAuthApi(app, {})
    const oneself = [signupApi, userApi, verifyApi, recoverApi, logoutApi, discoveryApi, factorsApi, passkeysApi, identitiesApi]
    const signIn = [tokenApi, otpApi, authorizeApi, callbackApi, ssoApi]
    const accounts = [adminUsersApi, adminUserApi, adminFactorsApi, adminPasskeysApi]
    const administration = adminsOnly([...accounts, adminAuditApi, adminLinkApi, adminInviteApi])
    await app.register(authService([...oneself, ...signIn, administration]))
  }
}
