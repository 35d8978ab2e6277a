import type rehypeSlug from 'rehype-slug'

/** HTML as a tree, as the packages that make and read it know it. */
export type Root = Parameters<ReturnType<typeof rehypeSlug>>[0]
export type Content = Root['children'][number]
export type Element = Extract<Content, { type: 'element' }>

type Properties = Element['properties']

export function element(tagName: string, properties: Properties, children: Content[]): Element {
  return { type: 'element', tagName, properties, children: children.filter((child) => child.type !== 'doctype') }
}

export function text(value: string): Content {
  return { type: 'text', value }
}

/** All elements, from the outermost to the innermost, each with how deep it lies. */
export function* elementsIn(node: Root | Element, depth = 0): Generator<{ element: Element; depth: number }> {
  for (const child of node.children) {
    if (child.type !== 'element') continue
    yield { element: child, depth }
    yield* elementsIn(child, depth + 1)
  }
}

/** The words of an element, without those in what `skip` names. */
export function textIn(node: Root | Content, skip: (element: Element) => boolean = () => false): string {
  if (node.type === 'text') return node.value
  if (!('children' in node) || (node.type === 'element' && skip(node))) return ''
  return node.children.map((child) => textIn(child, skip)).join('')
}

/** Puts other elements in the place of some, from the innermost outwards. */
export function replaceElements(node: Root | Element, by: (element: Element) => Element): void {
  node.children.forEach((child, index) => {
    if (child.type !== 'element') return
    replaceElements(child, by)
    node.children[index] = by(child)
  })
}
