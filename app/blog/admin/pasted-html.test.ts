import { describe, expect, test } from 'vitest'
import { readPastedHtml } from './pasted-html.ts'

const markdownOf = (html: string) => readPastedHtml(html)?.markdown

describe('what is pasted from a document', () => {
  test('of Google Docs keeps its headings, lists, links, emphasis and tables', () => {
    const span = (style: string, text: string) =>
      `<span style="font-size:11pt;font-family:Arial,sans-serif;color:#000;${style}">${text}</span>`
    const html = `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1a2b">
<h1 dir="ltr" style="line-height:1.38"><span style="font-size:20pt;font-weight:400">Prices</span></h1>
<p dir="ltr">${span('font-weight:400', 'Read ')}${span('font-weight:700', 'every ')}${span('font-weight:700;font-style:italic', 'day')}${span('font-weight:400;text-decoration:line-through', ' or week')}, <a href="https://www.google.com/url?q=https://shop.example/a?b%3D1&amp;sa=D&amp;source=docs" style="text-decoration:none;"><span style="color:#1155cc;text-decoration:underline">here</span></a>.</p>
<h2 dir="ltr"><span style="font-weight:700">Shops</span></h2>
<ul style="margin-top:0"><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation"><span>One</span></p></li>
<ul><li dir="ltr" aria-level="2"><p dir="ltr" role="presentation"><span>Inner</span></p></li></ul>
<li dir="ltr"><p dir="ltr" role="presentation"><span>Two</span></p></li></ul>
<div dir="ltr" align="left"><table><colgroup><col width="99"/><col/></colgroup><tbody><tr><td><p><span>Shop</span></p></td><td><p><span>Price | day</span></p></td></tr>
<tr><td><p><span>Northgate</span></p><p><span>Main St</span></p></td><td><p><span>12</span></p></td></tr></tbody></table></div>
<p><span><img src="https://lh7-rt.googleusercontent.com/docsz/x" width="10"/></span></p></b><br class="Apple-interchange-newline">`
    expect(readPastedHtml(html)).toEqual({
      pictures: 1,
      markdown: [
        '## Prices',
        'Read **every** **_day_** ~~or week~~, [here](https://shop.example/a?b=1).',
        '### Shops',
        '- One\n  - Inner\n- Two',
        '| Shop              | Price \\| day |\n| ----------------- | ------------ |\n| Northgate Main St | 12           |',
      ].join('\n\n'),
    })
  })

  test('of Word keeps the lists that it writes as paragraphs', () => {
    const item = (level: number, sign: string, text: string) =>
      `<p class=MsoListParagraphCxSpMiddle style='margin-left:.5in;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>${sign}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>\n`
    const html = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal {margin:0} --></style></head><body lang=EN-US><!--StartFragment-->
<p class=MsoTitle>Report<o:p></o:p></p><h2>Shops<o:p></o:p></h2><p class=MsoNormal><b>Three</b> of&nbsp;them:<o:p></o:p></p>
${item(1, '·', 'North')}${item(2, 'o', 'Gate')}${item(1, '·', 'South')}${item(1, '1.', 'First')}${item(1, '2.', 'Second')}<p class=MsoNormal><o:p>&nbsp;</o:p></p>
<p class=MsoNormal><a href="#_Toc1">Contents</a> and <a href="file:///C:/a.docx">a file</a></p>
<table class=MsoTableGrid border=1><tr><td><p class=MsoNormal><b>A</b></p></td></tr><tr><td><p class=MsoNormal>1</p></td></tr></table><!--EndFragment--></body></html>`
    expect(markdownOf(html)).toBe(
      [
        '## Report',
        '### Shops',
        '**Three** of them:',
        '- North\n  - Gate\n- South',
        '1. First\n2. Second',
        'Contents and a file',
        '| **A** |\n| ----- |\n| 1     |',
      ].join('\n\n'),
    )
  })

  test('of Word keeps bold and italic text: what it says of other scripts beside them is about those', () => {
    const html = `<p class=MsoNormal>Shops change <b style='mso-bidi-font-weight:normal'>12%</b> of prices <i style='mso-bidi-font-style:normal'>daily</i>, <span style='mso-bidi-font-weight:bold;mso-bidi-font-style:italic'>see</span> <span style='font-weight:bold'>here</span>.<o:p></o:p></p>`
    expect(markdownOf(html)).toBe('Shops change **12%** of prices *daily*, see **here**.')
  })

  test('of a web page has no scripts, no styles, no pictures, and no address that is not of the web', () => {
    const html = `<style>p{color:red}</style><script>alert(1)</script><h3>Fetch</h3><pre><code class="language-js">await fetch(url)\n</code></pre>
<p onclick="alert(1)">By <a href="javascript:alert(1)">this</a>, <code>GET</code> or <a href="mailto:a@b.example">mail</a><img src="https://spy.example/1.gif" alt="spy"></p><blockquote><p>Said</p></blockquote><ol start="3"><li>Three</li></ol><hr>`
    expect(readPastedHtml(html)).toEqual({
      pictures: 1,
      markdown: '### Fetch\n\n```js\nawait fetch(url)\n```\n\nBy this, `GET` or [mail](mailto:a@b.example)\n\n> Said\n\n3. Three\n\n---',
    })
  })
})

test('text without a form stays as it is: it may be Markdown already', () => {
  expect(readPastedHtml('<meta charset="utf-8"><span style="color:#222">## Not **changed**</span>')).toBeUndefined()
  expect(readPastedHtml('<img src="https://shop.example/a.png">')).toBeUndefined()
  expect(markdownOf('<p>One</p><p>Two</p>')).toBe('One\n\nTwo')
})

test('a page without an end, or with elements a thousand deep, is not read', () => {
  expect(readPastedHtml(`<b>${'x'.repeat(3_000_000)}</b>`)).toBeUndefined()
  expect(readPastedHtml(`${'<blockquote>'.repeat(1000)}deep`)).toBeUndefined()
})
