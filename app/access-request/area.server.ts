import type { Permission } from '#app/access.server.ts'
import type { AreaName } from '#app/site/content/areas.ts'

/** What someone must be allowed who works in a part of the workspace. Others read what it is for. */
export const areaPermissions: Record<AreaName, Permission> = {
  blog: 'posts.write',
  redirects: 'redirects.write',
  marketplace: 'products.write',
  products: 'products.write',
}
