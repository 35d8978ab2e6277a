import { lazy, Suspense, use, useState } from 'react'
import {
  generatePath,
  Links,
  Meta,
  type MetaDescriptor,
  type MiddlewareFunction,
  Outlet,
  Scripts,
  ScrollRestoration,
  useMatches,
  useRouteError,
  useRouteLoaderData,
} from 'react-router'
import { may, type Handle } from '#app/access.server.ts'
import { openPage, shellContext } from '#app/page-access.server.ts'
import { env } from '#app/platform/env.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import { SessionKeeper } from '#app/account/session/session-keeper.tsx'
import { UserMenu } from '#app/account/session/user-menu.tsx'
import { findAuthState } from '#app/account/session/current-user.server.ts'
import { pagePictureAt } from '#app/site/seo/page-pictures.ts'
import { structuredDataAt } from '#app/site/seo/structured-data.server.ts'
import { type PreviewImage, pictureMeta } from '#app/content/og-image/picture.ts'
import { pictureOf } from '#app/content/og-image/picture.server.ts'
import { HydrationContext, StyleContext } from '#app/platform/browser/hydration.ts'
import { islandRuntime } from '#app/platform/islands/island.tsx'
import { viewTransitionStyle } from '#app/platform/browser/view-transition.ts'
import { onNewPath } from '#app/platform/browser/revalidate.ts'
import { showRefusal, requestContextOf } from '#app/platform/http/request-context.server.ts'
import { countsBusinessHours } from '#app/content/hours.ts'
import { identity } from '#app/content/identity.ts'
import { brandIconUrl, brandStyleUrl, currentSettings, iconBrand, setSettingsSource, writtenFormOf } from '#app/content/settings/live.ts'
import { hasTaxAdded, writtenForm } from '#app/platform/text/written-form.ts'
import { withDrafts } from '#app/content/settings/settings.server.ts'
import { workFor } from '#app/organizations/organization/tab-organization.ts'
import { ErrorPage, errorTitle } from '#app/site/shell/error-page.tsx'
import icon from '#app/site/shell/icon.svg?no-inline'
import { Notifications } from '#app/site/shell/notifications.tsx'
import type { ShellPerson } from '#app/site/shell/person.ts'
import { RefusedShell } from '#app/site/shell/refused-shell.tsx'
import { readShell } from '#app/site/shell/shell-data.server.ts'
import { Shell } from '#app/site/shell/shell.tsx'
import { ThemeColors } from '#app/site/shell/theme-colors.tsx'
import displayFont from '#app/ui/fonts/bricolage-grotesque.woff2'
import textFont from '#app/ui/fonts/inter.woff2'
import { useFocusFallback } from '#app/ui/focus-fallback.ts'
import { Toaster } from '#app/ui/toaster.tsx'
import './app.css'
import type { Route } from './+types/root.ts'

/** Loaded when the menu opens. */
const OrganizationEntries = lazy(async () => ({
  default: (await import('#app/organizations/organization/organization-entries.tsx')).OrganizationEntries,
}))

const isDevelopment = import.meta.env.MODE === 'development'

/** `?preview=settings` shows an owner any page with the drafts of the settings. For everyone else it is the usual page. */
const previewSettings: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  if (new URL(request.url).searchParams.get('preview') !== 'settings') return next()
  const authState = await findAuthState(requestContextOf(context))
  if (authState.state !== 'signedIn' || !may(authState.currentUser, 'settings.write')) return next()
  const response = await withDrafts(next)
  response.headers.set('cache-control', 'no-store')
  response.headers.set('x-robots-tag', 'noindex')
  return response
}

export const handle = { access: 'public' } satisfies Handle

/** A page that is refused loads nothing, and is shown within the visitor's own shell. */
const guard: MiddlewareFunction<Response> = async (args, next) => {
  try {
    await openPage(args, next)
  } catch (error) {
    if (error instanceof Stop) args.context.set(shellContext, await readShell(requestContextOf(args.context)))
    throw error
  }
}

export const middleware = [showRefusal, guard, previewSettings]

export async function loader({ context, pattern, params }: Route.LoaderArgs) {
  const shell = await readShell(requestContextOf(context))
  // The canonical spelling of the route.
  const path = generatePath(pattern.replace(/^\/?/, '/'), params)
  const picture = pagePictureAt(path)
  // Signed-in users see the workspace there, which has no structured data.
  const structured = shell.person && path === '/' ? [] : structuredDataAt(path)
  const shared = { url: env.SITE_URL + path, picture: picture && pictureOf(picture), structured }
  return { ...shell, shared }
}

/** A search on the same page changes neither the theme nor the user. */
export const shouldRevalidate = onNewPath

export function meta({ error }: Route.MetaArgs): MetaDescriptor[] {
  if (!error) return [{ title: identity.name }]
  return [{ title: errorTitle(error) }, { name: 'robots', content: 'noindex' }]
}

