import { allow } from '#app/access.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { onNewPath } from '#app/platform/browser/revalidate.ts'
import { LeadsLink } from '#app/leads/desk/leads-link.tsx'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { Page } from '#app/ui/page.tsx'
import type { Route } from './+types/unknown-email.page.ts'
import { UnknownInbox } from './unknown-inbox.tsx'

export async function loader({ context }: Route.LoaderArgs) {
  await allow(requestContextOf(context), 'leads.read')
  return null
}

/** The chosen email and the page do not change the signed-in person. */
export const shouldRevalidate = onNewPath

export const meta = () => pageMeta({ title: 'Lead inbox', index: false })

export default function UnknownEmailPage() {
  return (
    <Page kind="work" eyebrow={<LeadsLink />} title="Inbox" intro="Emails that belong to no lead yet. Replies to a lead are on its page.">
      <UnknownInbox />
    </Page>
  )
}
