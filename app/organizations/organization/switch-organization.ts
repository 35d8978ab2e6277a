import { apiRequest } from '#app/platform/browser/api.ts'
import { ORGANIZATIONS } from './organization.ts'

/** Works for another organization from now on. A new document discards the data of the one before. */
export async function switchOrganization(id: string): Promise<void> {
  await apiRequest('PUT', `${ORGANIZATIONS}/current`, { id })
  const { pathname } = window.location
  window.location.assign(pathname)
}
