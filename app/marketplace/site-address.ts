/** Parts that use it are shown once the answer of the API is there, so in a browser. */
export function siteAddress(): string {
  return typeof location === 'undefined' ? '' : location.origin
}
