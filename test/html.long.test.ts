import { HtmlValidate, type RuleConfig, StaticConfigLoader } from 'html-validate'
import { expect, test } from 'vitest'
import { heads } from '#app/site/content/seo.ts'
import { startApp } from '#test/app.ts'
import { makeContact, makePost, signIn } from '#test/factories.ts'

/** Rules of taste are off; each one that is off says why. */
const rules: RuleConfig = {
  // Tailwind names many classes; React writes attributes in its own order and every void element with a slash.
  'long-title': 'off',
  'void-style': 'off',
  'no-trailing-whitespace': 'off',
  // The pages are written for browsers, which close these elements themselves.
  'doctype-style': 'off',
  // Styles and scripts that stand in a page are there on purpose, each with its hash in the policy.
  'no-inline-style': 'off',
  // A list without markers says `role="list"`, because Safari reads it as no list otherwise.
  'no-redundant-role': 'off',
  // HTML says that a button is of the type submit unless it says otherwise, and so does `Button`.
  'no-implicit-button-type': 'off',
  // A phone number breaks where the line ends, and not within.
  'tel-non-breaking': 'off',
}
const validator = new HtmlValidate(new StaticConfigLoader({ extends: ['html-validate:standard', 'html-validate:a11y'], rules }))

const app = await startApp()
const owner = await signIn('owner')
const { slug } = await makePost({ title: 'Prices & shops', tags: ['prices'] })
await makeContact()

const open = [
  ...Object.keys(heads),
  `/blog/${slug}`,
  '/blog?q=nothing',
  '/login',
  '/login/code',
  '/login/forgot-password',
  '/login/sign-out',
  '/nowhere',
  '/booking-success',
  '/dev/gallery',
]
const signedIn = [
  '/',
  '/dashboard',
  '/dashboard/letters',
  '/account',
  '/account/security',
  '/account/devices',
  '/account/keys',
  '/account/data',
  '/data-marketplace',
  '/admin/blog',
  '/admin/redirects',
  '/admin/products',
  '/admin/users',
  `/blog/${slug}`,
  '/contact',
]

async function faultsOf(url: string, headers = {}): Promise<string[]> {
  const { body, headers: answered } = await app.inject({ url, headers: { accept: 'text/html', ...headers } })
  expect(answered['content-type']).toContain('text/html')
  const { results } = await validator.validateString(body)
  return results.flatMap(({ messages }) => messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`))
}

test('figures in a case study say their value for machines', async () => {
  const { body } = await app.inject('/case-studies')
  expect(body.match(/<data(?! value="\d)/g)).toBeNull()
})

test.each(open)('the HTML of %s has no fault', async (url) => {
  expect(await faultsOf(url)).toEqual([])
})

test.each(signedIn)('the HTML of %s for someone signed in has no fault', async (url) => {
  expect(await faultsOf(url, owner.headers)).toEqual([])
})
