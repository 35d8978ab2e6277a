import { strToU8, zipSync } from 'fflate'
import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import { db } from '#app/platform/database/db.server.ts'
import { startApp } from '#test/app.ts'
import { makeUser, signIn } from '#test/factories.ts'
import type { ImportedFile } from './post-file.ts'

const app = await startApp()
const owner = await signIn('owner')
const staff = await signIn('staff')
const grace = await makeUser({ role: 'staff', email: 'grace@example.com' })
const picture = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#c40' } })
  .png()
  .toBuffer()

const zip = (files: Record<string, string | Uint8Array>) =>
  Buffer.from(
    zipSync(Object.fromEntries(Object.entries(files).map(([name, file]) => [name, typeof file === 'string' ? strToU8(file) : file]))),
  )
const send = (payload: Buffer, query: string, { headers } = owner) =>
  app.inject({ method: 'POST', url: `/api/blog/import?${query}`, headers: { ...headers, 'content-type': 'application/zip' }, payload })
async function report(payload: Buffer, query = 'dry=false', person = owner): Promise<ImportedFile[]> {
  const reply = await send(payload, query, person)
  expect(reply.statusCode).toBe(200)
  const lines = reply.body.trim().split('\n')
  return lines.map((line) => JSON.parse(line))
}
const find = async (slug: string) => (await app.inject({ url: `/api/blog/${slug}`, headers: owner.headers })).json()
const redirects = async () =>
  (await db.selectFrom('redirects').select(['fromPath', 'toPath', 'statusCode', 'query']).orderBy('position').execute()).map(
    ({ fromPath, toPath, statusCode, query }) => `${fromPath} ${toPath} ${statusCode} ${query}`,
  )
const count = async (table: 'posts' | 'images' | 'redirects') => (await db.selectFrom(table).select('id').execute()).length

beforeEach(async () => {
  for (const table of ['posts', 'images', 'redirects'] as const) await db.deleteFrom(table).execute()
})

const item = (fields: Record<string, string>, more = '') =>
  `<item>${Object.entries(fields)
    .map(([name, text]) => `<${name}><![CDATA[${text}]]></${name}>`)
    .join('')}${more}</item>`
const wxr = (...items: string[]) => `<?xml version="1.0" encoding="UTF-8" ?>
<!-- This is a WordPress eXtended RSS file -->
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel><title>Old shop</title><link>https://old.example</link><wp:wxr_version>1.2</wp:wxr_version>
<wp:author><wp:author_id>1</wp:author_id><wp:author_login><![CDATA[grace]]></wp:author_login><wp:author_email><![CDATA[grace@example.com]]></wp:author_email><wp:author_display_name><![CDATA[Grace H]]></wp:author_display_name></wp:author>
${items.join('\n')}</channel></rss>`
const first = item(
  {
    title: 'Prices & shops',
    link: 'https://old.example/2024/05/01/prices/',
    'dc:creator': 'grace',
    'content:encoded': [
      '<!-- wp:paragraph --><p>Every <strong>morning</strong>\u0007 at <a href="https://old.example/about/">six</a>.</p><!-- /wp:paragraph -->',
      '<figure><img src="https://old.example/wp-content/uploads/2024/05/shelf-300x200.png" alt="A shelf"/><figcaption>The shelf</figcaption></figure>',
      '<img src="http://elsewhere.example/far.png" alt="Far">',
      '<script>alert(1)</script><iframe src="https://video.example/1" title="A video"></iframe>',
      '<ul><li>one</li><li>two</li></ul><pre><code class="language-sql">SELECT 1</code></pre>',
      '<table><thead><tr><th>Shop</th></tr></thead><tbody><tr><td>A</td></tr></tbody></table>',
    ].join('\n'),
    'excerpt:encoded': 'How to <em>watch</em> them.',
    'wp:post_id': '10',
    'wp:post_date_gmt': '2024-05-01 08:30:00',
    'wp:post_name': 'prices',
    'wp:status': 'publish',
    'wp:post_type': 'post',
  },
  '<category domain="category" nicename="law"><![CDATA[Law]]></category><category domain="post_tag" nicename="p"><![CDATA[prices]]></category><category domain="category" nicename="u"><![CDATA[Uncategorized]]></category>' +
    '<wp:postmeta><wp:meta_key>_thumbnail_id</wp:meta_key><wp:meta_value><![CDATA[11]]></wp:meta_value></wp:postmeta><wp:postmeta><wp:meta_key>_yoast_wpseo_metadesc</wp:meta_key><wp:meta_value>What it takes.</wp:meta_value></wp:postmeta>' +
    '<wp:comment><wp:comment_content>content of a comment</wp:comment_content></wp:comment>',
)
const attachment = item({
  title: 'shelf',
  'wp:post_id': '11',
  'wp:post_type': 'attachment',
  'wp:status': 'inherit',
  'wp:attachment_url': 'https://old.example/wp-content/uploads/2024/05/shelf.png',
})
const old = item({
  title: 'Old & plain',
  link: 'https://old.example/?p=12',
  'dc:creator': 'bob',
  'content:encoded':
    'First line\nsecond line\n\n[caption id="a" width="300"]<img src="/wp-content/uploads/gone.png" /> Words[/caption]\n\n[gallery ids="1,2"]',
  'wp:post_id': '12',
  'wp:post_date_gmt': '2019-01-01 00:00:00',
  'wp:post_name': '%e6%9d%b1',
  'wp:status': 'publish',
  'wp:post_type': 'post',
})
const draft = item({
  title: 'Not yet',
  'content:encoded': 'Soon.',
  'wp:post_date_gmt': '0000-00-00 00:00:00',
  'wp:status': 'draft',
  'wp:post_type': 'post',
  'wp:post_id': '13',
  link: 'https://old.example/?p=13',
})
const locked = item({
  title: 'Locked',
  'content:encoded': 'Secret.',
  'wp:post_password': 'x',
  'wp:status': 'publish',
  'wp:post_type': 'post',
  'wp:post_id': '14',
  link: 'https://old.example/locked/',
})
const trashed = item({ title: 'Thrown away', 'wp:status': 'trash', 'wp:post_type': 'post' })
const page = item({ title: 'About', 'wp:status': 'publish', 'wp:post_type': 'page' })

