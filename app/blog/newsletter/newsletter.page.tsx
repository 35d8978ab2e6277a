import { useSearchParams } from 'react-router'
import type { Handle } from '#app/access.server.ts'
import { identity } from '#app/content/identity.ts'
import { Page } from '#app/ui/page.tsx'
import { Tabs } from '#app/ui/tabs.tsx'
import type { Route } from './+types/newsletter.page.ts'
import { IssueList } from './issue-list.tsx'
import { SubscriberList } from './subscriber-list.tsx'

export const handle = { access: 'newsletter.manage' } satisfies Handle

export function meta(): Route.MetaDescriptors {
  return [{ title: `Newsletter · ${identity.name}` }, { name: 'robots', content: 'noindex' }]
}

const tabs = [
  { value: 'subscribers', label: 'Subscribers', content: <SubscriberList /> },
  { value: 'posts', label: 'Posts', content: <IssueList /> },
]

export default function NewsletterPage() {
  const [params, setParams] = useSearchParams()
  const tab = params.get('tab') === 'posts' ? 'posts' : 'subscribers'
  return (
    <Page
      kind="work"
      title="Newsletter"
      intro="Confirmed subscribers, and the posts that you send to them. Every email has an unsubscribe link."
    >
      <Tabs
        label="Newsletter"
        tabs={tabs}
        value={tab}
        onValueChange={(value) => setParams(value === 'posts' ? { tab: 'posts' } : {}, { replace: true, preventScrollReset: true })}
      />
    </Page>
  )
}
