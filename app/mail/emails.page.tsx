import { useSearchParams } from 'react-router'
import type { Handle } from '#app/access.server.ts'
import { identity } from '#app/content/identity.ts'
import { Page } from '#app/ui/page.tsx'
import { Tabs } from '#app/ui/tabs.tsx'
import type { Route } from './+types/emails.page.ts'
import { emailState } from './emails.ts'
import { EmailsTable } from './emails-table.tsx'

const tabs = [
  { value: 'failed', label: 'Failed', content: <EmailsTable state="failed" /> },
  { value: 'waiting', label: 'Waiting', content: <EmailsTable state="waiting" /> },
  { value: 'expired', label: 'Expired', content: <EmailsTable state="expired" /> },
  { value: 'sent', label: 'Sent', content: <EmailsTable state="sent" /> },
]

export const handle = { access: 'letters.manage' } satisfies Handle

export function meta(): Route.MetaDescriptors {
  return [{ title: `Emails · ${identity.name}` }, { name: 'robots', content: 'noindex' }]
}

export default function EmailsPage() {
  const [params, setParams] = useSearchParams()
  const state = emailState.safeParse(params.get('state')).data ?? 'failed'
  return (
    <Page kind="work" title="Emails" intro="Delivery status of outgoing email. Failed messages are kept for 90 days so you can retry them.">
      <Tabs
        label="Emails"
        tabs={tabs}
        value={state}
        onValueChange={(value) => setParams({ state: value }, { replace: true, preventScrollReset: true })}
      />
    </Page>
  )
}
