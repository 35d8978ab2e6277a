import { accountApi } from '#app/account/account.api.ts'
import { accounts } from '#app/account/accounts.server.ts'
import { addAuditTrail } from '#app/account/session/audit-trail.api.ts'
import { addSessionCookieApi } from '#app/account/session/session-front.api.ts'
import { authApi } from '#app/auth/auth.api.ts'
import { billingApi } from '#app/billing/billing.api.ts'
import { blogApi } from '#app/blog/blog.api.ts'
import { findPostPicture } from '#app/blog/public/post-picture.server.ts'
import { bookingApi } from '#app/booking/booking.api.ts'
import { pictureApi } from '#app/content/og-image/picture.api.ts'
import { openSettings } from '#app/content/settings/settings.server.ts'
import { dataApi } from '#app/data-api/data-api.api.ts'
import { addDescription } from '#app/data-api/docs/openapi.api.ts'
import { datasetsApi } from '#app/datasets/datasets.api.ts'
import { findDatasetPicture } from '#app/datasets/pages/dataset-picture.server.ts'
import { leadsApi } from '#app/leads/leads.api.ts'
import { mailApi } from '#app/mail/mail.api.ts'
import { healthApi } from '#app/platform/http/health.api.ts'
import { type Api, createHttp, type Http } from '#app/platform/http/http.server.ts'
import { useGenuineTokens } from '#app/platform/http/load.server.ts'
import { CacheServer } from '#app/platform/page-cache/cache-server.server.ts'
import { PageRoutes } from '#app/platform/page-cache/page-routes.server.ts'
import { organizationsApi } from '#app/organizations/organizations.api.ts'
import { pages } from '#app/platform/page-cache/pages.server.ts'
import { logNotFound, saveNotFound } from '#app/redirects/not-found/not-found-log.server.ts'
import { redirectsApi } from '#app/redirects/redirects.api.ts'
import { registerPages } from '#app/redirects/rules/pages.server.ts'
import { openRedirects, redirectFor } from '#app/redirects/rules/visitor-redirect.server.ts'
import { listPublicPages } from '#app/site/seo/listed.server.ts'
import { findPagePicture } from '#app/site/seo/page-pictures.ts'
import { siteApi } from '#app/site/site.api.ts'
import { usersApi } from '#app/users/users.api.ts'
import { workspaceApi } from '#app/workspace/workspace.api.ts'
import { readPageAccess } from './page-access.server.ts'
import '#app/platform/jobs/job-purge.server.ts'

useGenuineTokens(accounts.isGenuine)

/** Creates the whole server, not listening yet. The database must be open. */
export async function createApp(cacheServer = new CacheServer()): Promise<Http> {
  const app = createHttp(cacheServer.serverFactory)
  let closeRedirects = async () => {}
  let closeSettings = () => {}
  app.addHook('onReady', async () => {
    closeRedirects = await openRedirects((isAnswered) => cacheServer.cache.forget(isAnswered))
    closeSettings = await openSettings(() => cacheServer.cache.forget(() => true))
    cacheServer.open()
  })
  app.addHook('onClose', async () => {
    closeSettings()
    await Promise.all([closeRedirects(), saveNotFound()])
  })
  app.addHook('preClose', async () => cacheServer.retire())
  app.register(endpoints)
  // Only serving loads the pages; operator commands need none.
  const build = await import('virtual:react-router/server-build')
  readPageAccess(build)
  const places = new PageRoutes(build)
  registerPages({
    list: async () => [...new Set([...places.fixedPaths(), ...(await listPublicPages()).map(({ path: page }) => page)])],
    patternAt: (page) => places.patternAt(page),
  })
  // In development, pages change while the server runs. If one cannot be loaded, those of the start are served.
  const newest = import.meta.env.DEV ? () => import('virtual:react-router/server-build').catch(() => build) : build
  app.register(pages(build, cacheServer.cache, { newest, sendOn: redirectFor, onMissing: logNotFound }))
  return app
}

const nouns = [
  mailApi,
  accountApi,
  organizationsApi,
  leadsApi,
  usersApi,
  bookingApi,
  redirectsApi,
  blogApi,
  datasetsApi,
  dataApi,
  billingApi,
  workspaceApi,
  siteApi,
]

/** Registers all endpoints and jobs: each noun has a file that names its own. routes.ts has the pages. */
export const endpoints: Api = async (app) => {
  addDescription(app)
  addAuditTrail(app)
  app.register(healthApi)
  app.register(authApi(addSessionCookieApi), { prefix: '/auth/v1' })
  app.register(pictureApi(findPagePicture, findPostPicture, findDatasetPicture))
  for (const noun of nouns) app.register(noun)
}
