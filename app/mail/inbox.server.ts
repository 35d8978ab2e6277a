import { isInboxOpen } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/stop.ts'
import type { Visit } from '#app/platform/visit.server.ts'

/** Lets someone at this machine read the letters that no server sends, or stops as if there were nothing. */
export function allowInbox(visit: Pick<Visit, 'isLocal'>): void {
  if (!isInboxFor(visit)) stop('notFound', 'There is nothing at this address.')
}

/** Whether letters wait here, and this visitor may read them. */
export function isInboxFor({ isLocal }: Pick<Visit, 'isLocal'>): boolean {
  return isInboxOpen && isLocal
}
