import { createHash } from 'node:crypto'

/**
 * A page with the style sheets that it names written into it: it can be painted as soon as it is there, where each sheet would cost another
 * way to the server and back. The content policy lets in exactly these sheets, by their hashes. With them the browser knows the faces of the page
 * at once, so asking for them ahead of its words would only hold the words up. A sheet that is not at hand stays a link.
 */
export async function withStylesInside(response: Response, readSheet: (address: string) => string | undefined): Promise<Response> {
  if (!response.headers.get('content-type')?.startsWith('text/html')) return response
  const hashes: string[] = []
  const html = (await response.text()).replaceAll(SHEET, (link, address: string) => {
    const sheet = readSheet(address)
    if (sheet === undefined) return link
    hashes.push(`'sha256-${createHash('sha256').update(sheet).digest('base64')}'`)
    return `<style>${sheet}</style>`
  })
  const headers = new Headers(response.headers)
  if (hashes.length > 0) headers.set('content-security-policy', allow(hashes, headers.get('content-security-policy') ?? ''))
  return new Response(hashes.length > 0 ? html.replaceAll(FACE, '') : html, { status: response.status, headers })
}

const SHEET = /<link rel="stylesheet" href="([^"]+)"\/>/g
const FACE = /<link rel="preload"[^>]* as="font"[^>]*\/>/g

function allow(hashes: readonly string[], policy: string): string {
  return policy.replace("style-src 'self'", `style-src 'self' ${hashes.join(' ')}`)
}
