import { expect, test } from 'vitest'
import { heads } from '#app/content/seo.ts'
import { hashOfToken, manageToken } from '#app/booking/manage-link.server.ts'
import { pageUrlOf } from '#app/leads/lead/page-link.server.ts'
import { env } from '#app/platform/env.server.ts'
import { db, newId } from '#app/platform/database/db.server.ts'
import { startApp } from '#test/app.ts'
import { makeBooking, makeContact, makeHost, makePost, signIn } from '#test/factories.ts'
import { htmlFaults } from '#test/html-rules.ts'
import { workspacePages } from '#test/workspace-pages.ts'

const app = await startApp()
const owner = await signIn('owner')
const { slug } = await makePost({ title: 'Prices & shops', tags: ['prices'] })
const contact = await makeContact()
const lead = await db.selectFrom('leads').select(['contactId', 'pageVersion']).where('contactId', '=', contact.id).executeTakeFirstOrThrow()
const enquiry = pageUrlOf(lead).slice(env.SITE_URL.length)
const host = await makeHost()
const booking = await makeBooking({ id: newId(), hostId: host.userId })
const token = manageToken({ id: booking.id, manageVersion: 1 })
await db
  .updateTable('bookings')
  .set({ manageHash: hashOfToken(token) })
  .where('id', '=', booking.id)
  .execute()
const manage = `/book/manage/${token}`

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
  `/booking-success?booking=${token}`,
  manage,
  `${manage}?move=1`,
  enquiry,
  '/dev/gallery',
]
const signedIn = [...workspacePages, `/leads/${contact.reference}`, '/book', `/blog/${slug}`]

async function faultsOf(url: string, headers = {}): Promise<string[]> {
  const { body, headers: answered } = await app.inject({ url, headers: { accept: 'text/html', ...headers } })
  expect(answered['content-type']).toContain('text/html')
  return htmlFaults(body)
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
