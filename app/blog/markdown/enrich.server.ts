import { imageIdOf, type PictureSizes } from '#app/blog/images/picture.ts'
import { isImageAddress } from '#app/platform/text/image-address.ts'
import { type MarkdownNode, element, type Element, elementsIn, type Root, nodeText, textIn } from './tree.ts'

/** The context of a text: the origin of this site, and the library images in it by id. */
export type RenderContext = { site: string; pictures: ReadonlyMap<string, PictureSizes> }

/** Transforms an element for readers. */
export function enriched(given: Element, surroundings: RenderContext): Element {
  if (/^h[1-6]$/.test(given.tagName)) return heading(given)
  if (given.tagName === 'a') return link(given, surroundings.site)
  if (given.tagName === 'img') return picture(given, surroundings)
  if (given.tagName === 'p') return figureOf(given) ?? given
  if (given.tagName === 'table') return scrollingTable(given)
  if (given.tagName === 'input')
    return { ...given, properties: { ...given.properties, ariaLabel: given.properties['checked'] ? 'Done' : 'To do' } }
  return given
}

/** The page has its own first-level heading. Each heading links to itself, unless it contains a link. */
function heading(given: Element): Element {
  const { id } = given.properties
  const tagName = given.tagName === 'h1' ? 'h2' : given.tagName
  if (id === 'footnote-label') return element('h2', { id: 'note-label' }, given.children)
  if (typeof id !== 'string') return element(tagName, {}, given.children)
  const hasLink = [...elementsIn(given)].some((inner) => inner.element.tagName === 'a')
  const content: MarkdownNode[] = hasLink ? given.children : [element('a', { href: `#${id}`, className: ['anchor'] }, given.children)]
  return element(tagName, { id }, content)
}

/** Staff choose the links, so search engines may follow them; the other site gets no access to our window. */
function link(given: Element, site: string): Element {
  const { href, ...rest } = given.properties
  if (given.properties['ariaDescribedBy']) rest['ariaDescribedBy'] = ['note-label']
  if (typeof href !== 'string') return element('a', rest, given.children)
  const url = URL.parse(href, site)
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  const external = isWeb && url.origin !== new URL(site).origin ? { rel: ['external', 'noopener'] } : {}
  return element('a', { ...rest, href, ...external }, given.children)
}

/** The frame of an image of unknown size; the image is fitted into it. */
const UNKNOWN = { width: 1600, height: 900, className: ['unmeasured'], referrerPolicy: 'no-referrer' }
const SIZES = '(width < 48rem) 100vw, 44rem'

/** Reserves the space, so that nothing moves while loading. Library images are served in the best format and size. */
function picture(given: Element, { site, pictures }: RenderContext): Element {
  const { src, alt = '', title } = given.properties
  if (!isImageAddress(String(src), site)) return element('span', {}, [nodeText(alt)])
  const stored = pictures.get(imageIdOf(String(src)) ?? '')
  const common = { alt, ...(title && { title }), loading: 'lazy', decoding: 'async' }
  if (!stored) return element('img', { src, ...common, ...UNKNOWN }, [])
  const sources = stored.sources.map((source) => element('source', { ...source, sizes: SIZES }, []))
  return element('picture', {}, [
    ...sources,
    element('img', { src: stored.src, ...common, width: stored.width, height: stored.height }, []),
  ])
}

/** An image alone in its paragraph; its title becomes the caption. */
function figureOf(given: Element): Element | undefined {
  const [only, ...others] = given.children
  if (others.length > 0 || only?.type !== 'element' || !['img', 'picture'].includes(only.tagName)) return undefined
  const title = [only, ...[...elementsIn(only)].map((inner) => inner.element)].find(({ properties }) => properties['title'])?.properties[
    'title'
  ]
  return element('figure', {}, [only, ...(title ? [element('figcaption', {}, [nodeText(title)])] : [])])
}

/** Wide tables scroll separately, also by keyboard. */
function scrollingTable(given: Element): Element {
  const heads = [...elementsIn(given)].filter((inner) => inner.element.tagName === 'th').map((inner) => textIn(inner.element).trim())
  const name = heads.filter(Boolean).join(', ').slice(0, 120)
  return element('div', { className: ['table-scroll'], role: 'group', tabIndex: 0, ariaLabel: name ? `Table: ${name}` : 'Table' }, [given])
}

/** Second- and third-level headings, for the table of contents. */
export function headingsOf(tree: Root) {
  return [...elementsIn(tree)].flatMap(({ element: { tagName, properties }, element: found }) => {
    const id = properties['id'] ?? ''
    return /^h[23]$/.test(tagName) && id.startsWith('sec-') ? [{ id, depth: Number(tagName[1]), title: textIn(found).trim() }] : []
  })
}
