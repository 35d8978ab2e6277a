import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { accessDecisionApi } from '#app/users/access-requests/access-decision.api.ts'
import { accessRequestApi } from '#app/users/access-requests/access-request.api.ts'
import { addAuditTrail } from '#app/account/session/audit-trail.api.ts'
import { confirmIdentityApi } from '#app/account/session/confirm-identity.api.ts'
import { recoveryCodesApi } from '#app/account/session/recovery-codes.api.ts'
import { addSessionCookieApi } from '#app/account/session/session-front.api.ts'
import { accounts } from '#app/account/accounts.server.ts'
import { webhookApi } from '#app/data-api/webhooks/webhook.api.ts'
import { apiKeyApi, keyQuotaApi } from '#app/data-api/keys/api-key.api.ts'
import { auditLogApi } from '#app/users/audit-log/audit-log.api.ts'
import { adminsOnly } from '#app/auth/endpoints/admin-bearer.server.ts'
import { adminAuditApi } from '#app/auth/endpoints/audit.api.ts'
import { adminFactorsApi } from '#app/auth/endpoints/admin-factors.api.ts'
import { adminInviteApi } from '#app/auth/endpoints/invite.api.ts'
import { adminLinkApi } from '#app/auth/endpoints/link.api.ts'
import { adminPasskeysApi } from '#app/auth/endpoints/admin-passkeys.api.ts'
import { adminUserApi } from '#app/auth/endpoints/admin-user.api.ts'
import { adminUsersApi } from '#app/auth/endpoints/users.api.ts'
import { refusalsWritten } from '#app/auth/users/refused.server.ts'
import { authorizeApi } from '#app/auth/endpoints/authorize.api.ts'
import { callbackApi } from '#app/auth/endpoints/callback.api.ts'
import { identitiesApi } from '#app/auth/endpoints/identities.api.ts'
import { discoveryApi } from '#app/auth/endpoints/discovery.api.ts'
import { factorsApi } from '#app/auth/endpoints/factors.api.ts'
import { allowListedOrigins } from '#app/auth/http/cross-origin.api.ts'
import { logoutApi } from '#app/auth/endpoints/logout.api.ts'
import { passkeysApi } from '#app/auth/endpoints/passkeys.api.ts'
import { otpApi } from '#app/auth/endpoints/otp.api.ts'
import { recoverApi } from '#app/auth/endpoints/recover.api.ts'
import { authService } from '#app/auth/http/service.server.ts'
import { signupApi } from '#app/auth/endpoints/signup.api.ts'
import { ssoApi } from '#app/auth/endpoints/sso.api.ts'
import { tokenApi } from '#app/auth/endpoints/token.api.ts'
import { userApi } from '#app/auth/endpoints/user.api.ts'
import { verifyApi } from '#app/auth/endpoints/verify.api.ts'
import { avatarApi, avatarFileApi } from '#app/account/settings/avatar.api.ts'
import { scheduleFirstPosts } from '#app/blog/public/first-posts.server.ts'
import { findPostPicture } from '#app/blog/public/post-picture.server.ts'
import { rerenderPosts } from '#app/blog/public/rerender.server.ts'
import { createSampleProducts } from '#app/datasets/samples/sample-catalog.server.ts'
import { closeAdminSocket, openAdminSocket } from '#app/ops/running.server.ts'
import { keyCommands, runCommand } from './commands.server.ts'
import { findPagePicture } from '#app/site/seo/page-pictures.ts'
import { addDescription } from '#app/data-api/docs/openapi.api.ts'
import { runDatasetCommand } from '#app/datasets/import/operator.server.ts'
import { datasetVersionApi } from '#app/datasets/import/dataset-version.api.ts'
import { uploadApi } from '#app/datasets/import/upload.api.ts'
import { draftApi } from '#app/blog/posts/draft.api.ts'
import { previewApi } from '#app/blog/posts/preview.api.ts'
import { revisionApi } from '#app/blog/posts/revision.api.ts'
import { rowApi } from '#app/data-api/v1/row.api.ts'
import { callersOnly } from '#app/data-api/v1/callers-only.server.ts'
import { changeApi } from '#app/data-api/v1/change.api.ts'
import { datasetApi } from '#app/data-api/v1/dataset.api.ts'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { closeEngine } from '#app/datasets/rows/engine.server.ts'
import { dataProductApi } from '#app/datasets/catalog/data-product.api.ts'
import { downloadApi } from '#app/datasets/download/download.api.ts'
import { datasetFileApi, fileApi } from '#app/data-api/v1/file.api.ts'
import { deletionApi } from '#app/account/deletion/deletion.api.ts'
import { listPublicPages } from '#app/site/seo/listed.server.ts'
import { entitlementApi } from '#app/datasets/access/entitlement.api.ts'
import { hostedAuthApi } from '#app/auth/hosted/proxy.api.ts'
import { settleOwner } from '#app/auth/users/owner.server.ts'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { bookingApi } from '#app/booking/booking.api.ts'
import { adoptCalls } from '#app/booking/future-owner.server.ts'
import { calendarApi, ownCallsApi } from '#app/booking/calendar/calendar.api.ts'
import { embeddedBookingApi, schedulerApi } from '#app/booking/scheduler.api.ts'
import { staffBookingApi } from '#app/booking/staff-booking.api.ts'
import { contactApi } from '#app/leads/form/contact.api.ts'
import { loginApi } from '#app/account/sign-in/login.api.ts'
import { imageApi } from '#app/blog/images/image.api.ts'
import { imageFileApi } from '#app/blog/images/image-file.api.ts'
import { inboxApi } from '#app/mail/inbox.api.ts'
import { findDatasetPicture } from '#app/datasets/pages/dataset-picture.server.ts'
import { ownAccessApi } from '#app/datasets/pages/own-access.api.ts'
import { emailsApi } from '#app/mail/emails.api.ts'
import { closeTransport, findMailProblem } from '#app/mail/transport.server.ts'
import { saveNotFound, logNotFound } from '#app/redirects/not-found/not-found-log.server.ts'
import { notFoundApi } from '#app/redirects/not-found/not-found.api.ts'
import { accountApi } from '#app/account/settings/account.api.ts'
import { accountExportApi } from '#app/account/settings/account-export.api.ts'
import { ownSessionApi } from '#app/account/settings/own-session.api.ts'
import { pictureApi } from '#app/content/og-image/picture.api.ts'
import { ClientFiles } from '#app/platform/page-cache/client-files.server.ts'
import { env, isHosted } from '#app/platform/env.server.ts'
import { refuseTakenPort } from '#app/platform/http/free-port.server.ts'
import { CacheServer } from '#app/platform/page-cache/cache-server.server.ts'
import { healthApi } from '#app/platform/http/health.api.ts'
import { type Api, createHttp, type Http } from '#app/platform/http/http.server.ts'
import { log } from '#app/platform/log.server.ts'
import { repeatUntilDone } from '#app/platform/repeated.server.ts'
import { endWhenAsked, endWhenBroken, giveUp } from '#app/platform/http/lifecycle.server.ts'
import { closeLimits } from '#app/platform/limits.server.ts'
import { useGenuineTokens } from '#app/platform/http/load.server.ts'
import { measureProcess } from '#app/platform/http/metrics.server.ts'
import { PageRoutes } from '#app/platform/page-cache/page-routes.server.ts'
import { readPageAccess } from './page-access.server.ts'
import { pages } from '#app/platform/page-cache/pages.server.ts'
import { keepNewFilesPrivate } from '#app/platform/private-files.server.ts'
import { startTracing } from '#app/platform/tracing.server.ts'
import { closeSignals, openSignals } from '#app/platform/database/signals.server.ts'
import { postFilesApi } from '#app/blog/import-export/post-files.api.ts'
import { newsletterApi } from '#app/blog/newsletter/newsletter.api.ts'
import { postApi } from '#app/blog/posts/post.api.ts'
import { queryApi } from '#app/datasets/sql/query.api.ts'
import { redirectFilesApi } from '#app/redirects/admin/rule-import.api.ts'
import { registerPages } from '#app/redirects/rules/pages.server.ts'
import { redirectApi, resolveApi } from '#app/redirects/rules/redirect.api.ts'
import { openRedirects, redirectFor } from '#app/redirects/rules/visitor-redirect.server.ts'
import { rowCountApi } from '#app/datasets/pages/row-count.api.ts'
import { eventsApi } from '#app/account/notifications/events.api.ts'
import { notificationApi } from '#app/account/notifications/notification.api.ts'
import '#app/leads/clocks/clock-notice.server.ts'
import { refreshServiceHours } from '#app/leads/lead/service-hours.server.ts'
import { preferenceApi } from '#app/account/notifications/preference.api.ts'
import { pushKeys } from '#app/account/notifications/push-key.server.ts'
import { deskApi, deskChangeApi } from '#app/leads/list/desk.api.ts'
import { enquiryFileApi } from '#app/leads/visitor/enquiry-file.api.ts'
import { visitorPageApi } from '#app/leads/visitor/visitor-page.api.ts'
import { leadImportApi } from '#app/leads/import/lead-import.api.ts'
import { leadPageApi, leadWorkApi } from '#app/leads/record/timeline.api.ts'
import { leadFileApi, replyApi, templateApi } from '#app/leads/reply/reply.api.ts'
import { unknownEmailApi } from '#app/leads/mailbox/unknown-email.api.ts'
import { startMailbox, stopMailbox } from '#app/leads/mailbox/mailbox-reader.server.ts'
import { leadExportApi } from '#app/leads/list/lead-export.api.ts'
import { leadListApi } from '#app/leads/list/lead-list.api.ts'
import { leadApi, ownEnquiryApi } from '#app/leads/figures/lead.api.ts'
import { leadStatusApi } from '#app/leads/lead/lead-status.api.ts'
import { signingKey } from '#app/auth/sessions/jwt.server.ts'
import { userSessionsApi } from '#app/users/user-sessions.api.ts'
import { usersApi } from '#app/users/users.api.ts'
import { welcome } from './welcome.server.ts'
import { searchApi } from '#app/workspace/search.api.ts'
import { openSettings } from '#app/content/settings/settings.server.ts'
import { settingApi, siteFileApi } from '#app/site/settings/settings.api.ts'
import { firstStepsApi } from '#app/workspace/first-steps.api.ts'
import { workspaceApi } from '#app/workspace/workspace.api.ts'
import '#app/users/audit-log/housekeeping.server.ts'
import '#app/leads/list/erase-deleted.server.ts'
import '#app/leads/lead/failed-email.server.ts'
import '#app/booking/host-notice.server.ts'
import '#app/datasets/download/file-making.server.ts'
import '#app/datasets/import/upload-cleanup.server.ts'
import '#app/auth/mfa/housekeeping.server.ts'
import '#app/blog/images/image-cleanup.server.ts'
import '#app/auth/hosted/housekeeping.server.ts'
import '#app/platform/jobs/job-purge.server.ts'
import '#app/mail/delivery.server.ts'
import '#app/auth/mfa/passkey-housekeeping.server.ts'
import '#app/auth/sessions/housekeeping.server.ts'
import '#app/auth/providers/housekeeping.server.ts'

