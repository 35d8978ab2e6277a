import { type MetaDescriptor, redirect } from 'react-router'
import { findNotices } from '#app/account/notices.server.ts'
import { findViewer } from '#app/account/viewer.server.ts'
import { Workspace } from '#app/account/workspace.tsx'
import { findDetail } from '#app/datasets/listing.server.ts'
import { MARKETPLACE } from '#app/datasets/addresses.ts'
import type { Handle } from '#app/platform/hydration.ts'
import { pictureMeta } from '#app/picture/picture.ts'
import { pictureOf } from '#app/picture/picture.server.ts'
import { onNewPath } from '#app/platform/revalidate.ts'
import { stop } from '#app/platform/stop.ts'
import { visitOf } from '#app/platform/visit.server.ts'
import { pageMeta } from '#app/site/content/page-meta.ts'
import { datasetData } from './dataset-data.server.ts'
import { datasetPicture } from './dataset-picture.server.ts'
import { LiveDataset } from './live-dataset.tsx'
import { PublicDataset } from './public-dataset.tsx'
import type { Route } from './+types/dataset.page.ts'

export async function loader({ params: { slug }, context }: Route.LoaderArgs) {
  const viewer = await findViewer(visitOf(context))
  const detail = (await findDetail(slug, viewer)) ?? stop('notFound', 'There is no such dataset.')
  // An id finds it as well; its address is one.
  if (detail.slug !== slug) throw redirect(`${MARKETPLACE}/${detail.slug}`, 301)
  const { name, description } = detail
  const picture = pictureOf(datasetPicture(detail))
  const head = { slug, name, description, hasData: detail.updatedAt !== null, picture, structured: datasetData(detail, picture.url) }
  return viewer ? { ...head, notices: await findNotices(viewer) } : { ...head, detail }
}

export const handle = { kept: { tags: ['datasets'] } } satisfies Handle

/** Filters, order and page of the rows change nothing of who is looking. */
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

/** One address, two faces: strangers and search engines read what it is, those signed in have its rows as well. */
export default function DatasetPage({ loaderData }: Route.ComponentProps) {
  if ('detail' in loaderData) return <PublicDataset detail={loaderData.detail} />
  return (
    <Workspace notices={loaderData.notices}>
      <LiveDataset key={loaderData.slug} slug={loaderData.slug} name={loaderData.name} />
    </Workspace>
  )
}
