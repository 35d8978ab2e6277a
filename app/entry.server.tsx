import { renderToPipeableStream } from 'react-dom/server'
import { type EntryContext, type HandleErrorFunction, isRouteErrorResponse, type RouterContextProvider, ServerRouter } from 'react-router'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Presence } from '#app/account/viewer.ts'
import { findPresence } from '#app/account/viewer.server.ts'
import { isUnavailable, isUnstorable } from '#app/platform/database-error.ts'
import { isDevelopment } from '#app/platform/development.ts'
import { outage, unreachable, unstorable } from '#app/platform/errors.server.ts'
import { type Hydration, HydrationContext, hydrationOf } from '#app/platform/hydration.ts'
import { logBug } from '#app/platform/log.server.ts'
import { documentPolicy } from '#app/platform/security-headers.server.ts'
import { ACCESS_COOKIE, forgetAccessHeader } from '#app/platform/session-cookie.server.ts'
import { Stop } from '#app/platform/stop.ts'
import { visitOf } from '#app/platform/visit.server.ts'

const reloadScript = '<script type="module" src="/app/platform/islands/reload.ts"></script>'

/** Turns a page into a document: whole and without a secret for the public, live and for one person's eyes for those signed in. */
export default async function answerDocument(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  provider: RouterContextProvider,
): Promise<Response> {
  const visit = visitOf(provider)
  if (visit.failure) status = tellOf(visit.failure, context)
  // Who was refused at the door is not looked at any closer.
  const state = context.staticHandlerContext.errors ? undefined : (await findPresence(visit)).state
  const hydration = decideHydration(context, state)
  if (state === 'anonymous' && visit.cookies[ACCESS_COOKIE] !== undefined) headers.append('set-cookie', forgetAccessHeader())
  const nonce = hydration === 'page' ? visit.nonce : undefined
  headers.set('content-type', 'text/html; charset=utf-8')
  headers.set('content-security-policy', documentPolicy(nonce))
  const { retryAfter } = Object.values(context.staticHandlerContext.errors ?? {}).find((error) => error instanceof Stop)?.extra ?? {}
  if (retryAfter) headers.set('retry-after', String(retryAfter))
  const isForAll = hydration !== 'page' && !context.staticHandlerContext.errors
  if (!headers.has('cache-control')) headers.set('cache-control', isForAll ? 'no-cache' : 'no-store')

  const document = (
    <HydrationContext value={hydration}>
      <ServerRouter context={context} url={request.url} {...(nonce && { nonce })} />
    </HydrationContext>
  )
  const html = await write(document, nonce, request.signal)
  return new Response(isDevelopment ? html.replace('</head>', `${reloadScript}</head>`) : html, { headers, status })
}

/** Puts the stop in the place of each error of a visit. Returns the status. */
function tellOf(stop: Stop, { staticHandlerContext: { errors } }: EntryContext): number {
  for (const id in errors) if (!isRouteErrorResponse(errors[id])) errors[id] = stop
  return stop.status
}

/** Bugs in loaders, actions and rendering. What is expected (a stop, an unknown path, a visitor who left) is none. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return
  const visit = visitOf(context)
  if (isUnavailable(error)) {
    outage(error, visit.id)
    visit.failure = unreachable()
  } else if (isUnstorable(error)) visit.failure = unstorable()
  else logBug(error, { request: visit.id })
}

/** Whoever is signed in, or is about to be again, gets a live page everywhere, so that the menu and the way from page to page work for them. */
function decideHydration({ staticHandlerContext }: EntryContext, state: Presence['state'] | undefined): Hydration {
  if (state === undefined) return 'none'
  if (state !== 'anonymous') return 'page'
  return hydrationOf(staticHandlerContext.matches.map((match): unknown => match.route.handle))
}

/** The document is written whole: what a page needs to wait for, it waits for in its loader. */
function write(document: React.ReactNode, nonce: string | undefined, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(document, {
      ...(nonce && { nonce }),
      onAllReady() {
        text(pipe(new PassThrough())).then(resolve, reject)
      },
      // A part that failed would be missing for ever on a page without script, so the error page takes the place of the whole.
      onError: reject,
    })
    signal.addEventListener('abort', () => abort(signal.reason))
  })
}
