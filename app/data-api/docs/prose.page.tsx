import type { Handle } from '#app/access.server.ts'
import { data, useLocation } from 'react-router'
import { findMember } from '#app/organizations/organization/membership.server.ts'
import { headOf } from '#app/content/seo.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { DocsFrame, DocsText } from './docs-frame.tsx'
import { findDocsChoice, renderDocs } from './reference.server.ts'
import { docsPages } from './reference-words.ts'
import type { Route } from './+types/prose.page.ts'

/** The pages of text: the guide, the errors, and the changelog. */
const texts = { '/developers/guide': 'guide', '/developers/errors': 'errors', '/developers/changelog': 'changelog' } as const

export async function loader({ request, context }: Route.LoaderArgs) {
  const url = new URL(request.url)
  const path = pathOf(url.pathname) ?? stop('notFound', 'There is no such page.')
  const person = await findMember(requestContextOf(context))
  const found = await findDocsChoice(url.searchParams.get('dataset') ?? undefined, person)
  const choice = found ?? (await findDocsChoice(undefined, person))
  if (!choice) return null
  return data({ choice, html: await renderDocs(texts[path], choice) }, found ? 200 : 404)
}

export const handle = { access: 'public', hydration: 'islands', cache: { tags: ['datasets'], query: ['dataset'] } } satisfies Handle

export function meta({ location }: Route.MetaArgs) {
  return headOf(pathOf(location.pathname) ?? '/developers')
}

export default function DocsProsePage({ loaderData }: Route.ComponentProps) {
  const { pathname } = useLocation()
  if (!loaderData) return null
  return (
    <DocsFrame title={docsPages.find(({ to }) => to === pathname)?.label ?? ''} choice={loaderData.choice}>
      <DocsText html={loaderData.html} />
    </DocsFrame>
  )
}

function pathOf(pathname: string): keyof typeof texts | undefined {
  const path = pathname.replace(/\.data$/, '')
  return path === '/developers/guide' || path === '/developers/errors' || path === '/developers/changelog' ? path : undefined
}
