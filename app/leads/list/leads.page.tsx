import { FileUpIcon, InboxIcon, ListOrderedIcon } from 'lucide-react'
import { Link } from 'react-router'
import type { Handle } from '#app/access.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { buttonLook } from '#app/ui/button-look.ts'
import { Page } from '#app/ui/page.tsx'
import { LeadDesk } from './lead-desk.tsx'

export const handle = { access: 'leads.read' } satisfies Handle

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
