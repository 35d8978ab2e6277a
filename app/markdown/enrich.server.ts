import { imageIdOf, type PictureSizes } from '#app/images/picture.ts'
import { isImageAddress } from '#app/platform/image-address.ts'
import { type Content, element, type Element, elementsIn, type Root, text, textIn } from './tree.server.ts'

/** What a text stands on: the address of this site, and the pictures of our own that it shows, by the id in their address. */
export type Surroundings = { site: string; pictures: ReadonlyMap<string, PictureSizes> }

/** Each element as readers get it. */
export function enriched(given: Element, surroundings: Surroundings): Element {
  if (/^h[1-6]$/.test(given.tagName)) return heading(given)
  if (given.tagName === 'a') return link(given, surroundings.site)
  if (given.tagName === 'img') return picture(given, surroundings)
  if (given.tagName === 'p') return figureOf(given) ?? given
  if (given.tagName === 'table') return scrollingTable(given)
  if (given.tagName === 'input')
    return { ...given, properties: { ...given.properties, ariaLabel: given.properties['checked'] ? 'Done' : 'To do' } }
  return given
}

/** The page has a first heading of its own. A heading is the link to itself, unless there is another link in it. */
function heading(given: Element): Element {
  const { id } = given.properties
  const tagName = given.tagName === 'h1' ? 'h2' : given.tagName
  if (id === 'footnote-label') return element('h2', { id: 'note-label' }, given.children)
  if (typeof id !== 'string') return element(tagName, {}, given.children)
  const hasLink = [...elementsIn(given)].some((inner) => inner.element.tagName === 'a')
  const content: Content[] = hasLink ? given.children : [element('a', { href: `#${id}`, className: ['anchor'] }, given.children)]
  return element(tagName, { id }, content)
}

/** Staff vouch for what they link to, so search engines may follow; the other site learns nothing of our window. */
function link(given: Element, site: string): Element {
  const { href, ...rest } = given.properties
  if (given.properties['ariaDescribedBy']) rest['ariaDescribedBy'] = ['note-label']
  if (typeof href !== 'string') return element('a', rest, given.children)
  const url = URL.parse(href, site)
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  const external = isWeb && url.origin !== new URL(site).origin ? { rel: ['external', 'noopener'] } : {}
  return element('a', { ...rest, href, ...external }, given.children)
}

/** What a picture of an unknown size is given room for; it is fitted into that. */
const UNKNOWN = { width: 1600, height: 900, className: ['unmeasured'], referrerPolicy: 'no-referrer' }
const SIZES = '(width < 48rem) 100vw, 44rem'

/** Its place is kept before it has come, so nothing moves. Ours come in the best kind and size that the browser takes. */
function picture(given: Element, { site, pictures }: Surroundings): Element {
  const { src, alt = '', title } = given.properties
  if (!isImageAddress(String(src), site)) return element('span', {}, [text(alt)])
  const stored = pictures.get(imageIdOf(String(src)) ?? '')
  const common = { alt, ...(title && { title }), loading: 'lazy', decoding: 'async' }
  if (!stored) return element('img', { src, ...common, ...UNKNOWN }, [])
  const sources = stored.sources.map((source) => element('source', { ...source, sizes: SIZES }, []))
  return element('picture', {}, [
    ...sources,
    element('img', { src: stored.src, ...common, width: stored.width, height: stored.height }, []),
  ])
}

/** A picture that is a paragraph by itself; its title is what stands below it. */
function figureOf(given: Element): Element | undefined {
  const [only, ...others] = given.children
  if (others.length > 0 || only?.type !== 'element' || !['img', 'picture'].includes(only.tagName)) return undefined
  const title = [only, ...[...elementsIn(only)].map((inner) => inner.element)].find(({ properties }) => properties['title'])?.properties[
    'title'
  ]
  return element('figure', {}, [only, ...(title ? [element('figcaption', {}, [text(title)])] : [])])
}

/** What is wider than its column moves by itself, also with the keyboard. */
function scrollingTable(given: Element): Element {
  const heads = [...elementsIn(given)].filter((inner) => inner.element.tagName === 'th').map((inner) => textIn(inner.element).trim())
  const name = heads.filter(Boolean).join(', ').slice(0, 120)
  return element('div', { className: ['table-scroll'], role: 'group', tabIndex: 0, ariaLabel: name ? `Table: ${name}` : 'Table' }, [given])
}

/** Its second and third headings, for a table of contents. */
export function headingsOf(tree: Root) {
  return [...elementsIn(tree)].flatMap(({ element: { tagName, properties }, element: found }) => {
    const id = properties['id'] ?? ''
    return /^h[23]$/.test(tagName) && id.startsWith('sec-') ? [{ id, depth: Number(tagName[1]), title: textIn(found).trim() }] : []
  })
}
