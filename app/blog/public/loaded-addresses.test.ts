import { describe, expect, test } from 'vitest'
import { env } from '#app/platform/env.server.ts'
import { startApp } from '#test/app.ts'
import { makePost, signIn } from '#test/factories.ts'

const app = await startApp()
const staff = await signIn('staff')
const { host } = new URL(env.SITE_URL)

/** Spellings of URLs that would act on behalf of a signed-in browser. */
const endpoints = [
  '/api/logout',
  '/API/logout',
  '//api/logout',
  '/%61pi/logout',
  '/images/../api/logout',
  '/images/%2e%2e/api/logout',
  '/images/..%2fapi/logout',
  '\\api\\logout',
  '/api/logout.png',
  '/x.png/../api/logout',
  '/./auth/v1/verify?token=a&type=signup',
  '/auth/v1/x.png',
  '/login/sign-out',
  '/dashboard?x=a.png',
  `${env.SITE_URL}/api/logout`,
  `http://user@${host}/api/logout`,
  `https://${host}/api/logout`,
  `//${host}/api/logout`,
  'http://localhost.:3000/api/logout',
  'http://localhost:8080/api/logout',
]

/** Absolute URLs that a browser loads automatically. */
function loadedBy(html: string): URL[] {
  const [main = ''] = /<main.*?(<\/main>|$)/s.exec(html) ?? []
  const found = [...main.matchAll(/ (?:src|srcset|poster|data|background)="([^"]*)"/gi)].map(([, value = '']) =>
    value.replaceAll('&amp;', '&'),
  )
  return found.flatMap((list) => list.split(/, +/)).map((one) => new URL(one.split(' ')[0] ?? '', env.SITE_URL))
}

const isOwn = ({ hostname }: URL) => hostname.replace(/\.$/, '') === 'localhost'
const create = (body: object) => app.inject({ method: 'POST', url: '/api/blog', headers: staff.headers, payload: body })

describe('security', () => {
  test('no picture in a post makes its reader ask an endpoint of this site', async () => {
    const content = endpoints
      .map((address, index) => `![Picture ${index}](<${address}>)\n\n![Again][${index}]\n\n[${index}]: <${address}>`)
      .join('\n\n')
    const made = await create({ title: 'Pictures', slug: 'pictures', content, published: true })
    expect(made.statusCode).toBe(201)
    const { body } = await app.inject('/blog/pictures')

    expect(body).toContain('Picture 0')
    expect(loadedBy(body).filter(isOwn)).toEqual([])
    const preview = await app.inject({ method: 'POST', url: '/api/blog/preview', headers: staff.headers, payload: { content } })
    expect(loadedBy(`<main>${preview.json().html}`).filter(isOwn)).toEqual([])
  })

  test.each(endpoints)('%s is no featured image, neither new nor from before', async (featuredImage) => {
    const refused = await create({ title: 'Picture', slug: 'picture', content: 'Text', featuredImage })
    expect([refused.statusCode, refused.json().errors]).toEqual([
      422,
      { featuredImage: 'Featured image must be an http(s) URL or an uploaded image' },
    ])
    const { slug } = await makePost({ featuredImage })
    expect(loadedBy((await app.inject(`/blog/${slug}`)).body).filter(isOwn)).toEqual([])
  })

  test.each(endpoints)('%s is never loaded as a portrait', async (avatar) => {
    const url = URL.parse(avatar, env.SITE_URL)?.href ?? avatar
    const person = await signIn('customer', { userMetadata: JSON.stringify({ avatar_url: url }) })
    const { body } = await app.inject({ url: '/account', headers: person.headers })
    expect(body).toContain('Profile')
    const shown = [...body.matchAll(/<img [^>]*src="([^"]*)"/g)].map(([, src = '']) => new URL(src, env.SITE_URL))
    expect(shown.filter(isOwn)).toEqual([])
  })
})

describe('happy', () => {
  test('pictures of the library and of other sites are shown', async () => {
    const library = '/images/018f4d7a-0000-7000-8000-000000000000/960.webp'
    const content = `![Ours](${library})\n\n![Theirs](https://pictures.example/api/a?b=c)`
    expect((await create({ title: 'Shown', slug: 'shown', content, featuredImage: library, published: true })).statusCode).toBe(201)
    const { body } = await app.inject('/blog/shown')
    expect(body).toContain(`src="${library}" alt="Ours"`)
    expect(body).toContain('src="https://pictures.example/api/a?b=c" alt="Theirs"')
    expect(body).toContain(`alt="" src="${library}"`)
  })
})