describe('happy', () => {
  test('a WordPress export becomes posts with their dates, tags, authors, pictures and old addresses, after a look that writes nothing', async () => {
    const archive = zip({
      'old.xml': wxr(first, attachment, old, draft, locked, trashed, page, page),
      'uploads/2024/05/shelf.png': picture,
    })
    const planned = await report(archive, 'dry=true')
    expect([await count('posts'), await count('images'), await count('redirects')]).toEqual([0, 0, 0])
    const outline = (files: ImportedFile[]) =>
      files.map(({ name, state, slug, oldPath }) => [name, state, slug, oldPath].filter(Boolean).join(' '))
    expect(outline(planned)).toEqual([
      'old.xml, left out 1 refused',
      'old.xml: Prices & shops new prices /2024/05/01/prices/',
      'old.xml: Old & plain new old-plain /?p=12',
      'old.xml: Not yet new not-yet',
      'old.xml: Locked new locked',
      'uploads/2024/05/shelf.png new',
    ])
    expect(planned[0]?.reason).toBe('2 of type “page” skipped: only posts are imported.')

    expect(outline(await report(archive))).toEqual(outline(planned))
    const [image] = await db.selectFrom('images').selectAll().execute()
    const shelf = `/images/${image?.id}/90.webp`
    const made = await find('prices')
    expect(made).toMatchObject({
      title: 'Prices & shops',
      published: true,
      publishedAt: '2024-05-01T08:30:00.000Z',
      tags: ['Law', 'prices'],
      excerpt: 'How to watch them.',
      metaDescription: 'What it takes.',
      featuredImage: shelf,
      authorId: grace.id,
    })
    expect(made.content).toBe(
      [
        'Every **morning** at [six](https://old.example/about/).',
        `![A shelf](${shelf})`,
        'The shelf',
        '![Far](https://elsewhere.example/far.png)',
        '[A video](https://video.example/1)',
        '- one\n- two',
        '```sql\nSELECT 1\n```',
        '| Shop |\n| ---- |\n| A    |',
      ].join('\n\n'),
    )
    expect((await find('old-plain')).content).toContain('First line\\\nsecond line')
    expect([(await find('not-yet')).published, (await find('locked')).published]).toEqual([false, false])
    expect(await redirects()).toEqual(['/2024/05/01/prices/ /blog/prices 301 pass', '/?p=12 /blog/old-plain 301 contains'])
  })

  test('the report says what was left as it is: pictures elsewhere, shortcodes, authors without an account', async () => {
    const files = await report(Buffer.from(wxr(first, old, locked)), 'dry=true')
    expect(files.map(({ notes }) => notes)).toEqual([
      [
        'https://old.example/wp-content/uploads/2024/05/shelf-300x200.png: This image is not in the archive; its URL stays.',
        'https://elsewhere.example/far.png: This image is not in the archive; its URL stays.',
      ],
      expect.arrayContaining([
        'Shortcodes stay as they are: gallery.',
        'You cannot assign it to its author bob; you are its author now.',
        '/wp-content/uploads/gone.png: This image is not in the archive.',
      ]),
      ['It had a password, so it becomes a draft.'],
    ])
    const byStaff = await report(Buffer.from(wxr(first)), 'dry=false', staff)
    expect(byStaff[0]?.notes).toContain('You cannot assign it to its author Grace H; you are its author now.')
    expect((await find('prices')).authorId).toBe(staff.user.id)
  })

  test('a Ghost export becomes posts; what only members could read stays a draft', async () => {
    const post = (given: object) => ({
      id: '1',
      title: 'Hello',
      slug: 'hello',
      html: '<p>Hi</p>',
      type: 'post',
      status: 'published',
      visibility: 'public',
      published_at: '2023-02-03T04:05:06.000Z',
      ...given,
    })
    const ghost = {
      db: [
        {
          meta: { version: '5.80.0' },
          data: {
            posts: [
              post({
                html: '<p>See <img src="__GHOST_URL__/content/images/size/w1000/2023/02/shelf.png" alt="Shelf"></p>',
                feature_image: '__GHOST_URL__/content/images/2023/02/shelf.png',
                custom_excerpt: 'Short.',
              }),
              post({ id: '2', title: 'Members', slug: 'members', visibility: 'paid' }),
              post({
                id: '3',
                title: 'Later',
                slug: 'later',
                status: 'draft',
                published_at: null,
                html: null,
                plaintext: 'One < two\n\nThree',
              }),
              post({ id: '4', title: 'About', slug: 'about', type: 'page' }),
              post({ id: '5', title: 'Services', slug: 'services' }),
            ],
            tags: [
              { id: 't', name: 'News' },
              { id: 'u', name: '#internal', visibility: 'internal' },
            ],
            posts_tags: [
              { post_id: '1', tag_id: 'u', sort_order: 0 },
              { post_id: '1', tag_id: 't', sort_order: 1 },
            ],
            users: [{ id: 'g', name: 'Grace', email: 'Grace@example.com' }],
            posts_authors: [{ post_id: '1', author_id: 'g', sort_order: 0 }],
            posts_meta: [{ post_id: '1', meta_title: 'Hello there', meta_description: null }],
          },
        },
      ],
    }
    const files = await report(zip({ 'ghost/ghost.json': JSON.stringify(ghost), 'ghost/content/images/2023/02/shelf.png': picture }))
    expect(files.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'ghost/ghost.json, left out 1 refused',
      'ghost/ghost.json: Hello new',
      'ghost/ghost.json: Members new',
      'ghost/ghost.json: Later new',
      'ghost/ghost.json: Services new',
      'ghost/content/images/2023/02/shelf.png new',
    ])
    const [image] = await db.selectFrom('images').selectAll().execute()
    expect(await find('hello')).toMatchObject({
      content: `See ![Shelf](/images/${image?.id}/90.webp)`,
      featuredImage: `/images/${image?.id}/90.webp`,
      excerpt: 'Short.',
      metaTitle: 'Hello there',
      tags: ['News'],
      authorId: grace.id,
      publishedAt: '2023-02-03T04:05:06.000Z',
    })
    expect((await find('members')).published).toBe(false)
    expect((await find('later')).content).toBe('One < two\n\nThree')
    expect(files[4]?.notes?.join(' ')).toMatch(/No redirect from \/services\/: .*page/)
    expect(await redirects()).toEqual(['/hello/ /blog/hello 301 pass'])
  })

  test('an import that is sent again changes nothing, and adds no redirect', async () => {
    const archive = zip({ 'old.xml': wxr(first, attachment, old), 'uploads/2024/05/shelf.png': picture })
    await report(archive)
    const again = await report(archive, 'dry=false&onConflict=replace')
    expect(again.map(({ state }) => state)).toEqual(['same', 'same', 'same'])
    expect([await count('posts'), await count('redirects')]).toEqual([2, 2])
  })
})

