import { FileUpIcon, InboxIcon, ListOrderedIcon } from '#app/ui/icons.tsx'
import { Link } from 'react-router'
import { allow } from '#app/access.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { onNewPath } from '#app/platform/browser/revalidate.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { buttonLook } from '#app/ui/button-look.ts'
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
    <Page
      kind="work"
      title="Leads"
      actions={
        <>
          <Link to="/leads/inbox" className={buttonLook('quiet')}>
            <InboxIcon aria-hidden="true" className="size-4" />
            Inbox
          </Link>
          <Link to="/leads/stages" className={buttonLook('quiet')}>
            <ListOrderedIcon aria-hidden="true" className="size-4" />
            Stages
          </Link>
          <Link to="/leads/import" className={buttonLook('quiet')}>
            <FileUpIcon aria-hidden="true" className="size-4" />
            Import
          </Link>
        </>
      }
    >
      <LeadDesk />
    </Page>
  )
}
