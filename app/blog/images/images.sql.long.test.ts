import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, test, vi } from 'vitest'
import { db, insert, newId } from '#app/platform/database/db.server.ts'
import { openFile } from '#app/platform/storage/storage.server.ts'
import { startEndpoints } from '#test/app.ts'
import { eventually } from '#test/eventually.ts'
import { signIn } from '#test/factories.ts'
import { findImageReferences } from './picture.server.ts'
import { MOST_IMAGE_BYTES, IMAGE_CLEANUP_JOB } from './image.ts'
import { imageIdOf, sizesOf } from './picture.ts'
import { jobOf } from '#test/job.ts'

const app = await startEndpoints()
const staff = await signIn('staff')
const customer = await signIn('customer')

let shade = 0
/** Each image is different, because equal files are stored once. */
const draw = (width = 700, height = 500) =>
  sharp({ create: { width, height, channels: 3, background: { r: (shade += 1), g: 90, b: 200 } } })
const give = (payload: Buffer, query = '', type = 'image/png', { headers } = staff) =>
  app.inject({ method: 'POST', url: `/api/images${query}`, headers: { ...headers, 'content-type': type }, payload })
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
const ask = (method: 'GET' | 'PUT' | 'DELETE', url: string, payload?: object) =>
  app.inject({ method, url, headers: staff.headers, ...(payload && { payload }) })
const makePost = (given: { content?: string; featuredImage?: string; title?: string; removedAt?: Date }) =>
  insert(db, 'posts', {
    slug: newId(),
    title: 'Prices',
    excerpt: '',
    content: 'x',
    featuredImage: null,
    html: '',
    authorId: staff.user.id,
    ...nulls,
    ...given,
  })
const nulls = { metaTitle: null, metaDescription: null, publishedAt: null, removedAt: null }

describe('happy', () => {
  test('a picture is served upright, in each size up to its own, as AVIF and WebP, with nothing left of what the camera noted', async () => {
    const noted = await draw(1000, 2000)
      .jpeg()
      .withExif({ IFD0: { Copyright: 'Ada at 51.5, -0.1' } })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    const reply = await give(noted, '?name=C%3A%5Cphotos%5Cada.jpg&alt=Ada%20at%20work', 'image/jpeg')
    expect([reply.statusCode, reply.json()]).toEqual([
      201,
      { id: expect.any(String), url: expect.any(String), width: 2000, height: 1000, alt: 'Ada at work', fileName: 'ada.jpg' },
    ])
    const { id, url } = reply.json<{ id: string; url: string }>()
    expect(url).toBe(`/images/${id}/2000.webp`)
    for (const width of [480, 960, 1600, 2000]) {
      for (const [format, name] of [
        ['webp', 'webp'],
        ['avif', 'heif'],
      ] as const) {
        const file = await get(`/images/${id}/${width}.${format}`)
        expect(file.headers).toMatchObject({
          'content-type': `image/${format}`,
          'content-length': String(file.rawPayload.length),
          'cache-control': 'public, max-age=31536000, immutable',
          'cross-origin-resource-policy': 'cross-origin',
          'x-content-type-options': 'nosniff',
        })
        const seen = await sharp(file.rawPayload).metadata()
        expect(seen).toMatchObject({ format: name, width, height: width / 2 })
        expect([seen.exif, seen.xmp, seen.icc, seen.orientation]).toEqual([undefined, undefined, undefined, undefined])
      }
    }
    const { etag = '' } = (await get(url)).headers
    const again = await get(url, { 'if-none-match': etag })
    expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0])

    const pictures = await findImageReferences([imageIdOf(url) ?? '', newId()])
    const [picture] = pictures.values()
    expect(pictures.size).toBe(1)
    expect(picture && sizesOf(picture)).toEqual({
      src: url,
      width: 2000,
      height: 1000,
      sources: ['avif', 'webp'].map((format) => ({
        type: `image/${format}`,
        srcSet: [480, 960, 1600, 2000].map((width) => `/images/${id}/${width}.${format} ${width}w`).join(', '),
      })),
    })
  })

  test('a small one is never made larger, a huge one has 2,400 pixels at most, what is clear stays clear', async () => {
    const small = await give(await draw(300, 200).ensureAlpha(0.5).png().toBuffer())
    expect(small.json()).toMatchObject({ width: 300, height: 200, alt: '', fileName: 'picture' })
    expect((await sharp((await get(small.json<{ url: string }>().url)).rawPayload).metadata()).hasAlpha).toBe(true)
    const huge = await give(await draw(4000, 1000).webp().toBuffer(), '', 'image/webp')
    expect(huge.json()).toMatchObject({ width: 2400, height: 600 })
  })

  test('the same file is kept once, however many send it at once; the library lists, finds and names', async () => {
    const file = await draw().png().toBuffer()
    const replies = await Promise.all(['', '?alt=Shelves', ''].map((query) => give(file, query)))
    expect(new Set(replies.map((reply) => reply.json<{ id: string }>().id)).size).toBe(1)
    const { id } = (await give(file, '?name=other.png')).json<{ id: string }>()
    expect((await ask('PUT', `/api/images/${id}`, { alt: '  Shelves at 100%  ' })).json()).toMatchObject({ id, alt: 'Shelves at 100%' })
    expect((await ask('GET', '/api/images?q=100%25')).json()).toMatchObject({ images: [{ id }], nextCursor: null })
    expect((await ask('GET', '/api/images?q=100_')).json()).toEqual({ images: [], nextCursor: null })

    const first = (await ask('GET', '/api/images?limit=2')).json<{ images: { id: string }[]; nextCursor: string }>()
    expect(first.images[0]?.id).toBe(id)
    const second = (await ask('GET', `/api/images?limit=2&cursor=${first.nextCursor}`)).json<{ images: { id: string }[] }>()
    expect(second.images[0]?.id).not.toBe(first.images[1]?.id)
    expect([...first.images, ...second.images].map((each) => each.id)).toEqual((await listed()).slice(0, 4))

    const [, gone] = first.images
    expect((await ask('DELETE', `/api/images/${gone?.id}`)).statusCode).toBe(204)
    expect((await ask('GET', `/api/images?limit=2&cursor=${first.nextCursor}`)).json()).toEqual(second)
    expect((await ask('GET', `/api/images?cursor=2026-02-30T00:00:00.000000Z_${id}`)).statusCode).toBe(422)
  })
})

