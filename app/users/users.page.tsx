import { useQuery } from '@tanstack/react-query'
import { href, useSearchParams } from 'react-router'
import { z } from 'zod/mini'
import type { Handle } from '#app/access.server.ts'
import { viewerOf } from '#app/page-access.server.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import { onNewPath } from '#app/platform/browser/revalidate.ts'
import { identity } from '#app/content/identity.ts'
import { Page } from '#app/ui/page.tsx'
import { Tabs } from '#app/ui/tabs.tsx'
import { AuditList } from '#app/users/audit-log/audit-list.tsx'
import { RequestList } from '#app/users/access-requests/request-list.tsx'
import { pendingRequest, REQUESTS } from '#app/users/access-requests/access-request.ts'
import { directory } from '#app/auth/directory/directory.server.ts'
import { NotYours } from '#app/users/access-requests/not-yours.tsx'
import { Button } from '#app/ui/button.tsx'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import type { Route } from './+types/users.page.ts'
import { UserList } from './user-list.tsx'
import { UserDrawer } from './user-detail.tsx'

export const handle = { access: 'users.manage', isExplained: true } satisfies Handle

export function loader({ context }: Route.LoaderArgs) {
  const { viewer, isTheirs } = viewerOf(context)
  return { isTheirs, viewerId: viewer.id, mayAdminister: directory.mayAdminister }
}

/** Another tab or search does not change the signed-in person. */
export const shouldRevalidate = onNewPath

export function meta(): Route.MetaDescriptors {
  return [{ title: `Users · ${identity.name}` }, { name: 'robots', content: 'noindex' }]
}

export default function UsersPage({ loaderData: { isTheirs, ...props } }: Route.ComponentProps) {
  return isTheirs ? <Users {...props} /> : <OwnerOnly />
}

/** Invitations and deletions are offered only where the auth service allows them. */
function Users({ viewerId, mayAdminister }: { viewerId: string; mayAdminister: boolean }) {
  const [params, setParams] = useSearchParams()
  const { change } = useView()
  const requests = useQuery(apiQuery(REQUESTS, z.array(pendingRequest)))
  const waiting = requests.data?.length
  const viewer = { viewerId, mayDelete: mayAdminister }
  const tabs = [
    { value: 'people', label: 'People', content: <UserList {...viewer} mayInvite={mayAdminister} /> },
    { value: 'requests', label: 'Requests', count: waiting === 0 ? undefined : waiting, content: <RequestList requests={requests} /> },
    { value: 'audit', label: 'Audit log', content: <AuditList /> },
  ]
  const tab = tabs.find(({ value }) => value === params.get('tab'))?.value ?? 'people'
  const actions = mayAdminister && tab === 'people' && (
    <Button type="button" onClick={() => change({ invite: 'open' })}>
      Invite
    </Button>
  )
  return (
    <Page kind="work" title="Users" intro="Manage people, roles and access requests." actions={actions}>
      <Tabs
        label="Users"
        tabs={tabs}
        value={tab}
        onValueChange={(value) => setParams(value === 'people' ? {} : { tab: value }, { replace: true, preventScrollReset: true })}
      />
      {/* The list of people has its own, which knows the accounts beside it. */}
      {tab !== 'people' && <UserDrawer {...viewer} />}
    </Page>
  )
}

const uses = ['Invite people and decide who is staff', 'Sign people out or suspend them', 'Decide access requests', 'View the audit log']

/** The owner role cannot be requested, so everyone else gets a link to their own account. */
function OwnerOnly() {
  return (
    <NotYours
      title="Users"
      purpose="Manage people, roles and access requests."
      uses={uses}
      needs="Only owners can use this page. You can manage your own account."
    >
      <ButtonLink to={href('/account')} look="quiet">
        Open your account
      </ButtonLink>
    </NotYours>
  )
}