/** The build's folder for browser files. In development, Vite serves them. */
const clientFolder = path.join(import.meta.dirname, '../client')

/** Milliseconds for load balancers to notice that this process ends, while others serve. */
const GRACE_MS = 5000

/** Milliseconds until the work of a start is tried again. */
const REPEAT_MS = 10_000

/** Milliseconds for responses in progress once the port is closed. Supervisors kill a process ten seconds after its signal. */
const PATIENCE_MS = 4000

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

/** Registers all endpoints and jobs. routes.ts has the pages. */
export const endpoints: Api = async (app) => {
  addDescription(app)
  addAuditTrail(app)
  app.addHook('onClose', refusalsWritten)
  app.register(healthApi)
  app.register(contactApi)
  for (const api of [bookingApi, staffBookingApi, schedulerApi, embeddedBookingApi]) app.register(api)
  for (const api of [calendarApi, ownCallsApi]) app.register(api)
  for (const api of [
    leadListApi,
    leadApi,
    leadStatusApi,
    deskApi,
    deskChangeApi,
    leadPageApi,
    visitorPageApi,
    enquiryFileApi,
    unknownEmailApi,
    leadImportApi,
    leadWorkApi,
    replyApi,
    leadFileApi,
    templateApi,
    leadExportApi,
    eventsApi,
    notificationApi,
    preferenceApi,
    ownEnquiryApi,
  ])
    app.register(api)
  for (const api of [postApi, draftApi, revisionApi, previewApi]) app.register(api)
  for (const api of [dataProductApi, datasetVersionApi, uploadApi]) app.register(api)
  app.register(accessRequestApi)
  app.register(recoveryCodesApi)
  app.register(confirmIdentityApi)
  for (const api of [accountApi, avatarApi, avatarFileApi, ownSessionApi, accountExportApi, deletionApi]) app.register(api)
  for (const api of [usersApi, userSessionsApi, accessDecisionApi, auditLogApi]) app.register(api)
  for (const api of [apiKeyApi, keyQuotaApi, callersOnly([datasetApi, rowApi, changeApi, datasetFileApi])]) app.register(api)
  app.register(webhookApi)
  app.register(redirectFilesApi)
  app.register(redirectApi)
  app.register(resolveApi)
  app.register(notFoundApi)
  app.register(searchApi)
  app.register(workspaceApi)
  app.register(firstStepsApi)
  for (const api of [settingApi, siteFileApi]) app.register(api)
  for (const api of [ownAccessApi, rowCountApi]) app.register(api)
  app.register(auth, { prefix: '/auth/v1' })
  app.register(loginApi)
  app.register(emailsApi)
  app.register(inboxApi)
  app.register(pictureApi(findPagePicture, findPostPicture, findDatasetPicture))
  for (const api of [imageApi, imageFileApi, postFilesApi, newsletterApi]) app.register(api)
  app.register(queryApi)
  for (const api of [entitlementApi, downloadApi, fileApi]) app.register(api)
}