describe('error', () => {
  test.each([
    ['neither an archive nor an export', Buffer.from('hello')],
    ['an archive without posts', zip({ 'a.png': picture })],
  ])('%s: the refusal names what is taken', async (_what, payload) => {
    const reply = await send(payload, 'dry=true')
    expect(reply.statusCode).toBe(422)
    expect(reply.json().detail).toMatch(/You can import .* Markdown files .* a WordPress export \(WXR, .xml\) or a Ghost export \(.json\)/)
  })

  test.each([
    ['another XML', '<feed xmlns="http://www.w3.org/2005/Atom"></feed>', 'This XML is not a WordPress export.'],
    ['XML that breaks off', wxr(first).slice(0, 900), 'This XML is damaged: '],
    ['another JSON', '{"a": 1}', 'This JSON is not a Ghost export.'],
    ['JSON that breaks off', '{"db": [', 'This JSON is damaged.'],
  ])('%s is refused with what is taken', async (_what, text, reason) => {
    const [file, ...others] = await report(Buffer.from(text), 'dry=true')
    expect(others).toEqual([])
    expect(file).toMatchObject({ state: 'refused', reason: expect.stringContaining(reason) })
    expect(file?.reason).toContain('You can import a zip archive of Markdown files')
  })
})

describe('security', () => {
  test('links of an imported post mean the old site, and none leads into ours', async () => {
    const html = ['/api/logout', 'https:/api/logout', 'other/', '#here', 'javascript:alert(1)', 'tel:+493012', 'https://far.example/x']
      .map((href) => `<p><a href="${href}">to</a></p>`)
      .join('')
    const fields = { title: 'Links', 'content:encoded': html, 'wp:post_name': 'links', 'wp:post_type': 'post', 'wp:status': 'publish' }
    await report(Buffer.from(wxr(item({ ...fields, link: 'https://old.example/2024/links/' }))), 'dry=false')
    const { content } = await db.selectFrom('posts').select('content').where('slug', '=', 'links').executeTakeFirstOrThrow()
    expect(content.split('\n\n')).toEqual([
      '[to](https://old.example/api/logout)',
      '[to](https://old.example/api/logout)',
      '[to](https://old.example/2024/links/other/)',
      '[to](#here)',
      'to',
      '[to](tel:+493012)',
      '[to](https://far.example/x)',
    ])
  })

  test('no entity is expanded, and nothing is nested out of all measure', async () => {
    const laughs = `<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>`
    const withEntities = wxr(first).replace('<rss', `${laughs}<rss`).replace('Old shop', '&b;&c;')
    const deepXml = wxr(`<item>${'<a>'.repeat(10_000)}`)
    const deepHtml = wxr(
      item({ title: 'Deep', 'content:encoded': `${'<div>'.repeat(50_000)}x`, 'wp:post_type': 'post', 'wp:status': 'publish' }),
    )
    const reasons: (string | undefined)[] = []
    for (const text of [withEntities, deepXml, deepHtml]) reasons.push((await report(Buffer.from(text)))[0]?.reason)
    expect(reasons).toEqual([
      expect.stringContaining('This XML has a document type declaration, which is not allowed.'),
      expect.stringContaining('This XML is nested too deeply.'),
      'Its elements are nested too deeply.',
    ])
    expect(await count('posts')).toBe(0)
  })

  test('an old address that is none of ours to give, or would hide a page, gets no redirect', async () => {
    const at = (link: string, slug: string) =>
      item({
        title: slug,
        link,
        'content:encoded': 'Text',
        'wp:post_type': 'post',
        'wp:status': 'publish',
        'wp:post_name': slug,
        'wp:post_date_gmt': '2024-01-01 00:00:00',
      })
    const links = [
      'https://old.example/admin/x/',
      'https://old.example/contact',
      'https://old.example//evil.example/',
      'javascript:alert(1)',
    ]
    const files = await report(Buffer.from(wxr(...links.map((link, index) => at(link, `post-${index}`)))))
    expect(files.map(({ state, oldPath }) => [state, oldPath])).toEqual(links.map(() => ['new', undefined]))
    expect(await redirects()).toEqual([])
  })

  test('users without write access cannot import', async () => {
    const customer = await signIn('customer')
    expect((await send(Buffer.from(wxr(first)), 'dry=false', customer)).statusCode).toBe(403)
    expect(await count('posts')).toBe(0)
  })
})
