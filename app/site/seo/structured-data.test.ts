import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { env } from '#app/platform/env.server.ts'
import { claims } from '#app/content/claims.ts'
import { hireQuestions, homeQuestions } from '#app/content/faq.ts'
import { offerings } from '#app/content/offerings.ts'
import { heads } from '#app/content/seo.ts'
import { services } from '#app/content/services.ts'
import { startApp } from '#test/app.ts'
import { readPage, textOf } from '#test/read-page.ts'
import { faultsIn } from '#test/schema-org.ts'
import { signedInAs } from '#test/signed-in.ts'

const app = await startApp()

const block = z.looseObject({ '@context': z.literal('https://schema.org'), '@type': z.string() })

async function blocksAt(path: string) {
  const { html } = await readPage(app, path)
  return [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(([, json = '']) => block.parse(JSON.parse(json)))
}

/** All objects with an address, at any depth. */
function addressesIn(value: unknown, key = ''): string[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, inner]) => addressesIn(inner, isNaN(Number(name)) ? name : key))
  return typeof value === 'string' && ['@id', 'url', 'item', 'logo'].includes(key) ? [value] : []
}

const paths = Object.keys(heads).filter((path) => path !== '/blog')
const typesAt = async (path: string) => (await blocksAt(path)).map((one) => one['@type'])

describe('the structured data of a page', () => {
  test.each(paths)('%s uses types and properties of schema.org, and only URLs of this site', async (path) => {
    const blocks = await blocksAt(path)

    expect(blocks).not.toEqual([])
    expect(blocks.flatMap((one) => faultsIn(one))).toEqual([])
    const addresses = addressesIn(blocks)
    expect(addresses.length).toBeGreaterThan(0)
    expect(addresses.filter((address) => !address.startsWith(`${env.SITE_URL}/`))).toEqual([])
    expect(new Set(blocks.map((one) => JSON.stringify(one))).size).toBe(blocks.length)
  })

  test('every thing that a block refers to is described on some page', async () => {
    const all = JSON.stringify(await Promise.all(paths.map(blocksAt)))
    const described = new Set([...all.matchAll(/"@type":"\w+","@id":"([^"]+)"/g)].map(([, id]) => id))
    const referred = [...all.matchAll(/\{"@id":"([^"]+)"\}/g)].map(([, id]) => id)

    expect(referred).not.toEqual([])
    expect(referred.filter((id) => !described.has(id))).toEqual([])
  })

  test('the home page names the business, the site, each of the six solutions with its least price, and answers eight questions', async () => {
    const [organization, website, ...others] = await blocksAt('/')
    expect(organization).toMatchObject({ '@type': 'Organization', name: 'Winnow', url: `${env.SITE_URL}/` })
    // The bundled places are examples, not pages of this site.
    expect(organization?.sameAs).toEqual([])
    expect(website).toMatchObject({ '@type': 'WebSite', name: 'Winnow', publisher: { '@id': organization?.['@id'] } })
    expect(others.slice(0, -1).map(({ name }) => name)).toEqual(services.map(({ title }) => title))
    expect(others[0]).toMatchObject({ offers: { priceSpecification: { minPrice: 800, priceCurrency: 'USD', unitCode: 'MON' } } })
    expect(others[4]).not.toHaveProperty('offers')
    expect(others.at(-1)?.['@type']).toBe('FAQPage')
  })

  test('the services page offers the four building blocks, the hire page its service, the about page its founder', async () => {
    const [scraping] = await blocksAt('/services')
    expect(scraping).toMatchObject({ name: offerings.scraping.title, offers: { priceSpecification: { minPrice: 500 } } })
    expect(await typesAt('/services')).toEqual(['Service', 'Service', 'Service', 'Service', 'BreadcrumbList'])
    expect(await typesAt('/hire-web-scraping-developer')).toEqual(['Service', 'FAQPage', 'BreadcrumbList'])
    expect(await blocksAt('/about')).toMatchObject([
      { '@type': 'AboutPage', mainEntity: { '@type': 'Person' } },
      { '@type': 'BreadcrumbList' },
    ])
  })

  test('every page but the home page has breadcrumbs', async () => {
    for (const path of paths.slice(1)) {
      const list = (await blocksAt(path)).at(-1)
      expect(list).toMatchObject({
        itemListElement: [
          { position: 1, item: `${env.SITE_URL}/` },
          { position: 2, item: env.SITE_URL + path },
        ],
      })
    }
  })

  test.each([
    ['/', homeQuestions],
    ['/hire-web-scraping-developer', hireQuestions],
  ] as const)('the answers of %s are those that a visitor reads', async (path, questions) => {
    const asked = z.object({ mainEntity: z.array(z.object({ name: z.string(), acceptedAnswer: z.object({ text: z.string() }) })) })
    const faq = (await blocksAt(path)).find((one) => one['@type'] === 'FAQPage')
    const { main } = await readPage(app, path)
    const visible = [...main.matchAll(/<details id="[^"]*" name="[^"]*".*?<summary[^>]*>(.*?)<\/summary>(.*?)<\/details>/gs)]

    expect(visible).toHaveLength(questions.length)
    expect(asked.parse(faq).mainEntity.map(({ name, acceptedAnswer }) => [name, acceptedAnswer.text])).toEqual(
      visible.map(([, question = '', answer = '']) => [textOf(question), textOf(answer)]),
    )
  })

  test('no claim of our own is among it, and nothing that looks like a rating', async () => {
    const all = JSON.stringify(await Promise.all(paths.map(blocksAt)))

    expect(all).not.toMatch(/"\w*(rating|review)\w*":|"@type":"\w*(Rating|Review)/i)
    for (const { value } of [claims.projects, claims.satisfaction, claims.businesses]) expect(all).not.toContain(value)
  })

  test('no text of a page can end its own block', async () => {
    const { html } = await readPage(app, '/')
    for (const [, json = ''] of html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)) expect(json).not.toContain('<')
  })
})

test('the workspace that someone signed in has in place of the home page says nothing to machines', async () => {
  const { body } = await app.inject({ url: '/', headers: await signedInAs('customer') })
  expect(body).not.toContain('application/ld+json')
  expect((await app.inject({ url: '/services', headers: await signedInAs('customer') })).body).toContain('application/ld+json')
})

test('unknown and unfinished pages have no structured data', async () => {
  for (const path of ['/blog/nowhere', '/nowhere', '/login']) expect(await blocksAt(path)).toEqual([])
})

test('unknown schema.org terms are detected', () => {
  const wrong = { '@type': 'Service', colour: 'red', provider: { '@type': 'Offer' }, offers: { '@type': 'Ofer' }, name: 7 }
  expect(faultsIn(wrong)).toHaveLength(4)
})
