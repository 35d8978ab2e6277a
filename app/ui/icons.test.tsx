import * as lucide from 'lucide-react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import * as icons from './icons.tsx'

test.each(Object.entries(icons))('the icon %s is that of Lucide', (name, Ours) => {
  const [, Theirs] = Object.entries<unknown>(lucide).find(([each]) => each === name) ?? []
  if (!isIcon(Theirs)) throw new Error(`Lucide has no icon ${name}.`)
  const theirs = renderToStaticMarkup(<Theirs className="size-4" />)
    .replace(/lucide[\w-]* /g, '')
    .replace(/<polyline points="([^"]*)"><\/polyline>/g, '<path d="M$1"></path>')
    .replace(/<line x1="(\S+)" x2="(\S+)" y1="(\S+)" y2="(\S+)"><\/line>/g, '<path d="M$1 $3 $2 $4"></path>')
  expect(attributesOf(renderToStaticMarkup(<Ours className="size-4" />))).toEqual(attributesOf(theirs))
})

test('an icon with a name of its own is not hidden', () => {
  const named = renderToStaticMarkup(<icons.StarIcon role="img" aria-label="Starred" />)
  expect(named).toContain('aria-label="Starred"')
  expect(named).not.toContain('aria-hidden')
  expect(renderToStaticMarkup(<icons.StarIcon />)).toContain('aria-hidden="true"')
})

const isIcon = (value: unknown): value is icons.Icon => typeof value === 'object' && value !== null && '$$typeof' in value

/** Each element with its attributes, whose order means nothing. */
function attributesOf(html: string): string[][] {
  return [...html.matchAll(/<(\w+)([^>]*)>/g)].map(([, name = '', rest = '']) => [
    name,
    ...(rest.match(/[\w:-]+="[^"]*"/g) ?? []).toSorted(),
  ])
}
