import { allow, may } from '#app/access.server.ts'
import { areaPermissions } from '#app/access-request/area.server.ts'
import { StaffOnly } from '#app/access-request/staff-only.tsx'
import { visitOf } from '#app/platform/visit.server.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Page } from '#app/ui/page.tsx'
import { areas } from './content/areas.ts'
import { inPreparation } from './content/in-preparation.ts'
import { pageMeta } from './content/page-meta.ts'
import { shell } from './content/shell.ts'
import type { Route } from './+types/area.page.ts'

type Prepared = 'redirects' | 'marketplace'

const places: Record<string, Prepared> = { '/admin/redirects': 'redirects', '/data-marketplace': 'marketplace' }

function areaAt(path: string): Prepared {
  return places[path.replace(/\/+$/, '')] ?? 'marketplace'
}

export async function loader({ context }: Route.LoaderArgs) {
  const visit = visitOf(context)
  const viewer = await allow(visit, 'workspace.enter')
  const area = areaAt(visit.path.replace(/\?.*/s, ''))
  return { area, isTheirs: may(viewer, areaPermissions[area]) }
}

export function meta({ location }: Route.MetaArgs) {
  return pageMeta({ title: areas[areaAt(location.pathname)].title, index: false })
}

/** A part of the workspace before its content is ready: staff read what will be here, others what it is for. */
export default function AreaPage({ loaderData: { area, isTheirs } }: Route.ComponentProps) {
  if (!isTheirs) return <StaffOnly area={area} />
  const { title, preparing } = areas[area]
  return (
    <Page kind="work" title={title} eyebrow={inPreparation.title} intro={preparing}>
      <ButtonLink to="/">{shell.goHome}</ButtonLink>
    </Page>
  )
}
