import type { Api } from '#app/platform/http/http.server.ts'
import { entitlementApi } from './access/entitlement.api.ts'
import { organizationGrantsApi } from './access/organization-grants.api.ts'
import { dataProductApi } from './catalog/data-product.api.ts'
import { staffOfferApi } from './catalog/staff-offer.api.ts'
import { downloadApi } from './download/download.api.ts'
import { datasetVersionApi } from './import/dataset-version.api.ts'
import { uploadApi } from './import/upload.api.ts'
import { ownAccessApi } from './pages/own-access.api.ts'
import { rowCountApi } from './pages/row-count.api.ts'
import { queryApi } from './sql/query.api.ts'
import { savedQueryApi } from './sql/saved-query.api.ts'
import './download/file-making.server.ts'
import './import/upload-cleanup.server.ts'

export const datasetsApi: Api = async (app) => {
  app.register(staffOfferApi)
  for (const api of [dataProductApi, datasetVersionApi, uploadApi, entitlementApi, organizationGrantsApi]) app.register(api)
  for (const api of [ownAccessApi, rowCountApi, queryApi, savedQueryApi, downloadApi]) app.register(api)
}
