import { sendAlways } from '#app/platform/browser/api.ts'

let tab: string | undefined

/**
 * The organization for which this tab works: the one of its first page. Another tab can choose another one; requests of this tab go on being for its
 * own until it loads a new document.
 */
export function workFor(organizationId: string): void {
  if (tab !== undefined) return
  tab = organizationId
  sendAlways('organization', organizationId)
}
