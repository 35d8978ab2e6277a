import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { strFromU8, strToU8, unzipSync, type Zippable, zipSync } from 'fflate'
import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import { db } from '#app/platform/database/db.server.ts'
import type { Post } from '#app/blog/posts/post.ts'
import { startEndpoints } from '#test/app.ts'
import { signIn } from '#test/factories.ts'
import { IMPORTABLE } from './exported-post.ts'
import { acquireImportLock } from './import-lock.server.ts'
import type { ImportedFile } from './post-file.ts'

const app = await startEndpoints()
const staff = await signIn('staff')
const customer = await signIn('customer')

const draw = (red: number, width = 90) =>
  sharp({ create: { width, height: 60, channels: 3, background: { r: red, g: 90, b: 200 } } })
    .png()
    .toBuffer()
const zip = (files: Record<string, string | Uint8Array>) =>
  Buffer.from(
    zipSync(
      Object.fromEntries(
        Object.entries(files).map(([name, file]) => [name, typeof file === 'string' ? strToU8(file) : file]),
      ) satisfies Zippable,
    ),
  )
const send = (payload: Buffer, query = 'dry=false', { headers } = staff) =>
  app.inject({ method: 'POST', url: `/api/blog/import?${query}`, headers: { ...headers, 'content-type': 'application/zip' }, payload })
const report = async (payload: Buffer, query?: string): Promise<ImportedFile[]> => {
  const reply = await send(payload, query)
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'application/x-ndjson; charset=utf-8'])
  return reply.body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}
const states = (files: ImportedFile[]) => Object.fromEntries(files.map(({ name, state, reason }) => [name, reason ?? state]))
const find = async (slug: string): Promise<Post> => (await app.inject({ url: `/api/blog/${slug}`, headers: staff.headers })).json()
const exported = async () => unzipSync((await app.inject({ url: '/api/blog/export.zip', headers: staff.headers })).rawPayload)
const forget = async () => {
  await db.deleteFrom('posts').execute()
  await db.deleteFrom('images').execute()
}
beforeEach(forget)

