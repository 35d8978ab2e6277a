import { allow } from '#app/access.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { env } from '#app/platform/env.server.ts'
import { consultationList, consultationQuery, contactList, contactQuery, type LeadPage, LEAD_PAGE_SIZE } from './lead-query.ts'
import { findConsultations, findContacts, listConsultations, listContacts } from './lead-list.server.ts'

/** The two lists of the sales dashboard, for staff. Without parameters they are plain arrays of the newest. */
export const leadListApi: Api = async (app) => {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(request.requestContext, 'leads.read')
  })

  app.get('/api/contacts', {
    schema: { summary: 'List enquiries, newest first', querystring: contactQuery, response: { 200: contactList } },
    async handler(request, reply) {
      if (isPaged(request.url)) return findContacts(request.query)
      const page = await listContacts()
      reply.headers(arrayHeaders('/api/contacts', page))
      return page.items
    },
  })

  app.get('/api/consultations', {
    schema: { summary: 'List consultation requests, newest first', querystring: consultationQuery, response: { 200: consultationList } },
    async handler(request, reply) {
      if (isPaged(request.url)) return findConsultations(request.query)
      const page = await listConsultations()
      reply.headers(arrayHeaders('/api/consultations', page))
      return page.items
    },
  })
}

const isPaged = (url: string) => url.includes('?')

/** An array has no room for the total and the next page, so they are in headers. */
function arrayHeaders(path: string, { total, nextCursor }: LeadPage<unknown>) {
  const next = `<${env.SITE_URL}${path}?limit=${LEAD_PAGE_SIZE}&cursor=${nextCursor}>; rel="next"`
  return { 'x-total-count': total, ...(nextCursor && { link: next }) }
}