/** The document around every page and error page. If the root loader fails, it is the anonymous one. */
export function Layout({ children }: { children: React.ReactNode }) {
  const hydration = use(HydrationContext)
  const live = hydration === 'page'
  const { theme = 'system', rail, person, session, shared, settings, sellsToAll = false } = useShell() ?? {}
  // In the browser, content reads what the server rendered with.
  if (!import.meta.env.SSR && settings) setSettingsSource(() => settings.content)
  if (!import.meta.env.SSR && person) workFor(person.organizationId)
  const isWork = useIsWorkspace() && person !== undefined
  const isFound = !useRouteError()
  const { locale, currency } = writtenFormOf(currentSettings(), writtenForm().currency)
  return (
    <html
      lang={locale}
      data-currency={currency === 'USD' ? undefined : currency}
      data-plus-tax={hasTaxAdded() || undefined}
      data-theme={theme === 'system' ? undefined : theme}
      data-live={live || undefined}
      data-hours={countsBusinessHours() ? 'business' : undefined}
    >
      <head>
        <meta charSet="utf-8" />
        <style dangerouslySetInnerHTML={{ __html: viewTransitionStyle }} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <ThemeColors theme={theme} />
        <Meta />
        {shared && isFound && <SharedAs {...shared} />}
        <HeadLinks isLive={live} />
        <Styles isLive={live} />
        {settings?.content.branding && <link rel="stylesheet" href={brandStyleUrl(settings.content.branding)} />}
      </head>
      <body className={isWork ? 'workspace' : undefined}>
        <Shell
          person={person}
          theme={theme}
          sellsToAll={sellsToAll}
          rail={isWork ? rail : undefined}
          menu={live && person && <Menu person={person} />}
        >
          {settings?.isPreview && <PreviewNote />}
          {children}
        </Shell>
        {live && <Toaster />}
        {live && session && <SessionKeeper {...session} />}
        {live && <ScrollRestoration />}
        {live && <Scripts />}
        {hydration === 'islands' && <script type="module" {...islandRuntime} />}
        {isDevelopment && <script type="module" src="/app/platform/islands/reload.ts" />}
      </body>
    </html>
  )
}

/** The icons of the brand, once it is saved under Settings, ours until then; and the two fonts that a live page begins with. */
function HeadLinks({ isLive }: { isLive: boolean }) {
  const branding = iconBrand()
  return (
    <>
      {branding ? (
        <>
          {([32, 192] as const).map((size) => (
            <link key={size} rel="icon" href={brandIconUrl(branding, size)} sizes={`${size}x${size}`} type="image/png" />
          ))}
          <link rel="apple-touch-icon" href={brandIconUrl(branding, 180)} />
        </>
      ) : (
        <>
          <link rel="icon" href="/icon-32.ico" sizes="32x32" />
          <link rel="icon" href={icon} type="image/svg+xml" />
          <link rel="apple-touch-icon" href="/icon-180.png" />
        </>
      )}
      <link rel="manifest" href="/site.webmanifest" />
      {/* With its styles inside, a public page finds its fonts at once: a preload would only delay its text. */}
      {isLive &&
        [displayFont, textFont].map((font) => (
          <link key={font} rel="preload" href={font} as="font" type="font/woff2" crossOrigin="anonymous" />
        ))}
    </>
  )
}

/** A public page contains its style sheet, so it can be painted as soon as it arrives. A live page loads it once for all. */
function Styles({ isLive }: { isLive: boolean }) {
  const styles = use(StyleContext)
  return isLive || isDevelopment ? <Links /> : <style dangerouslySetInnerHTML={{ __html: styles }} />
}

/** The data of the root. A refused page comes without it: in a live page the last one stays, in a document there is only the shell. */
function useShell() {
  const refused = use(RefusedShell)
  const data = useRouteLoaderData<typeof loader>('root')
  const [last, setLast] = useState(data)
  if (data && data !== last) setLast(data)
  return data ?? last ?? (refused && { ...refused, shared: undefined })
}

/** Pages of the workspace load the person's notices; only they have them. */
function useIsWorkspace(): boolean {
  return useMatches().some(({ loaderData }) => typeof loaderData === 'object' && loaderData !== null && 'notices' in loaderData)
}

type SharedAsProps = { url: string; picture: PreviewImage | undefined; structured: string[] }

/** Canonical URL, sharing preview and structured data of a page. */
function SharedAs({ url, picture, structured }: SharedAsProps) {
  return (
    <>
      <link rel="canonical" href={url} />
      <meta property="og:url" content={url} />
      {picture && pictureMeta(picture).map((said) => <meta key={said.property ?? said.name} {...said} />)}
      {structured.map((json) => (
        <script key={json} type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />
      ))}
    </>
  )
}

/** On every page that an owner sees with unsaved settings. */
function PreviewNote() {
  return (
    <p role="status" className="border-b border-grain bg-grain-wash px-4 py-2 text-center text-small">
      Preview of unsaved settings. Only you can see it.{' '}
      <a href="/admin/settings" className="link">
        Back to settings
      </a>
    </p>
  )
}

function Menu({ person }: { person: ShellPerson }) {
  return (
    <>
      <Notifications />
      {/* The foot of the sidebar begins with the person, the header ends with them. */}
      <span className="min-w-0 in-[.rail]:lg:order-first">
        <UserMenu
          person={person}
          entries={
            <Suspense>
              <OrganizationEntries />
            </Suspense>
          }
        />
      </span>
    </>
  )
}

/** The root of a live page; the others are not hydrated. */
export default function Root() {
  useFocusFallback()
  return <Outlet />
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorPage error={error} />
}