const listed = async () =>
  (await db.selectFrom('images').select('id').orderBy('createdAt', 'desc').orderBy('id', 'desc').execute()).map(({ id }) => id)

describe('error', () => {
  test('an image in use is not deleted, and its posts are named; after deletion its URL returns 404', async () => {
    const { id, url } = (await give(await draw().png().toBuffer())).json<{ id: string; url: string }>()
    const shown = await makePost({ content: `![Shelves](${url})` })
    await makePost({ title: 'Gone', content: url, removedAt: new Date() })
    const written = await makePost({ title: 'Written' })
    await db
      .insertInto('postDrafts')
      .values({ postId: written.id, fields: JSON.stringify({ featuredImage: url }), baseVersion: 1, editorId: staff.user.id })
      .execute()
    const refused = await ask('DELETE', `/api/images/${id}`)
    expect([refused.statusCode, refused.json().detail]).toEqual([409, 'This image is used in “Written”, “Prices”. Remove it there first.'])
    expect((await get(url)).statusCode).toBe(200)

    await db.deleteFrom('posts').where('id', 'in', [shown.id, written.id]).execute()
    expect((await ask('DELETE', `/api/images/${id}`)).statusCode).toBe(204)
    expect((await get(url)).statusCode).toBe(404)
    expect((await ask('DELETE', `/api/images/${id}`)).statusCode).toBe(404)
  })

  test('a post is saved with its picture or told that it is gone, when that is removed at the same moment', async () => {
    const { id, url } = (await give(await draw().png().toBuffer())).json<{ id: string; url: string }>()
    const content = `![Shelves](${url})\n\n${'```js\nconst price = 1\n```\n\n'.repeat(40)}`
    const reads = vi.spyOn(db, 'selectFrom')
    const saving = app.inject({
      method: 'POST',
      url: '/api/blog',
      headers: staff.headers,
      payload: { slug: `shelves-${newId()}`, title: 'Shelves', content },
    })
    // The pictures are looked up before the text is rendered, which outlasts the deletion.
    await eventually(() => expect(reads).toHaveBeenCalledWith('images'), { interval: 1 })
    reads.mockRestore()
    // That lookup was only begun: one of our own comes after it.
    await db.selectFrom('images').select('id').execute()
    const removed = await ask('DELETE', `/api/images/${id}`)
    const saved = await saving
    expect([
      [201, 409],
      [409, 204],
    ]).toContainEqual([saved.statusCode, removed.statusCode])
    expect([saved, removed].map((reply) => reply.body && reply.json().code)).toContainEqual(
      expect.stringMatching(/^image_(removed|in_use)$/),
    )
  })

  test('the files of a removed picture go a day later, and those of one that is there stay', async () => {
    const [gone, kept] = await Promise.all(
      [draw(), draw()].map(async (file) => (await give(await file.png().toBuffer())).json<{ id: string }>()),
    )
    await ask('DELETE', `/api/images/${gone?.id}`)
    const jobs = await db.selectFrom('jobs').selectAll().where('kind', '=', IMAGE_CLEANUP_JOB).execute()
    const ofPicture = (id = '') => jobs.filter(({ payload }) => JSON.stringify(payload).includes(id))
    expect(ofPicture(gone?.id).length).toBe(2)
    for (const { runAt } of jobs) expect(runAt.getTime() - Date.now()).toBeGreaterThan(23 * 3_600_000)
    for (const { id, payload } of jobs)
      await jobOf(IMAGE_CLEANUP_JOB).run(payload, { id, attempt: 1, signal: new AbortController().signal })
    expect(await openFile(`images/${gone?.id}/480.avif`)).toBeUndefined()
    const there = await openFile(`images/${kept?.id}/480.avif`)
    there?.stream.destroy()
    expect(there?.size).toBeGreaterThan(100)
  })

  test('files that are no image, or declare too many pixels, are refused with a message and not stored', async () => {
    const before = (await listed()).length
    const png = await draw().png().toBuffer()
    const bomb = Buffer.from(png)
    bomb.writeUInt32BE(30_000, 16)
    bomb.writeUInt32BE(30_000, 20)
    bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29)
    const bad: [Buffer, number, string][] = [
      [await draw().gif().toBuffer(), 422, NO_PICTURE],
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), 422, NO_PICTURE],
      [png.subarray(0, png.length / 2), 422, NO_PICTURE],
      [Buffer.concat([png.subarray(0, 40), Buffer.alloc(200)]), 422, NO_PICTURE],
      [Buffer.alloc(0), 422, NO_PICTURE],
      [bomb, 422, 'This picture has more than 50 million points. Please send a smaller one.'],
      [Buffer.alloc(MOST_IMAGE_BYTES + 1), 413, 'This image is too large. The limit is 15 MB.'],
    ]
    for (const [bytes, status, detail] of bad) {
      const reply = await give(bytes, '', 'image/jpeg')
      expect([reply.statusCode, reply.json().detail]).toEqual([status, detail])
    }
    expect((await app.inject({ method: 'POST', url: '/api/images', headers: staff.headers, payload: {} })).statusCode).toBe(415)
    expect((await listed()).length).toBe(before)
  })

  test('an alt text is needed and has a limit', async () => {
    const [id = ''] = await listed()
    for (const alt of ['', '   ', 'x'.repeat(301), 5]) expect((await ask('PUT', `/api/images/${id}`, { alt })).statusCode).toBe(422)
    expect((await ask('PUT', `/api/images/${newId()}`, { alt: 'x' })).statusCode).toBe(404)
    expect((await give(await draw().png().toBuffer(), `?alt=${'x'.repeat(301)}`)).statusCode).toBe(422)
  })

  test.each(['480.png', '481.webp', '0480.webp', '480.webp.bak', '..%2f..%2fkeys%2fmaster.key', '480.avif%00', '-480.webp', 'x'])(
    'there is nothing at …/%s',
    async (file) => expect((await get(`/images/${(await listed())[0]}/${file}`)).statusCode).toBe(404),
  )
})

