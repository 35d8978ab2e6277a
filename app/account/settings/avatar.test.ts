import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import { db } from '#app/platform/database/db.server.ts'
import { startApp } from '#test/app.ts'
import { forgetLimits } from '#test/auth.ts'
import { signIn, type SignedIn } from '#test/factories.ts'
import { MOST_PICTURE_BYTES } from './picture-file.ts'

const app = await startApp()
beforeEach(forgetLimits)

const blue = { create: { width: 640, height: 400, channels: 3, background: '#1f6f54' } } as const
const draw = () => sharp(blue)

const give = (picture: Buffer, { headers }: Pick<SignedIn, 'headers'>, type = 'image/png') =>
  app.inject({ method: 'PUT', url: '/api/account/avatar', headers: { ...headers, 'content-type': type }, payload: picture })
const remove = ({ headers }: Pick<SignedIn, 'headers'>) => app.inject({ method: 'DELETE', url: '/api/account/avatar', headers })
const metadataOf = async (id: string) =>
  (await db.selectFrom('users').select('userMetadata').where('id', '=', id).executeTakeFirstOrThrow()).userMetadata
const pathOf = (reply: { json: () => { avatarUrl: string } }) => new URL(reply.json().avatarUrl).pathname

describe('happy', () => {
  test.each([
    ['PNG', () => draw().png().toBuffer()],
    ['JPEG', () => draw().jpeg().toBuffer()],
    ['WebP', () => draw().webp().toBuffer()],
    ['AVIF', () => draw().avif({ effort: 0 }).toBuffer()],
  ] as const)('a %s becomes a small square WebP at an address of its own, kept for good by whoever asks for it', async (_name, make) => {
    const person = await signIn()
    const reply = await give(await make(), person)
    expect([reply.statusCode, reply.body]).toEqual([200, expect.stringMatching(/http:\/\/localhost:3000\/avatars\/[\da-f-]{36}\.webp/)])
    expect((await metadataOf(person.user.id))['avatar_url']).toBe(reply.json().avatarUrl)

    const file = await app.inject(pathOf(reply))
    expect(file.headers).toMatchObject({ 'content-type': 'image/webp', 'cache-control': 'public, max-age=31536000, immutable' })
    expect(await sharp(file.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 256, height: 256 })
  })

  test('the camera’s metadata is removed, but the picture keeps its orientation', async () => {
    const noted = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#ffffff' } })
      .composite([{ input: { create: { width: 300, height: 150, channels: 3, background: '#000000' } }, top: 0, left: 0 }])
      .jpeg()
      .withExif({ IFD0: { Copyright: 'Ada at 51.5, -0.1', Orientation: '3' } })
      .withMetadata({ orientation: 3 })
      .toBuffer()
    expect((await sharp(noted).metadata()).exif).toBeDefined()
    const file = await app.inject(pathOf(await give(noted, await signIn(), 'image/jpeg')))
    const { exif, icc, xmp, orientation } = await sharp(file.rawPayload).metadata()
    expect({ exif, icc, xmp, orientation }).toEqual({ exif: undefined, icc: undefined, xmp: undefined, orientation: undefined })
    const { data, info } = await sharp(file.rawPayload).raw().toBuffer({ resolveWithObject: true })
    expect(data[0]).toBeGreaterThan(200)
    expect(data[(info.height - 1) * info.width * info.channels]).toBeLessThan(50)
  })

  test('another picture takes its place under another address, and the menu shows it; removed, nothing is left', async () => {
    const person = await signIn()
    const first = pathOf(await give(await draw().png().toBuffer(), person))
    const second = pathOf(await give(await draw().negate().png().toBuffer(), person))
    expect(second).not.toBe(first)
    expect((await app.inject(first)).statusCode).toBe(404)
    const page = await app.inject({ url: '/dashboard', headers: person.headers })
    expect(page.body).toContain(`src="${second}"`)

    expect((await remove(person)).json()).toEqual({ avatarUrl: null })
    expect(await metadataOf(person.user.id)).toEqual({ first_name: 'Ada' })
    expect((await app.inject(second)).statusCode).toBe(404)
    expect((await remove(person)).statusCode).toBe(200)
  })
})

