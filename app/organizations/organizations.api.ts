import type { Api } from '#app/platform/http/http.server.ts'
import { staffOrganizationApi } from './admin/staff-organization.api.ts'
import { organizationAuditApi } from './audit/organization-audit.api.ts'
import { domainApi } from './domains/domain.api.ts'
import { invitationApi } from './members/invitation.api.ts'
import { joinRequestApi } from './members/join-request.api.ts'
import { memberApi } from './members/member.api.ts'
import { organizationApi } from './organization/organization.api.ts'
import { signInApi } from './sign-in/sign-in.api.ts'
import './admin/without-admin.server.ts'
import './organization/leaving.server.ts'

export const organizationsApi: Api = async (app) => {
  for (const api of [
    organizationApi,
    memberApi,
    invitationApi,
    domainApi,
    joinRequestApi,
    signInApi,
    organizationAuditApi,
    staffOrganizationApi,
  ])
    app.register(api)
}
