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

const SHEET = /<link rel="stylesheet" href="([^"]+)"\/>/g
const SCRIPT = /<script type="module" src="([^"]+)"><\/script>/g
const FACE = /<link rel="preload"[^>]* as="font"[^>]*\/>/g

/**
 * Runs before anything is laid out, and lets a page that was just opened be laid out part by part (`fonts.css`): it is shown sooner, and a slow
 * phone can be used sooner. Until then heights further down are guesses, so it is not for who comes back to the page, asks for it once more or
 * comes to a place within (whose address has a #, before a text to look for as well): they are brought to where something stands. Nor is it for
 * browsers that do not keep in place what is being read while something above it grows. It ends at the first click or key, which may lead to a place.
 */
export const OPENING = [
  `{let d=document,r=d.documentElement,[o]=performance.getEntriesByType('navigation');`,
  `if(o?.type=='navigate'&&!/#/.test(o.name+location)&&'overflowAnchor'in r.style){r.dataset.opened='';`,
  `for(let e of['click','keydown'])addEventListener(e,()=>d.getAnimations().map(a=>a.animationName=='later'&&a.cancel()),{capture:!0,once:!0})}}`,
].join('')

/** What would end the element that it stands in, or begin a comment in it, stays outside. */
function textInside(text: string | undefined): string | undefined {
  return text === undefined || /<\/(style|script)|<!--/i.test(text) ? undefined : text
}
