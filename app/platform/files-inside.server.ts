import { createHash } from 'node:crypto'

/** The text of a file for browsers, by its address; nothing for one that is not at hand. */
export type ReadFile = (address: string) => string | undefined

/**
 * A page with the style sheets and the script that it names written into it, and the rules by which browsers make the next page ready: it
 * can be painted as soon as it is there, where each file would cost another way to the server and back. The content policy lets in exactly
 * these, by their hashes. With its styles the browser knows the faces of the page at once, so asking for them ahead of its words would only
 * hold the words up. A file that is not at hand stays a link.
 */
export async function withFilesInside(response: Response, readFile: ReadFile, rules: string): Promise<Response> {
  if (!response.headers.get('content-type')?.startsWith('text/html')) return response
  const allowed = { style: '', script: '' }
  const write = (kind: keyof typeof allowed, start: string, text: string) => {
    allowed[kind] += ` 'sha256-${createHash('sha256').update(text).digest('base64')}'`
    return `${start}${text}</${kind}>`
  }
  const html = (await response.text())
    .replaceAll(SHEET, (link, address: string) => {
      const sheet = textInside(readFile(address))
      return sheet === undefined ? link : write('style', '<style>', sheet)
    })
    .replaceAll(SCRIPT, (link, address: string) => {
      const script = textInside(readFile(address))
      return script === undefined ? link : write('script', '<script type="module">', script)
    })
    .replace('</body>', (end) => write('script', '<script type="speculationrules">', rules) + end)
  const headers = new Headers(response.headers)
  const policy = headers.get('content-security-policy') ?? ''
  headers.set(
    'content-security-policy',
    policy.replace(`style-src 'self'`, (start) => start + allowed.style).replace(`script-src 'self'`, (start) => start + allowed.script),
  )
  return new Response(allowed.style ? html.replaceAll(FACE, '') : html, { status: response.status, headers })
}

const SHEET = /<link rel="stylesheet" href="([^"]+)"\/>/g
const SCRIPT = /<script type="module" src="([^"]+)"><\/script>/g
const FACE = /<link rel="preload"[^>]* as="font"[^>]*\/>/g

/** What would end the element that it stands in, or begin a comment in it, stays outside. */
function textInside(text: string | undefined): string | undefined {
  return text === undefined || /<\/(style|script)|<!--/i.test(text) ? undefined : text
}
