import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { accessDecisionApi } from '#app/access-decision/access-decision.api.ts'
import { accessRequestApi } from '#app/access-request/access-request.api.ts'
import { findEmbeddedHolder } from '#app/account/embedded-holder.server.ts'
import { addAuditTrail } from '#app/account/audit-trail.api.ts'
import { confirmIdentityApi } from '#app/account/confirm-identity.api.ts'
import { recoveryCodesApi } from '#app/account/recovery-codes.api.ts'
import { addSessionFront } from '#app/account/session-front.api.ts'
import { useTokenHolders } from '#app/account/token-holder.server.ts'
import { apiKeyApi, keyQuotaApi } from '#app/api-keys/api-key.api.ts'
import { auditLogApi } from '#app/audit-log/audit-log.api.ts'
import { adminsOnly } from '#app/auth-admin/admin-bearer.server.ts'
import { adminAuditApi } from '#app/auth-admin/audit.api.ts'
import { adminFactorsApi } from '#app/auth-admin/factors.api.ts'
import { adminInviteApi } from '#app/auth-admin/invite.api.ts'
import { adminLinkApi } from '#app/auth-admin/link.api.ts'
import { adminPasskeysApi } from '#app/auth-admin/passkeys.api.ts'
import { adminUserApi } from '#app/auth-admin/user.api.ts'
import { adminUsersApi } from '#app/auth-admin/users.api.ts'
import { authorizeApi } from '#app/auth-provider/authorize.api.ts'
import { callbackApi } from '#app/auth-provider/callback.api.ts'
import { identitiesApi } from '#app/auth-provider/identities.api.ts'
import { discoveryApi } from '#app/auth/discovery.api.ts'
import { factorsApi } from '#app/auth/factors.api.ts'
import { allowListedOrigins } from '#app/auth/cross-origin.api.ts'
import { byCode, byIdToken, byWallet } from '#app/auth/foreign-grant.server.ts'
import { logoutApi } from '#app/auth/logout.api.ts'
import { passkeysApi } from '#app/auth/passkeys.api.ts'
import { otpApi } from '#app/auth/otp.api.ts'
import { recoverApi } from '#app/auth/recover.api.ts'
import { authService } from '#app/auth/service.server.ts'
import { signupApi } from '#app/auth/signup.api.ts'
import { ssoApi } from '#app/auth/sso.api.ts'
import { tokenApi } from '#app/auth/token.api.ts'
import { userApi } from '#app/auth/user.api.ts'
import { verifyApi } from '#app/auth/verify.api.ts'
import { avatarApi, avatarFileApi } from '#app/avatar/avatar.api.ts'
import { beginBlog } from '#app/blog/first-posts.server.ts'
import { findPostPicture } from '#app/blog/post-picture.server.ts'
import { renewPosts } from '#app/blog/rendering.server.ts'
import { beginShelf } from '#app/first-datasets/first-shelf.server.ts'
import { closeOperatorDoor, openOperatorDoor } from '#app/backup/running.server.ts'
import { runCommand } from '#app/commands.server.ts'
import { findPagePicture } from '#app/crawlers/page-pictures.ts'
import { addDescription } from '#app/developers/openapi.api.ts'
import { doDatasetOrder } from '#app/dataset-intake/operator.server.ts'
import { datasetVersionApi } from '#app/dataset-intake/dataset-version.api.ts'
import { uploadApi } from '#app/dataset-intake/upload.api.ts'
import { draftApi } from '#app/drafts/draft.api.ts'
import { previewApi } from '#app/drafts/preview.api.ts'
import { revisionApi } from '#app/drafts/revision.api.ts'
import { rowApi } from '#app/data-api/row.api.ts'
import { callersOnly } from '#app/data-api/callers-only.server.ts'
import { changeApi } from '#app/data-api/change.api.ts'
import { datasetApi } from '#app/data-api/dataset.api.ts'
import { closeDatabase, openDatabase } from '#app/database/open.server.ts'
import { closeEngine } from '#app/duckdb/engine.server.ts'
import { dataProductApi } from '#app/datasets/data-product.api.ts'
import { downloadApi } from '#app/dataset-files/download.api.ts'
import { datasetFileApi, fileApi } from '#app/data-api/file.api.ts'
import { deletionApi } from '#app/deletion/deletion.api.ts'
import { listPublicPages } from '#app/crawlers/listed.server.ts'
import { entitlementApi } from '#app/entitlements/entitlement.api.ts'
import { findHostedHolder } from '#app/hosted/hosted-holder.server.ts'
import { hostedAuthApi } from '#app/hosted/proxy.api.ts'
import { settleOwner } from '#app/identity/owner.server.ts'
import { startJobs, stopJobs } from '#app/jobs/job-worker.server.ts'
import { contactApi } from '#app/leads/contact.api.ts'
import { loginApi } from '#app/login/login.api.ts'
import { imageApi } from '#app/images/image.api.ts'
import { imageFileApi } from '#app/images/image-file.api.ts'
import { inboxApi } from '#app/mail/inbox.api.ts'
import { findDatasetPicture } from '#app/marketplace/dataset-picture.server.ts'
import { ownAccessApi } from '#app/marketplace/own-access.api.ts'
import { lettersApi } from '#app/mail/letters.api.ts'
import { closeTransport } from '#app/mail/transport.server.ts'
import { keepMissing, noteMissing } from '#app/missing-paths/missing-log.server.ts'
import { missingPathApi } from '#app/missing-paths/missing-path.api.ts'
import { accountApi } from '#app/own-account/account.api.ts'
import { accountExportApi } from '#app/own-data/account-export.api.ts'
import { ownSessionApi } from '#app/own-security/own-session.api.ts'
import { pictureApi } from '#app/picture/picture.api.ts'
import { readClientFiles } from '#app/platform/client-files.server.ts'
import { env, isHosted } from '#app/platform/env.server.ts'
import { refuseTakenPort } from '#app/platform/free-port.server.ts'
import { Front } from '#app/platform/front.server.ts'
import { healthApi } from '#app/platform/health.api.ts'
import { type Api, createHttp, type Http } from '#app/platform/http.server.ts'
import { endWhenAsked, endWhenBroken, giveUp } from '#app/platform/lifecycle.server.ts'
import { closeLimits } from '#app/platform/limits.server.ts'
import { measureEventLoop } from '#app/platform/metrics.server.ts'
import { watchMemory } from '#app/platform/memory.server.ts'
import { PageRoutes } from '#app/platform/page-routes.server.ts'
import { pages } from '#app/platform/pages.server.ts'
import { keepNewFilesPrivate } from '#app/platform/private-files.server.ts'
import { closeSignals, openSignals } from '#app/platform/signals.server.ts'
import { postFilesApi } from '#app/post-files/post-files.api.ts'
import { postApi } from '#app/posts/post.api.ts'
import { queryApi } from '#app/query-process/query.api.ts'
import { redirectFilesApi } from '#app/redirect-import/rule-import.api.ts'
import { knowPages } from '#app/redirects/pages.server.ts'
import { redirectApi, resolveApi } from '#app/redirects/redirect.api.ts'
import { openRedirects, sendOn } from '#app/redirects/visitor.server.ts'
import { rowCountApi } from '#app/row-browser/row-count.api.ts'
import { leadEventsApi } from '#app/sales/lead-events.api.ts'
import { leadExportApi } from '#app/sales/lead-export.api.ts'
import { leadListApi } from '#app/sales/lead-list.api.ts'
import { leadApi, ownEnquiryApi } from '#app/sales/lead.api.ts'
import { standingApi } from '#app/sales/standing.api.ts'
import { signingKey } from '#app/session/signing-key.server.ts'
import { userSessionsApi } from '#app/user-admin/user-sessions.api.ts'
import { usersApi } from '#app/user-admin/users.api.ts'
import { useDirectory } from '#app/users/directory.server.ts'
import { embeddedDirectory } from '#app/users/embedded-directory.server.ts'
import { hostedDirectory } from '#app/users/hosted-directory.server.ts'
import { welcome } from '#app/welcome.server.ts'
import { workspaceApi } from '#app/workspace/workspace.api.ts'
import '#app/audit-log/housekeeping.server.ts'
import '#app/dataset-files/file-making.server.ts'
import '#app/dataset-intake/upload-sweep.server.ts'
import '#app/factor/housekeeping.server.ts'
import '#app/images/image-sweep.server.ts'
import '#app/hosted/housekeeping.server.ts'
import '#app/jobs/job-purge.server.ts'
import '#app/mail/delivery.server.ts'
import '#app/passkey/housekeeping.server.ts'
import '#app/session/housekeeping.server.ts'
import '#app/wallet/housekeeping.server.ts'

