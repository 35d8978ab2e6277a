import type { Api } from '#app/platform/http/http.server.ts'
import { settingApi, siteFileApi } from './settings/settings.api.ts'

export const siteApi: Api = async (app) => {
  for (const api of [settingApi, siteFileApi]) app.register(api)
}
