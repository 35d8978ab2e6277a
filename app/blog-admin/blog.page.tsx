import { allow, may } from '#app/access.server.ts'
import { areaPermissions } from '#app/access-request/area.server.ts'
import { StaffOnly } from '#app/access-request/staff-only.tsx'
import { onNewPath } from '#app/platform/revalidate.ts'
import { visitOf } from '#app/platform/visit.server.ts'
import { areas } from '#app/site/content/areas.ts'
import { pageMeta } from '#app/site/content/page-meta.ts'
import { BlogManagement } from './blog-management.tsx'
import type { Route } from './+types/blog.page.ts'

export async function loader({ context }: Route.LoaderArgs) {
  return { isTheirs: may(await allow(visitOf(context), 'workspace.enter'), areaPermissions.blog) }
}

/** Another search, or the form, changes nothing of who is looking. */
export const shouldRevalidate = onNewPath

export const meta = () => pageMeta({ title: areas.blog.title, index: false })

export default function BlogPage({ loaderData: { isTheirs } }: Route.ComponentProps) {
  return isTheirs ? <BlogManagement /> : <StaffOnly area="blog" />
}
