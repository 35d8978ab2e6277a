/** A name or an address, and a port. No list, and no other part of a URL. */
const ONE_HOST = /^(?:[\w.~%-]*|\[[\da-f:.]+\])(?::\d{0,5})?$/i

/** Whether a request names at most one host. With two, a proxy and this server could each believe another one (RFC 9112, section 3.2). */
export function namesOneHost(rawHeaders: readonly string[]): boolean {
  const hosts = rawHeaders.filter((_text, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'host')
  return hosts.length <= 1 && hosts.every((host) => ONE_HOST.test(host))
}
