import { isInboxOpen } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'

/** Allows a request from this machine to read undelivered emails. Everyone else gets 404. */
export function allowInbox(requestContext: Pick<RequestContext, 'isLocal'>): void {
  if (!isInboxFor(requestContext)) stop('notFound', 'There is nothing at this address.')
}

/** Whether this installation has a development inbox that this visitor may read. */
export function isInboxFor({ isLocal }: Pick<RequestContext, 'isLocal'>): boolean {
  return isInboxOpen && isLocal
}
