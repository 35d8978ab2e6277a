/** Clients and we ourselves tell by it that a link belongs to a flow. */
export const FLOW_PREFIX = 'pkce_'

/** Whether a link belongs to a flow: it leads to a code instead of a session. */
export function isFlowLink(link: string): boolean {
  return link.startsWith(FLOW_PREFIX)
}
