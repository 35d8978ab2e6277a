import { negotiate } from '@fastify/accept-negotiator'
import { renderToPipeableStream } from 'react-dom/server'
import { type EntryContext, type HandleErrorFunction, isRouteErrorResponse, type RouterContextProvider, ServerRouter } from 'react-router'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { AuthState } from '#app/account/session/current-user.ts'
import { shellContext } from '#app/page-access.server.ts'
import { findAuthState } from '#app/account/session/current-user.server.ts'
import { isUnavailable, isUnstorable } from '#app/platform/database/database-error.ts'
import { isDevelopment } from '#app/platform/process/development.ts'
import { outage, unreachable, unstorable } from '#app/platform/http/errors.server.ts'
import { type Hydration, HydrationContext, hydrationOf, StyleContext } from '#app/platform/browser/hydration.ts'
import { logBug } from '#app/platform/process/log.server.ts'
import { documentPolicy } from '#app/platform/http/security-headers.server.ts'
import { ACCESS_COOKIE, forgetAccessHeader } from '#app/platform/http/session-cookie.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { RefusedShell } from '#app/site/shell/refused-shell.tsx'
import styles from './app.css?inline'

/** Renders a page: complete and cacheable for anonymous visitors, hydrated and private for signed-in users. */
export default async function answerDocument(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  provider: RouterContextProvider,
): Promise<Response> {
  const requestContext = requestContextOf(provider)
  if (requestContext.failure) status = tellOf(requestContext.failure, context)
  // A refused request needs no further checks.
  const state = context.staticHandlerContext.errors ? undefined : (await findAuthState(requestContext)).state
  const hydration = decideHydration(context, state)
  if (state === 'anonymous' && requestContext.cookies[ACCESS_COOKIE] !== undefined) headers.append('set-cookie', forgetAccessHeader())
  const nonce = hydration === 'page' ? requestContext.nonce : undefined
  headers.set('content-type', 'text/html; charset=utf-8')
  headers.set('content-security-policy', documentPolicy({ nonce, styles }))
  const { retryAfter } = Object.values(context.staticHandlerContext.errors ?? {}).find((error) => error instanceof Stop)?.extra ?? {}
  if (retryAfter) headers.set('retry-after', String(retryAfter))
  const isForAll = hydration !== 'page' && !context.staticHandlerContext.errors
  if (!headers.has('cache-control')) headers.set('cache-control', isForAll ? 'no-cache' : 'no-store')

  const document = (
    <HydrationContext value={hydration}>
      <StyleContext value={styles}>
        <RefusedShell value={provider.get(shellContext)}>
          <ServerRouter context={context} url={request.url} {...(nonce && { nonce })} />
        </RefusedShell>
      </StyleContext>
    </HydrationContext>
  )
  const html = await write(document, nonce, request.signal)
  if (isDevelopment || hydration !== 'page') return new Response(html, { headers, status })
  headers.set('vary', 'Accept-Encoding, Cookie, Authorization')
  if (!negotiate(request.headers.get('accept-encoding') ?? '', ['br'])) return new Response(html, { headers, status })
  headers.set('content-encoding', 'br')
  return new Response(new Uint8Array(await compress(html, quickly)), { headers, status })
}

const compress = promisify(brotliCompress)

/**
 * A sixth of the size in a millisecond. Sizes tell no secret: cookies are not sent with requests that other sites make, and a page contains
 * no lasting secret beside text of its address.
 */
const quickly = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** Replaces each error of a request with its stop. Returns the status. */
function tellOf(stop: Stop, { staticHandlerContext: { errors } }: EntryContext): number {
  for (const id in errors) if (!isRouteErrorResponse(errors[id])) errors[id] = stop
  return stop.status
}

/** Bugs in loaders, actions and rendering. Stops, unknown paths and aborted requests are expected. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return
  const requestContext = requestContextOf(context)
  if (isUnavailable(error)) {
    outage(error, requestContext.id)
    requestContext.failure = unreachable()
  } else if (isUnstorable(error)) requestContext.failure = unstorable()
  else logBug(error, { request: requestContext.id })
}

/** Signed-in users, and those with an expired session, get hydrated pages everywhere, for the menu and client navigation. */
function decideHydration({ staticHandlerContext }: EntryContext, state: AuthState['state'] | undefined): Hydration {
  if (state === undefined) return 'none'
  if (state !== 'anonymous') return 'page'
  return hydrationOf(staticHandlerContext.matches.map((match): unknown => match.route.handle))
}

/** Renders the complete document; pages wait for data in their loaders. */
function write(document: React.ReactNode, nonce: string | undefined, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(document, {
      ...(nonce && { nonce }),
      // The document is complete before it is sent. A part that comes later needs script to get to its place, and public pages have none.
      progressiveChunkSize: Infinity,
      onAllReady() {
        text(pipe(new PassThrough())).then(resolve, reject)
      },
      // Without script, a failed part would stay missing, so the error page replaces the whole page.
      onError: reject,
    })
    signal.addEventListener('abort', () => abort(signal.reason))
  })
}
