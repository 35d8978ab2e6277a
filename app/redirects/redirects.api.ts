import type { Api } from '#app/platform/http/http.server.ts'
import { redirectFilesApi } from './admin/rule-import.api.ts'
import { notFoundApi } from './not-found/not-found.api.ts'
import { redirectApi, resolveApi } from './rules/redirect.api.ts'

export const redirectsApi: Api = async (app) => {
  for (const api of [redirectFilesApi, redirectApi, resolveApi, notFoundApi]) app.register(api)
}
