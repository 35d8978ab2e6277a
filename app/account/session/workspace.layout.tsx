import { Outlet } from 'react-router'
import type { Handle } from '#app/access.server.ts'
import { viewerOf } from '#app/page-access.server.ts'
import { onNewPath } from '#app/platform/browser/revalidate.ts'
import { findNotices } from './notices.server.ts'
import type { Route } from './+types/workspace.layout.ts'
import { Workspace } from './workspace.tsx'

export const handle = { access: 'workspace.enter', hydration: 'page' } satisfies Handle
export const headers = () => ({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })

export async function loader({ context }: Route.LoaderArgs) {
  return { notices: await findNotices(viewerOf(context).viewer) }
}

/** A search on the same page does not change the signed-in person. */
export const shouldRevalidate = onNewPath

/** The layout of every signed-in page. */
export default function WorkspaceLayout({ loaderData: { notices } }: Route.ComponentProps) {
  return (
    <Workspace notices={notices}>
      <Outlet />
    </Workspace>
  )
}