/** The auth service, with the session cookies of our own pages. */
const auth: Api = async (app) => {
  allowListedOrigins(app)
  addSessionCookieApi(app)
  if (isHosted) return hostedAuthApi(app, {})
  const endpoints = [
    signupApi,
    tokenApi,
    otpApi,
    userApi,
    verifyApi,
    recoverApi,
    logoutApi,
    discoveryApi,
    factorsApi,
    passkeysApi,
    authorizeApi,
    callbackApi,
    identitiesApi,
    ssoApi,
  ]
  const administration = adminsOnly([
    adminAuditApi,
    adminUsersApi,
    adminUserApi,
    adminFactorsApi,
    adminPasskeysApi,
    adminLinkApi,
    adminInviteApi,
  ])
  await app.register(authService([...endpoints, administration]))
}

type Running = {
  /** Starts jobs and the mailbox, and does what each start does. Call it once the port is open: visitors should not wait for it. */
  startWork: () => Promise<void>
  /** Drains requests and jobs, and closes the database. */
  stop: (signal?: string) => Promise<void>
}

/** Opens the database and the server. */
export async function open(cacheServer: CacheServer): Promise<Running> {
  const dataDir = path.resolve(env.DATA_DIR)
  const endTracing = await startTracing()
  await openDatabase()
  await settleOwner()
  // An unusable key stops the start, not the first sign-in.
  await signingKey()
  await pushKeys()
  await openSignals()
  const app = await createApp(cacheServer)
  await app.ready()
  measureProcess()
  if (!env.DATABASE_URL) await openAdminSocket(dataDir, { dataset: runDatasetCommand, ...keyCommands })
  let working: Promise<void> | undefined
  const stopping = new AbortController()
  return {
    startWork: async () => {
      if (stopping.signal.aborted) return
      startJobs()
      startMailbox()
      void tellMailProblem()
      // An outage of the database must not end a process that serves visitors.
      const onFailure = (error: unknown) => log.error({ err: error }, 'the work of the start failed, and is repeated')
      await (working = repeatUntilDone(doStartWork, { pauseMs: REPEAT_MS, signal: stopping.signal, onFailure }))
    },
    stop: async (signal) => {
      stopping.abort()
      cacheServer.leave()
      // Only on PostgreSQL can another process serve meanwhile. Ctrl+C skips the wait.
      if (signal === 'SIGTERM' && env.DATABASE_URL) await sleep(GRACE_MS)
      // The work of a start may wait for a lock of another process.
      const worked = Promise.race([working, sleep(PATIENCE_MS, undefined, { ref: false })])
      await Promise.all([app.close(), cacheServer.close(PATIENCE_MS), stopJobs(), stopMailbox(), worked])
      closeTransport()
      closeAdminSocket(dataDir)
      await closeSignals()
      await closeLimits()
      await closeEngine()
      await closeDatabase()
      await endTracing()
    },
  }
}