describe('happy', () => {
  test('Markdown of other programs becomes posts, with its pictures in our storage', async () => {
    const archive = zip({
      'site/_posts/2024-05-01-prices-of-shops.md': [
        '---',
        'title: "Prices: of shops"',
        'tags: [prices, "shops, many"]',
        'description: How to watch them.',
        'published: true',
        'image: /img/shelf.png',
        '---',
        '',
        'See ![A shelf](../img/shelf.png "Title"), ![](<../img/two words.png>), [large](../img/shelf.png) and ![far](https://example.com/x.png).',
        '',
        '![by name][shelf]',
        '',
        '[shelf]: ../img/shelf.png',
      ].join('\n'),
      'site/content/hugo/index.md':
        '---\ntitle: Hugo\ndate: 2024-02-03 10:00:00 +0200\ndraft: false\ntags: a, b\ncover:\n  image: cover.png\n---\ntext ![gone](gone.png)',
      'site/plain note.md': '# A plain note\n\nWithout any front matter.',
      'site/img/shelf.png': await draw(1),
      'site/img/two words.png': await draw(2),
      'site/content/hugo/cover.png': await draw(3),
      'site/.DS_Store': 'x',
      '__MACOSX/site/._x.md': 'x',
    })
    const planned = await report(archive, 'dry=true')
    expect(states(planned)).toEqual({
      'site/_posts/2024-05-01-prices-of-shops.md': 'new',
      'site/content/hugo/index.md': 'new',
      'site/plain note.md': 'new',
      'site/img/shelf.png': 'new',
      'site/img/two words.png': 'new',
      'site/content/hugo/cover.png': 'new',
    })
    expect(planned.every(({ of }) => of === 6)).toBe(true)
    expect(planned[1]?.notes).toEqual(['gone.png: This image is not in the archive.'])
    expect([await db.selectFrom('posts').select('id').execute(), await db.selectFrom('images').select('id').execute()]).toEqual([[], []])

    expect(states(await report(archive))).toEqual(states(planned))
    const images = Object.fromEntries((await db.selectFrom('images').selectAll().execute()).map((row) => [row.fileName, row]))
    const shelf = `/images/${images['shelf.png']?.id}/90.webp`
    expect(images['shelf.png']?.alt).toBe('A shelf')
    expect(await find('prices-of-shops')).toMatchObject({
      title: 'Prices: of shops',
      tags: ['prices', 'shops, many'],
      excerpt: 'How to watch them.',
      published: true,
      publishedAt: '2024-05-01T00:00:00.000Z',
      featuredImage: shelf,
      authorId: staff.user.id,
      content: `See ![A shelf](${shelf} "Title"), ![](/images/${images['two words.png']?.id}/90.webp), [large](${shelf}) and ![far](https://example.com/x.png).\n\n![by name][shelf]\n\n[shelf]: ${shelf}`,
    })
    expect(await find('hugo')).toMatchObject({
      publishedAt: '2024-02-03T08:00:00.000Z',
      tags: ['a', 'b'],
      featuredImage: `/images/${images['cover.png']?.id}/90.webp`,
      content: 'text ![gone](gone.png)',
    })
    expect(await find('plain-note')).toMatchObject({
      title: 'A plain note',
      published: false,
      publishedAt: null,
      content: 'Without any front matter.',
    })
    expect(Object.values(states(await report(archive, 'dry=false&onConflict=replace')))).toEqual(Array.from({ length: 6 }, () => 'same'))
  })

  test('dates of a country are read by all files together; where these leave it open, both readings are shown and nothing is guessed', async () => {
    const post = (date: string) => `---\ntitle: x\ndate: ${date}\n---\ntext`
    const open = zip({ 'a.md': post('05/11/2025'), 'b.md': post('5. November 2025'), 'c.md': post('06/10/2025') })
    const question = {
      text: '05/11/2025',
      readings: [
        { value: 'dmy', reads: 'November 5, 2025' },
        { value: 'mdy', reads: 'May 11, 2025' },
      ],
    }
    const seen = await report(open, 'dry=true')
    expect(seen.map(({ state, dateQuestion, notes }) => [state, dateQuestion, notes])).toEqual([
      ['new', question, undefined],
      ['new', question, ['Its date “5. November 2025” is read as November 5, 2025.']],
      ['new', question, undefined],
    ])
    const refusal =
      'Its date can be read in several ways: “05/11/2025” is November 5, 2025 (dateOrder=dmy) or May 11, 2025 (dateOrder=mdy).'
    expect(states(await report(open))).toEqual({ 'a.md': refusal, 'b.md': 'new', 'c.md': refusal })
    expect(states(await report(open, 'dry=false&dateOrder=mdy'))).toEqual({ 'a.md': 'new', 'b.md': 'kept', 'c.md': 'new' })
    expect((await find('a')).publishedAt).toBe('2025-05-11T00:00:00.000Z')
    await forget()
    // A day after the 12th decides for all of them.
    await report(zip({ 'a.md': post('05/11/2025'), 'b.md': post('31/12/2025') }))
    expect([(await find('a')).publishedAt, (await find('b')).publishedAt]).toEqual(['2025-11-05T00:00:00.000Z', '2025-12-31T00:00:00.000Z'])
  })

  test('a post that is there is kept or replaced, as one chooses, and each version stays', async () => {
    const first = zip({ 'a.md': '---\ntitle: A\ndraft: true\n---\nfirst' })
    const second = zip({ 'b.md': '---\ntitle: A again\nslug: a\n---\nsecond', 'c.md': '---\ntitle: Another\nslug: a\n---\nthird' })
    await report(first)
    expect(states(await report(second))).toEqual({ 'b.md': 'kept', 'c.md': 'b.md has the same slug: a' })
    expect((await find('a')).content).toBe('first')
    expect(states(await report(second, 'dry=true&onConflict=replace'))['b.md']).toBe('changed')
    expect((await find('a')).content).toBe('first')
    expect(states(await report(second, 'dry=false&onConflict=replace'))['b.md']).toBe('changed')
    expect(await find('a')).toMatchObject({ title: 'A again', content: 'second', version: 2 })
  })

  test('an export imported into an empty installation gives the same posts, with any content', async () => {
    const photo = await app.inject({
      method: 'POST',
      url: '/api/images?name=a.png&alt=Shelves',
      headers: { ...staff.headers, 'content-type': 'image/png' },
      payload: await draw(9, 700),
    })
    const { id } = photo.json<{ id: string }>()
    const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).filter((text) => /[a-z]/i.test(text))
    const line = fc.oneof(
      words,
      fc.constantFrom(
        '---',
        'title: x',
        '# x',
        '{{ x }}',
        '- "',
        "'",
        '`![x](a.png)`',
        `![s](/images/${id}/480.webp)`,
        '[x]: y.png',
        '\t- & *',
      ),
    )
    const given = fc.record({
      title: words,
      excerpt: words,
      content: fc.array(line, { minLength: 1, maxLength: 8 }).map((lines) => `x${lines.join('\n')}`),
      tags: fc.uniqueArray(
        words.map((text) => text.slice(0, 20)),
        { maxLength: 4 },
      ),
      metaTitle: fc.option(words),
      metaDescription: fc.option(words),
      published: fc.boolean(),
      featuredImage: fc.constantFrom(null, `/images/${id}/700.webp`, 'https://example.com/a.png'),
      publishedAt: fc.option(
        fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }).map((date) => date.toISOString()),
      ),
    })
    for (const [at, post] of fc.sample(given, { numRuns: 40, seed: 7 }).entries()) {
      const payload = { ...post, slug: `post-${at}` }
      const reply = await app.inject({ method: 'POST', url: '/api/blog', headers: staff.headers, payload })
      expect([reply.statusCode, payload]).toEqual([201, payload])
    }
    const contentsOf = async () =>
      await db
        .selectFrom('posts')
        .select([
          'slug',
          'title',
          'excerpt',
          'content',
          'html',
          'featuredImage',
          'tags',
          'metaTitle',
          'metaDescription',
          'published',
          'words',
          'headings',
        ])
        .select((to) => to.fn('date_trunc', [to.val('milliseconds'), 'publishedAt']).as('at'))
        .orderBy('slug')
        .execute()
    const before = await contentsOf()
    const files = await exported()
    expect(Object.keys(files).filter((name) => name.startsWith('images/'))).toEqual([`images/${id}/700.webp`])
    await forget()
    const result = await report(zip(files))
    expect(result.filter(({ state }) => state !== 'new')).toEqual([])
    expect(await contentsOf()).toEqual(before)
    expect(await db.selectFrom('images').select(['id', 'width', 'widths']).execute()).toEqual([{ id, width: 700, widths: [480, 700] }])
  })

  test('an export has drafts, but nothing that was removed, and reads as Markdown', async () => {
    await report(
      zip({
        'a.md': '---\ntitle: "A: \\"quoted\\""\ndate: 2024-05-01\npublished: true\n---\ntext',
        'b.md': '# Draft\n\nno',
        'c.md': '# Gone\n\nno',
      }),
    )
    await app.inject({ method: 'DELETE', url: `/api/blog/${(await find('c')).id}`, headers: staff.headers })
    const files = await exported()
    expect(Object.keys(files).toSorted()).toEqual(['posts/2024-05-01-a.md', 'posts/b.md'])
    expect(strFromU8(files['posts/2024-05-01-a.md'] ?? new Uint8Array())).toBe(
      '---\ntitle: \'A: "quoted"\'\nslug: a\ndate: 2024-05-01T00:00:00.000Z\ndraft: false\nexcerpt: text\ntags: []\n---\n\ntext\n',
    )
  })

  test('a picture of an archive takes the place of no picture in the library, even under its id', async () => {
    const headers = { ...staff.headers, 'content-type': 'image/png' }
    const given = await app.inject({ method: 'POST', url: '/api/images', headers, payload: await draw(10) })
    const { id, url } = given.json<{ id: string; url: string }>()
    const before = (await app.inject(url)).rawPayload
    const name = `images/${id}/90.webp`
    const files = await report(zip({ 'posts/a.md': `# A\n\n![Other](../${name})`, [name]: await draw(250) }))
    expect(states(files)).toEqual({ 'posts/a.md': 'new', [name]: 'new' })
    expect((await app.inject(url)).rawPayload.equals(before)).toBe(true)
    const [, other = ''] = /\((\/images\/[^)]+)\)/.exec((await find('a')).content) ?? []
    expect(other).not.toBe(url)
    expect((await app.inject(other)).statusCode).toBe(200)
  })

  test.each([
    ['draft: false', true],
    ['status: published', true],
    ['published: true\ndraft: false', true],
    ['published: false\ndraft: false', false],
    ['published: true\nstatus: draft', false],
    ['draft: false\nstatus: Private', false],
    ['published: true\ndraft: yes', false],
    ['published: "false"\nstatus: published', false],
  ])('a post that any field of its file hides is a draft: %j', async (fields, isPublished) => {
    await report(zip({ 'a.md': `---\ntitle: A\n${fields}\n---\ntext` }))
    expect((await find('a')).published).toBe(isPublished)
  })

  test('posts of old Windows programs, with a byte order mark or in UTF-16 keep every letter', async () => {
    const latin = '---\ntitle: Gr\xf6\xdfe\n---\nJ\xfcrgen \x84zitiert\x93 5 \x80'
    const wordpress = `<?xml version="1.0" encoding="windows-1251"?><rss xmlns:wp="http://wordpress.org/export/1.2/" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><wp:wxr_version>1.2</wp:wxr_version><item><content:encoded>\xcc\xe8\xf0</content:encoded><title>\xcf\xf0\xe8\xe2\xe5\xf2</title><wp:post_name>privet</wp:post_name><wp:post_type>post</wp:post_type><wp:status>publish</wp:status></item></channel></rss>`
    await report(
      zip({
        'latin.md': Buffer.from(latin, 'latin1'),
        'marked.md': '\uFEFF---\ntitle: Köln\n---\nZürich',
        'wide.md': Buffer.from('\uFEFF---\ntitle: Łódź\n---\n😀', 'utf16le'),
        'export.xml': Buffer.from(wordpress, 'latin1'),
      }),
    )
    expect(await find('latin')).toMatchObject({ title: 'Größe', content: 'Jürgen „zitiert“ 5 €' })
    expect(await find('marked')).toMatchObject({ title: 'Köln', content: 'Zürich' })
    expect(await find('wide')).toMatchObject({ title: 'Łódź', content: '😀' })
    expect(await find('privet')).toMatchObject({ title: 'Привет' })
  })
})

