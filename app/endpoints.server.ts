import { loginApi } from '#app/login/login.api.ts'
import { accessRequestApi } from '#app/account/access-request.api.ts'
import { recoveryCodesApi } from '#app/account/recovery-codes.api.ts'
import { avatarApi, avatarFileApi } from '#app/avatar/avatar.api.ts'
import { deletionApi } from '#app/deletion/deletion.api.ts'
import { accessDecisionApi } from '#app/access-decision/access-decision.api.ts'
import { auditLogApi } from '#app/audit-log/audit-log.api.ts'
import { userSessionsApi } from '#app/user-admin/user-sessions.api.ts'
import { usersApi } from '#app/user-admin/users.api.ts'
import { accountApi } from '#app/own-account/account.api.ts'
import { accountExportApi } from '#app/own-data/account-export.api.ts'
import { ownSessionApi } from '#app/own-security/own-session.api.ts'
import { addSessionFront } from '#app/account/session-front.api.ts'
import { adminsOnly } from '#app/auth-admin/admin-bearer.server.ts'
import { adminFactorsApi } from '#app/auth-admin/factors.api.ts'
import { adminInviteApi } from '#app/auth-admin/invite.api.ts'
import { adminLinkApi } from '#app/auth-admin/link.api.ts'
import { adminUserApi } from '#app/auth-admin/user.api.ts'
import { adminUsersApi } from '#app/auth-admin/users.api.ts'
import { discoveryApi } from '#app/auth/discovery.api.ts'
import { factorsApi } from '#app/auth/factors.api.ts'
import { logoutApi } from '#app/auth/logout.api.ts'
import { otpApi } from '#app/auth/otp.api.ts'
import { recoverApi } from '#app/auth/recover.api.ts'
import { authorizeApi } from '#app/auth-provider/authorize.api.ts'
import { callbackApi } from '#app/auth-provider/callback.api.ts'
import { identitiesApi } from '#app/auth-provider/identities.api.ts'
import { ssoApi } from '#app/auth/sso.api.ts'
import { authService } from '#app/auth/service.server.ts'
import { signupApi } from '#app/auth/signup.api.ts'
import { tokenApi } from '#app/auth/token.api.ts'
import { userApi } from '#app/auth/user.api.ts'
import { verifyApi } from '#app/auth/verify.api.ts'
import { findPagePicture } from '#app/crawlers/page-pictures.ts'
import { contactApi } from '#app/leads/contact.api.ts'
import { inboxApi } from '#app/mail/inbox.api.ts'
import { lettersApi } from '#app/mail/letters.api.ts'
import '#app/mail/delivery.server.ts'
import { pictureApi } from '#app/picture/picture.api.ts'
import { hostedAuthApi } from '#app/hosted/proxy.api.ts'
import { isHosted } from '#app/platform/env.server.ts'
import { healthApi } from '#app/platform/health.api.ts'
import '#app/jobs/job-purge.server.ts'
import '#app/factor/housekeeping.server.ts'
import '#app/hosted/housekeeping.server.ts'
import '#app/session/housekeeping.server.ts'
import '#app/wallet/housekeeping.server.ts'
import { leadApi, ownEnquiryApi } from '#app/sales/lead.api.ts'
import { leadEventsApi } from '#app/sales/lead-events.api.ts'
import { leadExportApi } from '#app/sales/lead-export.api.ts'
import { leadListApi } from '#app/sales/lead-list.api.ts'
import { standingApi } from '#app/sales/standing.api.ts'
import { workspaceApi } from '#app/workspace/workspace.api.ts'
import type { Api } from '#app/platform/http.server.ts'

/** Everything that answers machines and scripts, and the jobs that follow from it. Pages are named in routes.ts. */
export const endpoints: Api = async (app) => {
  app.register(healthApi)
  app.register(contactApi)
  for (const api of [leadListApi, leadApi, standingApi, leadExportApi, leadEventsApi, ownEnquiryApi]) app.register(api)
  app.register(accessRequestApi)
  app.register(recoveryCodesApi)
  for (const api of [accountApi, avatarApi, avatarFileApi, ownSessionApi, accountExportApi, deletionApi]) app.register(api)
  for (const api of [usersApi, userSessionsApi, accessDecisionApi, auditLogApi]) app.register(api)
  app.register(workspaceApi)
  app.register(auth, { prefix: '/auth/v1' })
  app.register(loginApi)
  app.register(lettersApi)
  app.register(inboxApi)
  app.register(pictureApi(findPagePicture))
}

/** The auth service, behind what keeps the refresh tokens of our own pages. */
const auth: Api = async (app) => {
  addSessionFront(app)
  if (isHosted) return hostedAuthApi(app, {})
  const endpoints = [
    signupApi,
    tokenApi,
    otpApi,
    userApi,
    verifyApi,
    recoverApi,
    logoutApi,
    discoveryApi,
    factorsApi,
    authorizeApi,
    callbackApi,
    identitiesApi,
    ssoApi,
  ]
  const administration = adminsOnly([adminUsersApi, adminUserApi, adminFactorsApi, adminLinkApi, adminInviteApi])
  await app.register(authService([...endpoints, administration]))
}