/** Emails of a mail server that is away, or refuses our login, fail only hours later. */
async function tellMailProblem(): Promise<void> {
  const problem = await findMailProblem()
  if (problem) log.error(`${problem} Emails are queued and retried. Check SMTP_URL and the mail server.`)
}

/** The work of each start. */
function doStartWork(): Promise<unknown> {
  return Promise.all([scheduleFirstPosts(), rerenderPosts(), createSampleProducts(), refreshServiceHours(), adoptCalls()])
}

/** Serves until a signal ends it. */
async function serve() {
  endWhenBroken()
  const files = new ClientFiles(clientFolder)
  const cacheServer = new CacheServer(files)
  await refuseTakenPort(env.PORT, env.HOST)
  // The first start listens early and responds 503. Any other start opens its port when ready, so a load balancer sends nothing too early.
  const isFirst = !env.DATABASE_URL && (!existsSync(env.DATA_DIR) || readdirSync(env.DATA_DIR).length === 0)
  process.stdout.write(isFirst ? 'Creating the database …\n' : 'Opening the database …\n')
  if (isFirst) await cacheServer.listen(env.PORT, env.HOST)
  const running = await open(cacheServer)
  endWhenAsked(running.stop)
  if (!isFirst) await cacheServer.listen(env.PORT, env.HOST)
  process.stdout.write(await welcome())
  await running.startWork()
  await files.readAll()
}

/** Serves, or runs the operator's command. The process ends with the exit code of a command. */
export function main(words: string[]) {
  keepNewFilesPrivate()
  const work = words.length > 0 ? runCommand(words).then((code) => process.exit(code)) : serve()
  work.catch(giveUp)
}
