/** Only called after the API has responded, so always in a browser. */
export function siteAddress(): string {
  return typeof location === 'undefined' ? '' : location.origin
}
