import * as build from 'virtual:react-router/server-build'
import { expect, test } from 'vitest'
import { startApp } from './app.ts'
import { fill, listPages } from './every-route.ts'
import { makeContact, makeOwner, makePost, makeProduct, signIn } from './factories.ts'

const app = await startApp()
await makeOwner()
const lead = await makeContact({ reference: 'W-ABCDEF' })
const product = await makeProduct()
const post = await makePost({ publishedAt: new Date(0) })
const values: Record<string, string> = { reference: lead.reference, slug: product.slug }

/** Pages that answer a posted form: those whose route has an action. */
const answering = new Set(Object.values(build.routes).flatMap((route) => (route?.module.action ? `/${route.path ?? ''}` : [])))

const addressOf = (pattern: string) =>
  fill(pattern, (name) => (name === 'slug' && pattern.startsWith('/blog') ? post.slug : (values[name] ?? 'x')))

/** The controls of a document that would do nothing, or something else, before its scripts have arrived. */
function faultsOf(html: string, pattern: string): string[] {
  const body = html.slice(html.indexOf('<body')).replaceAll(/<script[^]*?<\/script>/g, '')
  const faults: string[] = []
  let isNative = false
  for (const [tag, name, attributes = ''] of body.matchAll(/<(form|button|\/form)\b([^>]*)>/g)) {
    const has = (pattern: RegExp) => pattern.test(attributes)
    if (name === '/form') isNative = false
    else if (name === 'form') {
      const isSearch = has(/ method="get"/) && has(/ action="/)
      isNative = isSearch || has(/ method="dialog"/) || (has(/ method="post"/) && (has(/ action="/) || answering.has(pattern)))
      // A GET form would put typed text into the address, and so into the history and logs.
      if (!isSearch && !has(/ method="(post|dialog)"/)) faults.push(tag)
    } else {
      const isQuiet = has(/ (disabled|hidden)=""| aria-disabled="true"/)
      const works = has(/ popoverTarget="/i) || (isNative && !has(/ type="button"/))
      if (!isQuiet && !works) faults.push(tag)
    }
  }
  return faults
}

test('before its scripts arrive, a live page has no button that loses its press, and no form that writes what is typed into the address', async () => {
  const { headers } = await signIn('owner')
  const found: [string, string[]][] = []
  for (const pattern of listPages().filter((each) => !each.startsWith('/dev/'))) {
    for (const sent of [headers, {}]) {
      const { statusCode, body } = await app.inject({ url: addressOf(pattern), headers: sent })
      if (statusCode === 200 && body.includes('data-live="true"')) found.push([pattern, faultsOf(body, pattern)])
    }
  }
  expect(found.length).toBeGreaterThan(40)
  expect(found.filter(([, faults]) => faults.length > 0)).toEqual([])
})
