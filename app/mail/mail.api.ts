import type { Api } from '#app/platform/http/http.server.ts'
import { emailsApi } from './emails.api.ts'
import { inboxApi } from './inbox.api.ts'
import './delivery.server.ts'

export const mailApi: Api = async (app) => {
  for (const api of [emailsApi, inboxApi]) app.register(api)
}