describe('error', () => {
  test('a file that is not a picture is refused with a text, whatever its name is', async () => {
    const person = await signIn()
    const bad = [
      Buffer.from('GIF89a,,,,,,,,,,,,,,,,,'),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'),
      Buffer.from('%PDF-1.7 not a picture at all'),
      (await draw().png().toBuffer()).subarray(0, 60),
      Buffer.concat([(await draw().jpeg().toBuffer()).subarray(0, 40), Buffer.alloc(200)]),
      await draw().tiff().toBuffer(),
    ]
    for (const bytes of bad) {
      const reply = await give(bytes, person)
      expect([reply.statusCode, reply.json().detail]).toEqual([
        422,
        'This file is not a picture that we can read. Send PNG, JPEG, WebP or AVIF.',
      ])
    }
    expect(await metadataOf(person.user.id)).toEqual({ first_name: 'Ada' })
    expect(await db.selectFrom('avatars').select('id').where('userId', '=', person.user.id).execute()).toEqual([])
  })

  test('more than 5 MB is refused, also where the length was not told', async () => {
    const person = await signIn()
    const reply = await give(Buffer.alloc(MOST_PICTURE_BYTES + 1), person)
    expect([reply.statusCode, reply.json().detail]).toEqual([413, 'This picture is too large: it can have at most 5 MB.'])
  })

  test('a few bytes that claim to be billions of points are not unpacked', async () => {
    const bomb = await sharp({ create: { width: 9000, height: 9000, channels: 3, background: '#000000' } })
      .png({ compressionLevel: 9 })
      .toBuffer()
    expect(bomb.length).toBeLessThan(MOST_PICTURE_BYTES)
    const reply = await give(bomb, await signIn())
    expect([reply.statusCode, reply.json().detail]).toEqual([
      422,
      'This picture has more than 50 million points. Please send a smaller one.',
    ])
  })

  test('a body that is no file is told what is wanted', async () => {
    const { headers } = await signIn()
    const reply = await app.inject({ method: 'PUT', url: '/api/account/avatar', headers, payload: { picture: 'ada.png' } })
    expect(reply.statusCode).toBe(415)
  })

  test.each([
    '/avatars/nobody.webp',
    '/avatars/0199a6a0-0000-4000-8000-000000000001.webp',
    '/avatars/0199a6a0-0000-4000-8000-000000000001',
  ])('there is nothing at %s', async (url) => expect((await app.inject(url)).statusCode).toBe(404))
})

describe('security', () => {
  test('a stranger changes nobody, and a foreign page not even its visitor', async () => {
    const person = await signIn()
    const picture = await draw().png().toBuffer()
    expect(
      (await app.inject({ method: 'PUT', url: '/api/account/avatar', payload: picture, headers: { 'content-type': 'image/png' } }))
        .statusCode,
    ).toBe(401)
    expect((await app.inject({ method: 'DELETE', url: '/api/account/avatar' })).statusCode).toBe(401)
    const foreign = { ...person.headers, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' } as const
    expect((await app.inject({ method: 'DELETE', url: '/api/account/avatar', headers: foreign })).statusCode).toBe(403)
  })

  test('viewing a person does not request a picture URL elsewhere on this site', async () => {
    const userMetadata = JSON.stringify({ first_name: 'Ada', avatar_url: 'http://localhost:3000/api/logout' })
    const page = await app.inject({ url: '/dashboard', headers: (await signIn('customer', { userMetadata })).headers })
    expect(page.body).not.toMatch(/src="[^"]*\/api\/logout/)
  })

  test('one person can upload at most twenty an hour', async () => {
    const person = await signIn()
    const replies = []
    for (let count = 0; count < 21; count += 1) replies.push((await give(Buffer.from('no picture'), person)).statusCode)
    expect(replies).toEqual([...Array.from({ length: 20 }, () => 422), 429])
  })
})
