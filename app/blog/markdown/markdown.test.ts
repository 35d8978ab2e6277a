import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { env } from '#app/platform/env.server.ts'
import { RENDERING, renderMarkdown } from './markdown.server.ts'

const htmlOf = async (source: string) => (await renderMarkdown(source)).html

describe('happy', () => {
  test("GitHub's flavour, each line break one of its own", async () => {
    const html = await htmlOf(
      'One\ntwo ~~three~~\n\n| Shop | Price |\n|---|--:|\n| A | 5 |\n\n- [x] read\n- [ ] checked\n\nA note[^1]\n\n[^1]: It says so.',
    )

    expect(html).toContain('One<br>\ntwo <del>three</del>')
    expect(html).toContain('<div class="table-scroll" role="group" tabindex="0" aria-label="Table: Shop, Price"><table>')
    expect(html).toContain('<td align="right">5</td>')
    expect(html).toContain('<input type="checkbox" checked disabled aria-label="Done">')
    expect(html).toContain('<a id="note-fnref-1" data-footnote-ref aria-describedby="note-label" href="#note-fn-1">1</a>')
    expect(html).toContain('<li id="note-fn-1">')
  })

  test('the page has its own first heading; the others lead to themselves and make the table of contents', async () => {
    const { html, headings } = await renderMarkdown('# Main *part*\n\n## Main part\n\n### With a [link](/contact)\n\n#### Deep')

    expect(headings).toEqual([
      { id: 'sec-main-part', depth: 2, title: 'Main part' },
      { id: 'sec-main-part-1', depth: 2, title: 'Main part' },
      { id: 'sec-with-a-link', depth: 3, title: 'With a link' },
    ])
    expect(html).not.toContain('<h1')
    expect(html).toContain('<h2 id="sec-main-part"><a href="#sec-main-part" class="anchor">Main <em>part</em></a></h2>')
    expect(html).toContain('<h3 id="sec-with-a-link">With a <a href="/contact">link</a></h3>')
  })

  test('code is coloured by classes, in the languages of our trade, and stays as it is in others', async () => {
    expect(await htmlOf('```ts\nconst price: number = 5\n```')).toContain(
      '<pre class="code" tabindex="0" data-language="typescript"><code><span class="code-keyword">const</span>',
    )
    expect(await htmlOf('```py\ndef read(): return "<b>"\n```')).toContain('<span class="code-string">"&#x3C;b>"</span>')
    expect(await htmlOf('```brainfuck\n<[+]>\n```')).toBe(
      '<pre class="code" tabindex="0" data-language="brainfuck"><code>&#x3C;[+]></code></pre>',
    )
    expect(await htmlOf('    a < b')).toBe('<pre class="code" tabindex="0"><code>a &#x3C; b</code></pre>')
  })

  test('links to other sites are marked, those to this one are not', async () => {
    expect(await htmlOf('[a](https://example.org/x)')).toContain('<a href="https://example.org/x" rel="external noopener">')
    for (const own of ['/contact', `${env.SITE_URL}/contact`, '#sec-a', 'mailto:a@example.org'])
      expect(await htmlOf(`[a](${own})`)).toContain(`<a href="${own}">`)
  })

  test('a picture keeps its place before it has come; its title stands below it', async () => {
    expect(await htmlOf('![A shop](https://example.org/a.png "The shop")')).toMatch(
      /^<figure><img src="https:\/\/example.org\/a.png" alt="A shop" title="The shop" loading="lazy" decoding="async" width="1600" height="900" [^>]*><figcaption>The shop<\/figcaption><\/figure>$/,
    )
  })

  test('words are counted as they are read, without blocks of code and signs', async () => {
    const { words } = await renderMarkdown(
      "# Two words\n\nDon't count `inline` — 5,000 of them [here](https://example.org/a/b)\n\n```\nnot these words\n```",
    )
    expect(words).toBe(9)
  })
})

describe('error', () => {
  test('excessive nesting is refused with a message', async () => {
    const refused = { status: 422, data: 'Quotes, lists or brackets are nested too deeply.' }
    await expect(renderMarkdown('> '.repeat(200) + 'a')).rejects.toMatchObject(refused)
    await expect(renderMarkdown('> '.repeat(1_900) + 'a')).rejects.toMatchObject(refused)
  })

  test('no text and strange text are texts', async () => {
    expect(await renderMarkdown('')).toEqual({ html: '', headings: [], words: 0, rendering: RENDERING })
    expect((await renderMarkdown('\u0000\uD800 \u202E ok')).words).toBe(1)
  })
})

/** Fragments from which hostile Markdown could make HTML, to be mixed. */
const pieces = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '</p><iframe srcdoc="<script>alert(1)</script>">',
  '<!--',
  '[a](javascript:alert(1))',
  '![a](javascript:alert(1))',
  '[a](JaVaScRiPt&colon;alert(1))',
  '<javascript:alert(1)>',
  '[a](data:text/html,x)',
  '[x]: javascript:alert(1)\n\n[x]',
  '![x" onerror="alert(1)](https://a.example/"onerror="alert(1))',
  '```"><script>\n',
  '`',
  '\n\n',
  '| a |\n|---|\n',
  '# <a id=location>',
  '## constructor',
  '[^1]',
  '\n[^"><script>]: x',
  '- [ ] ',
  '> ',
  '*',
  '_',
  '~~',
  '&lt;script&gt;',
  '\\<',
  '(',
  ')',
  '[',
  ']',
  '"',
  "'",
  'https://a.example/?"><script>',
  'a@b.example',
  'style="x"',
  'vbscript:x',
  '\u0000',
  '\t',
]

const TAG = /<(\/?)([a-z][a-z\d]*)((?: [a-z-]+(?:="[^"]*")?)*)>/g
const tags =
  'p br hr h2 h3 h4 h5 h6 blockquote ul ol li pre code span div strong em del sup a img figure figcaption input section table thead tbody tr th td'.split(
    ' ',
  )

const HARMLESS =
  /^(href|src|id|class|alt|title|rel|width|height|loading|decoding|referrerpolicy|tabindex|role|align|start|type|checked|disabled|aria-[a-z]+|data-(language|footnote(s|-ref|-backref)))$/

/** Finds everything that our own rendering could not have written. */
function dangersIn(html: string): string[] {
  // Without its well-formed tags, no text may contain a `<`.
  const loose = html.replaceAll(TAG, '').includes('<') ? [html] : []
  const found = [...html.matchAll(TAG)].flatMap(([tag, , name = '', attributes = '']) => {
    const pairs = [...attributes.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g)]
    return tags.includes(name) && pairs.every(([, attribute = '', value = '']) => isHarmless(attribute, value)) ? [] : [tag]
  })
  return [...loose, ...found]
}

function isHarmless(attribute: string, value: string): boolean {
  if (attribute === 'id') return /^(sec|note)-/.test(value)
  if (attribute === 'href' || attribute === 'src') return /^(https?|mailto):$/.test(protocolOf(value))
  return HARMLESS.test(attribute)
}

/** Parses like a browser. */
function protocolOf(value: string): string {
  const read = value.replaceAll(/&#x([\da-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
  return new URL(read, env.SITE_URL).protocol
}

describe('security', () => {
  test('any Markdown renders to known elements with harmless attributes only', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 6 })), { maxLength: 14 }), async (parts) => {
        expect(dangersIn(await htmlOf(parts.join('')))).toEqual([])
      }),
      { numRuns: 300 },
    )
  })
})