describe('security', () => {
  test('only staff see the library and change it', async () => {
    const [id = ''] = await listed()
    for (const [method, url] of [
      ['GET', '/api/images'],
      ['POST', '/api/images'],
      ['PUT', `/api/images/${id}`],
      ['DELETE', `/api/images/${id}`],
    ] as const) {
      expect((await app.inject({ method, url })).statusCode).toBe(401)
      expect((await app.inject({ method, url, headers: customer.headers })).statusCode).toBe(403)
    }
    const foreign = { ...staff.headers, 'sec-fetch-site': 'cross-site', 'content-type': 'image/png' }
    expect(
      (await app.inject({ method: 'POST', url: '/api/images', headers: foreign, payload: await draw().png().toBuffer() })).statusCode,
    ).toBe(403)
  })

  test('a file that is a picture and a page at once is served as the picture alone, without a byte of the page', async () => {
    const polyglot = Buffer.concat([
      await draw()
        .jpeg()
        .withExif({ IFD0: { Copyright: '<script>alert(1)</script>' } })
        .toBuffer(),
      Buffer.from('<html><script>alert(1)</script>'),
    ])
    const reply = await give(polyglot, '?name=%3Cscript%3E.html', 'image/jpeg')
    expect(reply.statusCode).toBe(201)
    const file = await get(reply.json<{ url: string }>().url)
    expect(file.headers['content-type']).toBe('image/webp')
    expect(file.rawPayload.includes('script')).toBe(false)
  })
})

const NO_PICTURE = 'This file is not a picture that we can read. Send PNG, JPEG, WebP or AVIF.'
