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

const area = 'marketplace'

export async function loader({ context }: Route.LoaderArgs) {
  return { isTheirs: may(await allow(visitOf(context), 'workspace.enter'), areaPermissions[area]) }
}

export const meta = () => pageMeta({ title: areas[area].title, index: false })

/** A part of the workspace before its content is ready: staff read what will be here, others what it is for. */
export default function AreaPage({ loaderData: { isTheirs } }: Route.ComponentProps) {
  if (!isTheirs) return <StaffOnly area={area} />
  const { title, preparing } = areas[area]
  return (
    <Page kind="work" title={title} eyebrow={inPreparation.title} intro={preparing}>
      <ButtonLink to="/">{shell.goHome}</ButtonLink>
    </Page>
  )
}
