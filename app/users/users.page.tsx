import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { z } from 'zod/mini'
import { allowPage } from '#app/access.server.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import { onNewPath } from '#app/platform/browser/revalidate.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { identity } from '#app/content/identity.ts'
import { Page } from '#app/ui/page.tsx'
import { Tabs } from '#app/ui/tabs.tsx'
import type { Route } from './+types/users.page.ts'
import { AuditList } from '#app/users/audit-log/audit-list.tsx'
import { OwnerOnly } from './owner-only.tsx'
import { RequestList } from '#app/users/access-requests/request-list.tsx'
import { REQUESTS, pendingRequest } from '#app/users/access-requests/access-decision.ts'
import { mayAdminister } from '#app/auth/directory/directory.server.ts'
import { UserDialog } from './user-dialog.tsx'
import { UserList } from './user-list.tsx'

export async function loader({ context }: Route.LoaderArgs) {
  const { viewer: currentUser, isTheirs } = await allowPage(requestContextOf(context), 'users.manage')
  return { isTheirs, viewerId: currentUser.id, mayAdminister }
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
function Users({ viewerId: currentUserId, mayAdminister }: { viewerId: string; mayAdminister: boolean }) {
  const [params, setParams] = useSearchParams()
  const requests = useQuery(apiQuery(REQUESTS, z.array(pendingRequest)))
  const waiting = requests.data?.length
  const tabs = [
    { value: 'people', label: 'People', content: <UserList mayInvite={mayAdminister} /> },
    { value: 'requests', label: 'Requests', count: waiting === 0 ? undefined : waiting, content: <RequestList requests={requests} /> },
    { value: 'audit', label: 'Audit log', content: <AuditList /> },
  ]
  const tab = tabs.find(({ value }) => value === params.get('tab'))?.value ?? 'people'
  return (
    <Page kind="work" title="Users" intro="Manage people, roles and access requests.">
      <Tabs
        label="Users"
        tabs={tabs}
        value={tab}
        onValueChange={(value) => setParams(value === 'people' ? {} : { tab: value }, { replace: true, preventScrollReset: true })}
      />
      <UserDialog viewerId={currentUserId} mayDelete={mayAdminister} />
    </Page>
  )
}
