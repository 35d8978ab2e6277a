import { useState } from 'react'
import { allowPage } from '#app/access.server.ts'
import { areaPermissions } from '#app/access-request/area.server.ts'
import { StaffOnly } from '#app/access-request/staff-only.tsx'
import { useView } from '#app/admin-view/use-view.tsx'
import { onNewPath } from '#app/platform/revalidate.ts'
import { visitOf } from '#app/platform/visit.server.ts'
import type { Redirect, RedirectBody } from '#app/redirects/redirect.ts'
import { areas } from '#app/site/content/areas.ts'
import { pageMeta } from '#app/site/content/page-meta.ts'
import { Page } from '#app/ui/page.tsx'
import { Tabs } from '#app/ui/tabs.tsx'
import { MissingList } from './missing-list.tsx'
import { RedirectActions } from './redirect-actions.tsx'
import { RedirectForm } from './redirect-form.tsx'
import { RedirectGuide } from './redirect-guide.tsx'
import { RedirectList } from './redirect-list.tsx'
import type { Route } from './+types/redirects.page.ts'

export async function loader({ context }: Route.LoaderArgs) {
  const { isTheirs } = await allowPage(visitOf(context), areaPermissions.redirects)
  return { isTheirs }
}

/** Another tab, search or page of the list changes nothing of who is looking. */
export const shouldRevalidate = onNewPath

export const meta = () => pageMeta({ title: areas.redirects.title, index: false })

export default function RedirectsPage({ loaderData: { isTheirs } }: Route.ComponentProps) {
  return isTheirs ? <RedirectManagement /> : <StaffOnly area="redirects" />
}

/** What a form is open for: a redirect that there is, or a new one that may begin with something. */
type Open = { redirect: Redirect } | { begin: Partial<RedirectBody> }

/** What chooses rows of one tab says nothing in the other. */
const nothingChosen = Object.fromEntries(['q', 'show', 'days', 'sort', 'visitors', 'ignored'].map((name) => [name, undefined]))

function RedirectManagement() {
  const { params, change } = useView()
  const [open, setOpen] = useState<Open>()
  const create = (begin: Partial<RedirectBody> = {}) => setOpen({ begin })
  const tabs = [
    { value: 'list', label: 'Redirects', content: <RedirectList create={create} edit={(redirect) => setOpen({ redirect })} /> },
    { value: 'missing', label: 'Not found', content: <MissingList create={create} /> },
  ]
  const tab = params.get('tab') === 'missing' ? 'missing' : 'list'
  return (
    <Page kind="work" title={areas.redirects.title} intro={areas.redirects.purpose} actions={<RedirectActions create={create} />}>
      <div className="grid grid-cols-1 gap-8">
        <RedirectGuide />
        <Tabs
          label="Redirects"
          tabs={tabs}
          value={tab}
          onValueChange={(value) => change({ ...nothingChosen, tab: value === 'list' ? undefined : value }, { replace: true })}
        />
      </div>
      {open && <RedirectForm {...open} close={() => setOpen(undefined)} />}
    </Page>
  )
}
