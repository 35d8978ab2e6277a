import type { Api } from '#app/platform/http/http.server.ts'
import { staffOrganizationApi } from './admin/staff-organization.api.ts'
import { invitationApi } from './members/invitation.api.ts'
import { memberApi } from './members/member.api.ts'
import { organizationApi } from './organization/organization.api.ts'

export const organizationsApi: Api = async (app) => {
  for (const api of [organizationApi, memberApi, invitationApi, staffOrganizationApi]) app.register(api)
}
