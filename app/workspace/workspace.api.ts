import type { Api } from '#app/platform/http/http.server.ts'
import { firstStepsApi } from './first-steps.api.ts'
import { homeApi } from './home.api.ts'
import { searchApi } from './search.api.ts'

export const workspaceApi: Api = async (app) => {
  for (const api of [homeApi, searchApi, firstStepsApi]) app.register(api)
}
