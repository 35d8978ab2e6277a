import { Outlet } from 'react-router'
import { allow } from '#app/access.server.ts'
import type { Handle } from '#app/platform/browser/hydration.ts'
import { onNewPath } from '#app/platform/browser/revalidate.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { findNotices } from './notices.server.ts'
import type { Route } from './+types/workspace.layout.ts'
import { Workspace } from './workspace.tsx'

export const handle = { hydration: 'page' } satisfies Handle
export const headers = () => ({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })

export async function loader({ context }: Route.LoaderArgs) {
  return { notices: await findNotices(await allow(requestContextOf(context), 'workspace.enter')) }
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