describe('error', () => {
  test('each file that cannot be taken says why, and the others are taken', async () => {
    const files = await report(
      zip({
        'good.md': '# Good\n\ntext',
        'empty.md': '',
        'no-text.md': '---\ntitle: x\n---\n',
        'slug.md': '---\nslug: Ä b\n---\nx',
        'reserved.md': '---\nslug: feed\n---\nx',
        'date.md': '---\ndate: yesterday\n---\nx',
        'february.md': '---\ndate: 2026-02-31\n---\nx',
        'list.md': '---\n- a\n---\nx',
        'twice.md': '---\ntitle: a\ntitle: b\n---\nx',
        'toml.md': '+++\ntitle = "x"\n+++\nx',
        'binary.md': Buffer.from('MZ\0\xff\xfe', 'latin1'),
        'bomb.md': `---\na: &a [x,x]\n${Array.from({ length: 20 }, (_, at) => `k${at}: &k${at} [*${at === 0 ? 'a' : `k${at - 1}`},*a]`).join('\n')}\n---\nx`,
        'deep.md': `---\na: ${'['.repeat(9000)}\n---\nx`,
        'long.md': `---\na: ${'x'.repeat(20_001)}\n---\nx`,
        'huge.md': randomBytes(550_000).toString('hex'),
        'index.html': '<p>',
        'a.png': await draw(5),
        'anim.md': '# Anim\n\n![x](anim.gif) ![y](bad.png) ![z](../../etc/passwd.png)',
        'anim.gif': 'GIF89a',
        'bad.png': (await draw(6)).subarray(0, 60),
        '../../evil.md': '# Evil\n\nx',
        '/etc/cron.md': 'x',
        'a\\..\\b.md': 'x',
      }),
    )
    const front = 'Its front matter is not valid YAML of names and values.'
    expect(states(files)).toMatchObject({
      'good.md': 'new',
      'empty.md': expect.stringContaining('Content is required'),
      'no-text.md': 'Content is required.',
      'slug.md': 'Slug can have lowercase letters, digits and single hyphens between them.',
      'reserved.md': 'This slug is reserved.',
      'date.md': 'Its date is not readable: yesterday',
      'february.md': 'Its date is not readable: 2026-02-31',
      'list.md': front,
      'twice.md': front,
      'bomb.md': front,
      'deep.md': front,
      'toml.md': 'Its front matter is TOML. Write it as YAML, between lines of ---.',
      'binary.md': 'It is not a text file.',
      'long.md': 'Its front matter is longer than 20,000 characters.',
      'huge.md': 'It is larger than 1 MB.',
      'index.html': 'It is not a Markdown file, an export or an image.',
      'a.png': 'No post in the archive uses it.',
      'anim.md': 'new',
      'anim.gif': NO_PICTURE,
      'bad.png': NO_PICTURE,
      '../../evil.md': OUT,
      '/etc/cron.md': OUT,
      'a\\..\\b.md': OUT,
    })
    expect(files.find(({ name }) => name === 'anim.md')?.notes).toEqual([
      `anim.gif: ${NO_PICTURE}`,
      `bad.png: ${NO_PICTURE}`,
      '../../etc/passwd.png: This image is not in the archive.',
    ])
    expect((await db.selectFrom('posts').select('slug').orderBy('slug').execute()).map(({ slug }) => slug)).toEqual(['anim', 'good'])
  })

  test.each<[string, () => Buffer, number, string]>([
    ['no archive', () => Buffer.from('hello'), 422, WHOLE],
    ['one that is cut off', () => zip({ 'a.md': 'x'.repeat(5000) }).subarray(0, -30), 422, WHOLE],
    ['one without posts', () => zip({ 'a.txt': 'x' }), 422, `This archive contains no posts. ${IMPORTABLE}`],
    [
      'one that would fill the memory',
      () => zip({ 'a.md': 'x', 'b.png': new Uint8Array(10_000_000) }),
      422,
      'A file in this archive is compressed too much to unpack safely.',
    ],
    [
      'one with a file that is too large',
      () => zip({ 'a.md': 'x', 'b.png': new Uint8Array(21 * 1024 * 1024) }),
      422,
      'The contents of this archive are too large to unpack.',
    ],
    [
      'one with too many files',
      () => zip(Object.fromEntries(Array.from({ length: 2001 }, (_, at) => [`${at}.md`, 'x']))),
      422,
      'This archive has more than 2000 files. Please send it in parts.',
    ],
    ['one that is too large', () => Buffer.alloc(50 * 1024 * 1024 + 1), 413, 'This archive is too large. The limit is 50 MB.'],
  ])('%s is refused as a whole', async (_what, make, status, detail) => {
    const reply = await send(make())
    expect([reply.statusCode, reply.json().detail]).toEqual([status, detail])
  })

  test('packed bytes that go on for longer than the archive says of them are not unpacked any further', async () => {
    const archive = zip({ 'a.md': '# Fine\n\nx', 'b.md': 'x'.repeat(900_000) })
    const size = Buffer.alloc(4)
    size.writeUInt32LE(900_000)
    const place = archive.lastIndexOf(size)
    archive.writeUInt32LE(500_000, place)
    expect(states(await report(archive))).toEqual({ 'a.md': 'new', 'b.md': 'It is damaged.' })
    expect((await send(archive, 'dry=maybe')).statusCode).toBe(422)
  })

  test('of two imports at once one runs, and the other is told 409 and when to try again', async () => {
    const archive = zip(Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`p${at}.md`, `# Post ${at}\n\ntext`])))
    const replies = await Promise.all([send(archive), send(archive)])
    const [done, refused] = replies.toSorted((one, other) => one.statusCode - other.statusCode)
    expect([done?.statusCode, refused?.statusCode, refused?.headers['retry-after'], refused?.json()]).toEqual([
      200,
      409,
      '10',
      expect.objectContaining({ code: 'import_running', detail: 'Another import is running. Try again when it is done.' }),
    ])
    expect(await db.selectFrom('posts').select('id').execute()).toHaveLength(20)
    expect(states(await report(archive))).toEqual(expect.objectContaining({ 'p0.md': 'kept' }))
  })

  test('an import of another process keeps the turn while it is alive, and for 30 seconds after a crash', async () => {
    const archive = zip({ 'a.md': '# A\n\ntext' })
    const crashed = await acquireImportLock()
    expect((await send(archive)).statusCode).toBe(409)
    const { importUntil } = await db.selectFrom('installation').select('importUntil').executeTakeFirstOrThrow()
    expect(importUntil?.getTime()).toBeLessThanOrEqual(Date.now() + 31_000)
    await db
      .updateTable('installation')
      .set({ importUntil: new Date(Date.now() - 1000) })
      .execute()
    expect(states(await report(archive))).toEqual({ 'a.md': 'new' })
    // The first import continues after its lock has expired, and writes nothing.
    const others = await acquireImportLock()
    await expect(crashed.hold(async () => 'written')).rejects.toMatchObject({ status: 409 })
    await crashed.end()
    expect((await send(archive)).statusCode).toBe(409)
    await others.end()
    expect(states(await report(archive))).toEqual({ 'a.md': 'kept' })
  })
})

