import type { Api } from '#app/platform/http/http.server.ts'
import { accessDecisionApi } from '#app/users/access-requests/access-request.api.ts'
import { accessRequestApi } from './access-requests/access-request.api.ts'
import { auditLogApi } from './audit-log/audit-log.api.ts'
import { userSessionsApi } from './user-sessions.api.ts'
import { userApi } from './user.api.ts'
import './audit-log/housekeeping.server.ts'

export const usersApi: Api = async (app) => {
  for (const api of [userApi, userSessionsApi, accessRequestApi, accessDecisionApi, auditLogApi]) app.register(api)
}
