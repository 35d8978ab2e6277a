import { allow } from '#app/access.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { onNewPath } from '#app/platform/browser/revalidate.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { Page } from '#app/ui/page.tsx'
import type { Route } from './+types/leads.page.ts'
import { LeadDesk } from './lead-desk.tsx'

export async function loader({ context }: Route.LoaderArgs) {
  await allow(requestContextOf(context), 'leads.read')
  return null
}

/** Filters, order and page do not change the signed-in person. */
export const shouldRevalidate = onNewPath

export const meta = () => pageMeta({ title: 'Leads', index: false })

export default function LeadsPage() {
  return (
    <Page kind="work" title="Leads">
      <LeadDesk />
    </Page>
  )
}
