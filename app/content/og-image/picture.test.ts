import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findPagePicture } from '#app/site/seo/page-pictures.ts'
import { createHttp } from '#app/platform/http/http.server.ts'
import { closeLimits } from '#app/platform/guard/limits.server.ts'
import { pictureApi } from './picture.api.ts'
import { drawPicture, previewImageFile, pictureOf } from './picture.server.ts'
import type { PictureText } from './picture.ts'

const post: PictureText = {
  name: 'post-reading-slowly',
  backdrop: 'scatter',
  kicker: 'blog',
  title: 'Reading slowly: how 400 shops are read before breakfast without one of them noticing <b>it</b>',
  rows: [['reading_time', '6 minutes']],
}

const http = createHttp()
beforeAll(async () => {
  await http.register(pictureApi(findPagePicture, async (name) => (name === post.name ? post : undefined)))
})
afterAll(async () => {
  await http.close()
  await closeLimits()
})

const sizeOf = (png: Buffer) => [png.subarray(1, 4).toString('latin1'), png.readUInt32BE(16), png.readUInt32BE(20)]

describe('happy', () => {
  test('an image is drawn on request, in the size that networks show, and cached permanently by clients', async () => {
    const { statusCode, headers, rawPayload } = await http.inject(`/og/${previewImageFile(post)}`)

    expect(statusCode).toBe(200)
    expect(sizeOf(rawPayload)).toEqual(['PNG', 1200, 630])
    expect(rawPayload.length).toBeLessThan(60_000)
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
    })
    const again = await http.inject({ url: `/og/${previewImageFile(post)}`, headers: { 'if-none-match': String(headers.etag) } })
    expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0])
  })

  test('its head comes without it', async () => {
    const head = await http.inject({ method: 'HEAD', url: `/og/${previewImageFile(post)}` })
    expect([head.statusCode, head.headers['content-type'], head.rawPayload.length]).toEqual([200, 'image/png', 0])
  })

  test('it is drawn once, however many ask', async () => {
    expect(await drawPicture(post)).toBe(await drawPicture({ ...post }))
  })

  test('its address changes with every word that is on it', () => {
    const files = [post, { ...post, title: 'Reading fast' }, { ...post, kicker: 'notes' }, { ...post, rows: [] }].map(previewImageFile)
    expect(new Set(files).size).toBe(files.length)
  })

  test('the text alternative names its content', () => {
    expect(pictureOf({ ...post, title: 'Reading slowly' }).alt).toBe('Winnow: Reading slowly. reading_time: 6 minutes')
  })

  test('every title and every row changes the image', async () => {
    const [one, other] = await Promise.all([drawPicture(post), drawPicture({ ...post, rows: [['reading_time', '7 minutes']] })])
    expect(one.etag).not.toBe(other.etag)
  })
})

describe('error', () => {
  test('a name that no page has leads to nothing', async () => {
    for (const file of ['nowhere.0123456789abcdef.png', 'post-reading-slowly.png', '', '../secret', 'a'.repeat(5000)]) {
      expect((await http.inject(`/og/${file}`)).statusCode).toBe(404)
    }
  })

  test('an address from before the words changed leads to the picture of today', async () => {
    const { statusCode, headers } = await http.inject('/og/post-reading-slowly.0123456789abcdef.png')
    expect([statusCode, headers.location, headers['cache-control']]).toEqual([302, `/og/${previewImageFile(post)}`, 'no-cache'])
  })
})

describe('security', () => {
  test('a request cannot choose the text', async () => {
    const mine = previewImageFile({ ...post, title: 'Bought by someone else' })
    const { headers } = await http.inject(`/og/${mine}?title=Bought`)
    expect(headers.location).toBe(`/og/${previewImageFile(post)}`)
  })

  test('too many requests are limited', async () => {
    const statuses = await Promise.all(Array.from({ length: 310 }, () => http.inject('/og/nowhere.0123456789abcdef.png')))
    expect(statuses.some(({ statusCode }) => statusCode === 429)).toBe(true)
  })
})
