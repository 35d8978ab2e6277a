import * as build from 'virtual:react-router/server-build'
import type { ServerBuild } from 'react-router'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { closeLimits } from '#app/platform/guard/limits.server.ts'
import { startApp } from './app.ts'
import { dataOf, fill } from './every-route.ts'
import { byLength } from './length.ts'
import { makeContact, makeOwner, makePost, makeProduct, signIn } from './factories.ts'

/** Pages that need a sign-in: those that show each signed-in person what is theirs, and those for staff alone. All others are public. */
const forSignedIn = [
  '/dashboard',
  '/notifications',
  '/account',
  '/account/security',
  '/account/devices',
  '/account/notifications',
  '/account/keys',
  '/account/organization',
  '/account/billing',
  '/account/data',
  '/data-marketplace',
  '/data-marketplace/:slug/query',
  '/data-marketplace/:slug/buy',
  '/pay/:reference',
  '/admin/calendar',
  '/admin/blog',
  '/admin/redirects',
  '/admin/products',
  '/admin/users',
  '/admin/settings',
  '/admin/webhooks',
]
const forStaff = [
  '/dashboard/letters',
  '/leads',
  '/leads/inbox',
  '/leads/import',
  '/leads/stages',
  '/leads/duplicates',
  '/tasks',
  '/leads/:reference',
  '/leads/:reference/proposal',
  '/admin/newsletter',
  '/admin/organizations',
  '/admin/billing',
  '/admin/billing/orders/:reference',
  '/admin/billing/payments/:id',
  '/admin/organizations/:reference',
]

type Page = { pattern: string; ids: string[] }

/** Every page with the ids of its routes, from the root to the page itself. */
function listPages({ routes }: ServerBuild): Page[] {
  const all = Object.values(routes).flatMap((route) => route ?? [])
  const idsTo = (id: string | undefined): string[] => all.flatMap((route) => (route.id === id ? [...idsTo(route.parentId), route.id] : []))
  return all
    .filter(({ id }) => !all.some(({ parentId }) => parentId === id))
    .map(({ id }) => ({
      ids: idsTo(id),
      pattern: `/${idsTo(id)
        .flatMap((each) => routes[each]?.path || [])
        .join('/')}`,
    }))
}

/** The page, its data, and its data as a client requests it that leaves out the loaders of some of its routes. */
function requestsOf({ ids }: Page, address: string): string[] {
  const data = dataOf(address)
  const chosen = ['', ...ids, ids.join(','), ids.slice(1).join(','), 'no-such-route']
  return [address, data, ...chosen.map((each) => `${data}?_routes=${encodeURIComponent(each)}`)]
}

const app = await startApp()
await makeOwner()
beforeEach(closeLimits)
const known: Record<string, string> = {}
beforeAll(async () => {
  const [lead, product, post] = [
    await makeContact({ reference: 'W-ABCDEF' }),
    await makeProduct(),
    await makePost({ publishedAt: new Date(0) }),
  ]
  Object.assign(known, { reference: lead.reference, product: product.slug, post: post.slug })
})

function addressOf(pattern: string): string {
  return fill(
    pattern,
    (name) => (name === 'slug' && pattern.startsWith('/blog') ? known['post'] : name === 'slug' ? known['product'] : known[name]) ?? 'x',
  )
}

/** An order is there for those who bought it. Here nobody has, and they are not refused either. */
const opened = ({ pattern }: Page, status: number) => (pattern === '/pay/:reference' && status === 404 ? 200 : status)

const isClosed = ({ pattern }: Page) => forSignedIn.includes(pattern) || forStaff.includes(pattern)

async function answersTo(page: Page, headers: Record<string, string>) {
  const answers: { url: string; status: number; location: string }[] = []
  const requests = requestsOf(page, addressOf(page.pattern))
  // A page for everyone has nothing to guard: parts of it are requested at full length only.
  for (const url of isClosed(page) ? requests : byLength(requests.slice(0, 2), requests)) {
    const { statusCode, headers: given, body } = await app.inject({ url, headers })
    // The data of a page has a redirect in its body.
    answers.push({ url, status: statusCode, location: statusCode === 202 ? body : (given['location'] ?? '') })
  }
  return answers
}

const all = listPages(build)

test('the lists of closed pages name pages that exist', () => {
  expect([...forSignedIn, ...forStaff].filter((pattern) => !all.some((page) => page.pattern === pattern))).toEqual([])
})

describe('whatever parts of a page a client asks for', () => {
  test('a stranger is sent to the sign-in page by each page that is not public, and by no other', async () => {
    for (const page of all) {
      for (const { url, location } of await answersTo(page, {}))
        expect([url, location.includes(`/login?next=${encodeURIComponent(addressOf(page.pattern))}`)]).toEqual([url, isClosed(page)])
    }
  })

  test('a customer opens the pages of every signed-in person, and none of staff', async () => {
    const { headers } = await signIn('customer')
    for (const page of all.filter(isClosed)) {
      const isTheirs = forSignedIn.includes(page.pattern)
      for (const { url, status } of await answersTo(page, headers)) expect([url, opened(page, status)]).toEqual([url, isTheirs ? 200 : 403])
    }
  })

  test.each(['staff', 'owner'] as const)('%s opens every page', async (role) => {
    const { headers } = await signIn(role)
    for (const page of all.filter(isClosed)) {
      for (const { url, status } of await answersTo(page, headers)) expect([url, opened(page, status)]).toEqual([url, 200])
    }
  })
})
