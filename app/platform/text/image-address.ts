/** Only plain characters: the server could read a percent sign or a doubled slash in another way. */
const IMAGE_FILE = /^(?:\/[\w-][\w.-]*)+\.(?:avif|gif|ico|jpe?g|png|svg|webp)$/i
const ENDPOINT = /^\/(?:api|auth)\//i

/**
 * Whether a page may load this address as an image. A browser sends cookies with every request to this site, so here only image files
 * are loaded, and never an endpoint. Other sites need http or https. `site` is the origin of this site.
 */
export function isImageAddress(address: string, site: string): boolean {
  const url = URL.parse(address, site)
  if (!url || !/^https?:$/.test(url.protocol)) return false
  if (hostOf(url) !== hostOf(new URL(site))) return true
  return IMAGE_FILE.test(url.pathname) && !ENDPOINT.test(url.pathname)
}

/** Cookies are sent to every port of a host, and a trailing dot names the same host. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/\.$/, '')
}
