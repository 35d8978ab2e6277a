/** Marks a link of a flow, for clients and for us. */
export const FLOW_PREFIX = 'pkce_'

/** A link of a flow leads to a code instead of a session. */
export function isFlowLink(link: string): boolean {
  return link.startsWith(FLOW_PREFIX)
}