/** Where the build puts what is for browsers, beside its own folder. While the source runs as it is, Vite serves that. */
const clientFolder = path.join(import.meta.dirname, '../client')

/** How long balancers have to notice that this process ends, while others serve. In milliseconds. */
const GRACE_MS = 1500

/** How long answers that are under way may take once the process has been asked to end. */
const PATIENCE_MS = 6000

// Accounts are kept here or by a hosted service: whoever asks about them need not know which.
useTokenHolders(isHosted ? findHostedHolder : findEmbeddedHolder)
useDirectory(isHosted ? hostedDirectory : embeddedDirectory)

/** Everything that answers, on one server that does not listen yet. The database must be open. */
export async function createApp(front = new Front()): Promise<Http> {
  const app = createHttp(front.serverFactory)
  let closeRedirects = async () => {}
  app.addHook('onReady', async () => {
    closeRedirects = await openRedirects((isAnswered) => front.cache.forget(isAnswered))
    front.open()
  })
  app.addHook('onClose', async () => void (await Promise.all([closeRedirects(), keepMissing()])))
  app.addHook('preClose', async () => front.retire())
  app.register(endpoints)
  // The pages are read by whoever serves them: an operator's command needs none.
  const build = await import('virtual:react-router/server-build')
  const places = new PageRoutes(build)
  knowPages({
    list: async () => [...new Set([...places.fixedPaths(), ...(await listPublicPages()).map(({ path: page }) => page)])],
    patternAt: (page) => places.patternAt(page),
  })
  app.register(pages(build, front.cache, { readFile: front.readFile, sendOn, onMissing: noteMissing }))
  return app
}

