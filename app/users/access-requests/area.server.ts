import type { Permission } from '#app/access.server.ts'
import type { AreaName } from '#app/content/areas.ts'

/** The permission that each workspace area needs. Others see a description of the area. */
export const areaPermissions: Record<AreaName, Permission> = {
  blog: 'posts.write',
  redirects: 'redirects.write',
  marketplace: 'products.write',
  products: 'products.write',
}
