import { createHash } from 'node:crypto'

/** The text of a file for browsers, by its address; undefined for one that is not in memory. */
export type ReadFile = (address: string) => string | undefined

/**
 * Inlines the style sheets and the script of a page, and adds its speculation rules. The page can be painted as soon as it arrives, where
 * each file would cost another round trip. The content policy allows exactly these texts, by their hashes. With its styles inline, the
 * browser finds the fonts immediately, so a preload would only delay the text. A file that is not in memory stays a link.
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
    .replace('<style>', (start) => (allowed.script ? write('script', '<script>', OPENING) : '') + start)
    .replace('</body>', (end) => write('script', '<script type="speculationrules">', rules) + end)
  const headers = new Headers(response.headers)
  const policy = headers.get('content-security-policy') ?? ''
  headers.set(
    'content-security-policy',
    policy.replace(`style-src 'self'`, (start) => start + allowed.style).replace(`script-src 'self'`, (start) => start + allowed.script),
  )
  return new Response(allowed.style ? html.replaceAll(FACE, '') : html, { status: response.status, headers })
}

/** React Router ends the address of a sheet with # where code that is loaded later has it too. */
const SHEET = /<link rel="stylesheet" href="([^"#]+)#?"\/>/g
const SCRIPT = /<script type="module" src="([^"]+)"(?: integrity="[^"]+")?><\/script>/g
const FACE = /<link rel="preload"[^>]* as="font"[^>]*\/>/g

/**
 * Runs before layout and lets a page that was just opened be laid out part by part (`fonts.css`, `opened.ts`): it is painted and usable sooner
 * on a slow phone. Heights further down are guesses until then. So it is not for a reload, a return or an address with a # (before a text
 * fragment as well), which scroll to a position. Nor is it for browsers without scroll anchoring, or for a hidden page, such as
 * a prerendered one: it makes no frames.
 */
export const OPENING = [
  `{let r=document.documentElement,[o]=performance.getEntriesByType('navigation');`,
  `if(!document.hidden&&o?.type=='navigate'&&!/#/.test(o.name+location)&&'overflowAnchor'in r.style)r.dataset.opened=''}`,
].join('')

/** Undefined for text that would close its element or begin a comment in it; such a file stays a link. */
function textInside(text: string | undefined): string | undefined {
  return text === undefined || /<\/(style|script)|<!--/i.test(text) ? undefined : text
}