/** Everything that answers machines and scripts, and the jobs that follow from it. Pages are named in routes.ts. */
export const endpoints: Api = async (app) => {
  addDescription(app)
  addAuditTrail(app)
  app.register(healthApi)
  app.register(contactApi)
  for (const api of [leadListApi, leadApi, standingApi, leadExportApi, leadEventsApi, ownEnquiryApi]) app.register(api)
  for (const api of [postApi, draftApi, revisionApi, previewApi]) app.register(api)
  for (const api of [dataProductApi, datasetVersionApi, uploadApi]) app.register(api)
  app.register(accessRequestApi)
  app.register(recoveryCodesApi)
  app.register(confirmIdentityApi)
  for (const api of [accountApi, avatarApi, avatarFileApi, ownSessionApi, accountExportApi, deletionApi]) app.register(api)
  for (const api of [usersApi, userSessionsApi, accessDecisionApi, auditLogApi]) app.register(api)
  for (const api of [apiKeyApi, keyQuotaApi, callersOnly([datasetApi, rowApi, changeApi, datasetFileApi])]) app.register(api)
  app.register(redirectFilesApi)
  app.register(redirectApi)
  app.register(resolveApi)
  app.register(missingPathApi)
  app.register(workspaceApi)
  for (const api of [ownAccessApi, rowCountApi]) app.register(api)
  app.register(auth, { prefix: '/auth/v1' })
  app.register(loginApi)
  app.register(lettersApi)
  app.register(inboxApi)
  app.register(pictureApi(findPagePicture, findPostPicture, findDatasetPicture))
  for (const api of [imageApi, imageFileApi, postFilesApi]) app.register(api)
  app.register(queryApi)
  for (const api of [entitlementApi, downloadApi, fileApi]) app.register(api)
}

/** The auth service, behind what keeps the refresh tokens of our own pages. */
const auth: Api = async (app) => {
  allowListedOrigins(app)
  addSessionFront(app)
  if (isHosted) return hostedAuthApi(app, {})
  const endpoints = [
    signupApi,
    tokenApi({ pkce: byCode, id_token: byIdToken, web3: byWallet }),
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

/** Opens everything behind a front. Answers the function that ends it: nothing new is taken, what runs is finished, the database is closed. */
export async function open(front: Front): Promise<(signal?: string) => Promise<void>> {
  const dataDir = path.resolve(env.DATA_DIR)
  await openDatabase()
  await settleOwner()
  // A key that cannot be used stops the start, not the first sign-in.
  await signingKey()
  await openSignals()
  const app = await createApp(front)
  await app.ready()
  await Promise.all([beginBlog(), renewPosts(), beginShelf()])
  startJobs()
  measureEventLoop()
  const leaveMemory = watchMemory()
  if (!env.DATABASE_URL) await openOperatorDoor(dataDir, { dataset: doDatasetOrder })
  return async (signal) => {
    // Only on PostgreSQL can another process serve meanwhile. Who presses Ctrl+C waits for nothing.
    if (signal === 'SIGTERM' && env.DATABASE_URL) await front.drain(GRACE_MS)
    leaveMemory()
    await Promise.all([app.close().then(() => front.close(PATIENCE_MS)), stopJobs()])
    closeTransport()
    closeOperatorDoor(dataDir)
    await closeSignals()
    await closeLimits()
    await closeEngine()
    await closeDatabase()
  }
}

/** Serves until it is asked to end. */
async function serve() {
  endWhenBroken()
  const front = new Front(readClientFiles(clientFolder))
  await refuseTakenPort(env.PORT, env.HOST)
  // The first start takes a while and asks for patience. Any other opens its port when it can answer, so that a balancer sends it nothing too early.
  const isFirst = !env.DATABASE_URL && (!existsSync(env.DATA_DIR) || readdirSync(env.DATA_DIR).length === 0)
  if (isFirst) await front.listen(env.PORT, env.HOST)
  endWhenAsked(await open(front))
  if (!isFirst) await front.listen(env.PORT, env.HOST)
  process.stdout.write(await welcome())
}

if (import.meta.main) {
  keepNewFilesPrivate()
  const asked = process.argv.slice(2)
  const work = asked.length > 0 ? runCommand(asked).then((code) => process.exit(code)) : serve()
  work.catch(giveUp)
}