describe('security', () => {
  test('only staff take posts in and out', async () => {
    const archive = zip({ 'a.md': '# A\n\nx' })
    for (const [{ headers }, status] of [
      [{ headers: {} }, 401],
      [customer, 403],
    ] as const) {
      expect((await app.inject({ url: '/api/blog/export.zip', headers })).statusCode).toBe(status)
      expect(
        (
          await app.inject({
            method: 'POST',
            url: '/api/blog/import?dry=false',
            headers: { ...headers, 'content-type': 'application/zip' },
            payload: archive,
          })
        ).statusCode,
      ).toBe(status)
    }
    const foreign = { ...staff.headers, 'sec-fetch-site': 'cross-site', 'content-type': 'application/zip' }
    expect((await app.inject({ method: 'POST', url: '/api/blog/import?dry=false', headers: foreign, payload: archive })).statusCode).toBe(
      403,
    )
    expect((await app.inject({ method: 'POST', url: '/api/blog/import?dry=false', headers: staff.headers, payload: {} })).statusCode).toBe(
      415,
    )
    expect(await db.selectFrom('posts').select('id').execute()).toEqual([])
  })
})

const NO_PICTURE = 'This file is not a picture that we can read. Send PNG, JPEG, WebP or AVIF.'
const OUT = 'Its path leaves the archive.'
const WHOLE = `This zip archive is incomplete or damaged. ${IMPORTABLE}`
