import type { Handle } from '#app/access.server.ts'
import { lazy, Suspense } from 'react'
import { type MetaDescriptor, redirect } from 'react-router'
import { findNotices } from '#app/account/session/notices.server.ts'
import { findMember } from '#app/organizations/organization/membership.server.ts'
import { Workspace } from '#app/account/session/workspace.tsx'
import { findDetail, findFirstPublication } from '#app/datasets/catalog/listing.server.ts'
import { MARKETPLACE } from '#app/datasets/catalog/addresses.ts'
import { pictureMeta } from '#app/content/og-image/picture.ts'
import { pictureOf } from '#app/content/og-image/picture.server.ts'
import { onNewPath } from '#app/platform/browser/revalidate.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { datasetData } from './dataset-data.server.ts'
import { datasetPicture } from './dataset-picture.server.ts'
import { LiveDataset } from './live-dataset.tsx'
import type { Route } from './+types/dataset.page.ts'

// Signed-in users do not load the public view.
const PublicDataset = lazy(async () => ({ default: (await import('./public-dataset.tsx')).PublicDataset }))

export async function loader({ params: { slug }, context }: Route.LoaderArgs) {
  const currentUser = await findMember(requestContextOf(context))
  const detail = (await findDetail(slug, currentUser)) ?? stop('notFound', 'There is no such dataset.')
  // An id works as well, but redirects to the slug.
  if (detail.slug !== slug) throw redirect(`${MARKETPLACE}/${detail.slug}`, 301)
  const { name, description } = detail
  const picture = pictureOf(datasetPicture(detail))
  const structured = datasetData(detail, picture.url, await findFirstPublication(detail.id))
  const head = { slug, name, description, hasData: detail.updatedAt !== null, picture, structured }
  return currentUser ? { ...head, notices: await findNotices(currentUser) } : { ...head, detail }
}

export const handle = { access: 'public', cache: { tags: ['datasets'] } } satisfies Handle

/** Filters, sorting and paging do not change the user. */
export const shouldRevalidate = onNewPath

export function meta({ loaderData, error }: Route.MetaArgs): MetaDescriptor[] {
  if (error || !loaderData) return []
  const { name, description, hasData, picture, structured } = loaderData
  return [
    ...pageMeta({ title: name, description, index: hasData }),
    ...pictureMeta(picture),
    ...structured.map((block) => ({ 'script:ld+json': block })),
  ]
}

/** One URL for two views: the public page for visitors and search engines, and the live rows for signed-in users. */
export default function DatasetPage({ loaderData }: Route.ComponentProps) {
  if ('detail' in loaderData) {
    return (
      <Suspense>
        <PublicDataset detail={loaderData.detail} />
      </Suspense>
    )
  }
  return (
    <Workspace notices={loaderData.notices}>
      <LiveDataset key={loaderData.slug} slug={loaderData.slug} name={loaderData.name} />
    </Workspace>
  )
}
