import type { Handle } from '#app/access.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { LeadsLink } from '#app/leads/list/leads-link.tsx'
import { Page } from '#app/ui/page.tsx'
import { UnknownInbox } from './unknown-inbox.tsx'

export const handle = { access: 'leads.read' } satisfies Handle

export const meta = () => pageMeta({ title: 'Lead inbox', index: false })

export default function UnknownEmailPage() {
  return (
    <Page kind="work" eyebrow={<LeadsLink />} title="Inbox" intro="Emails that belong to no lead yet. Replies to a lead are on its page.">
      <UnknownInbox />
    </Page>
  )
}
