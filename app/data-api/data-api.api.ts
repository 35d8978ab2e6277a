import type { Api } from '#app/platform/http/http.server.ts'
import { apiKeyApi, keyQuotaApi } from './keys/api-key.api.ts'
import { organizationKeyApi } from './keys/organization-key.api.ts'
import { callersOnly } from './v1/callers-only.server.ts'
import { changeApi } from './v1/change.api.ts'
import { datasetApi } from './v1/dataset.api.ts'
import { datasetFileApi, fileApi } from './v1/file.api.ts'
import { rowApi } from './v1/row.api.ts'
import { webhookApi } from './webhooks/webhook.api.ts'

export const dataApi: Api = async (app) => {
  for (const api of [
    apiKeyApi,
    organizationKeyApi,
    keyQuotaApi,
    callersOnly([datasetApi, rowApi, changeApi, datasetFileApi]),
    fileApi,
    webhookApi,
  ])
    app.register(api)
}
