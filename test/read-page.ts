import type { Http } from '#app/platform/http/http.server.ts'

/** A page in its reader's view. */
export type ReadPage = {
  status: number
  html: string
  /** The content of `<main>`: the HTML, and only the words. */
  main: string
  text: string
  title: string
  meta: (name: string) => string | undefined
  /** The targets of the links in `<main>`. */
  links: string[]
}

export async function readPage(app: Http, url: string): Promise<ReadPage> {
  const { statusCode, body } = await app.inject(url)
  const main = body.slice(body.indexOf('<main'), body.indexOf('</main>'))
  return {
    status: statusCode,
    html: body,
    main,
    text: textOf(main),
    title: textOf(/<title>(.*?)<\/title>/.exec(body)?.[1] ?? ''),
    meta: (name) => textOf(new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(body)?.[1] ?? '') || undefined,
    links: [...main.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, href = '']) => href),
  }
}

/** The words of a piece of HTML: no tags, no entities, one space at a time. */
export function textOf(html: string): string {
  return html
    .replaceAll('<!-- -->', '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(amp|quot|#x27|lt|gt);/g, (entity) => entities[entity] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim()
}

const entities: Record<string, string> = { '&amp;': '&', '&quot;': '"', '&#x27;': "'", '&lt;': '<', '&gt;': '>' }
