import type { Api } from '#app/platform/http/http.server.ts'
import { leadApi, ownEnquiryApi } from './figures/lead.api.ts'
import { contactApi } from './form/contact.api.ts'
import { leadImportApi } from './import/lead-import.api.ts'
import { leadStatusApi } from './lead/lead-status.api.ts'
import { deskApi, deskChangeApi } from './list/desk.api.ts'
import { leadExportApi } from './list/lead-export.api.ts'
import { leadListApi } from './list/lead-list.api.ts'
import { unknownEmailApi } from './mailbox/unknown-email.api.ts'
import { organizationPeopleApi } from './record/organization-people.api.ts'
import { leadPageApi, leadWorkApi } from './record/timeline.api.ts'
import { leadFileApi, replyApi, templateApi } from './reply/reply.api.ts'
import { enquiryFileApi } from './visitor/enquiry-file.api.ts'
import { visitorPageApi } from './visitor/visitor-page.api.ts'
import './clocks/clock-notice.server.ts'
import './lead/failed-email.server.ts'
import './list/erase-deleted.server.ts'

export const leadsApi: Api = async (app) => {
  app.register(contactApi)
  for (const api of [leadListApi, leadExportApi, deskApi, deskChangeApi, leadApi, leadStatusApi, ownEnquiryApi]) app.register(api)
  for (const api of [leadPageApi, leadWorkApi, replyApi, leadFileApi, templateApi]) app.register(api)
  for (const api of [visitorPageApi, enquiryFileApi, unknownEmailApi, leadImportApi, organizationPeopleApi]) app.register(api)
}
