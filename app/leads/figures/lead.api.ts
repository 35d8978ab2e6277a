import { z } from 'zod'
import { sql } from 'kysely'
import { allow } from '#app/access.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { audit } from '#app/auth/users/audit.server.ts'
import { noteLeadEvent } from '#app/leads/lead/lead-event.server.ts'
import { announceLeads } from '#app/leads/lead/lead-signal.server.ts'
import { attachPerson } from '#app/leads/lead/person.server.ts'
import { advanceLead } from '#app/leads/lead/stage.server.ts'
import { db, insert, newId, transaction } from '#app/platform/database/db.server.ts'
import type { Row } from '#db/tables.ts'
import { ATTAINMENT, attainment, missedPromise, promiseClocks, stageFunnel } from './attainment.ts'
import { listMissed, readAttainment } from './attainment.server.ts'
import { newConsultation, type NewConsultation } from '#app/leads/lead/consultation.ts'
import { findContact, listEnquiriesOf } from '#app/leads/lead/contact.server.ts'
import { listedConsultation, ownEnquiry, wholeContact } from '#app/leads/lead/lead.ts'
import { insightPeriods, leadInsights } from './lead-insights.ts'
import { readInsights } from './lead-insights.server.ts'
import { leadSummary } from '#app/leads/list/lead-summary.ts'
import { summariseLeads } from './lead-summary.server.ts'
import { readStageFunnel } from './stage-funnel.server.ts'

const params = z.object({ id: z.uuid('Enquiry not found.') })
const unknown = () => stop('notFound', 'Enquiry not found.')

const period = z.object({
  days: z.coerce
    .number()
    .pipe(z.literal([...insightPeriods], 'Days must be 7, 30, 90 or 365.'))
    .default(30),
})

/** The staff endpoints for single leads and lists of leads. */
export const leadApi: Api = async (app) => {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(request.requestContext, /^(GET|HEAD)$/.test(request.method) ? 'leads.read' : 'leads.write')
  })

  app.get(
    '/api/leads/summary',
    { schema: { summary: 'Read the figures of the sales dashboard', response: { 200: leadSummary } } },
    async () => summariseLeads(),
  )

  app.get('/api/leads/insights', {
    schema: {
      summary: 'Read trends, funnel, reply times, sources and countries of a period',
      querystring: period,
      response: { 200: leadInsights },
    },
    handler: async ({ query }) => readInsights(query.days),
  })

  app.get('/api/leads/funnel', {
    schema: {
      summary: 'Read how far the leads of a period came, and the value in each stage',
      querystring: period,
      response: { 200: stageFunnel },
    },
    handler: async ({ query }) => readStageFunnel(query.days),
  })

  app.get(
    ATTAINMENT,
    { schema: { summary: 'Read how many of the promised replies were in time, by week', response: { 200: attainment } } },
    async () => readAttainment(),
  )

  app.get(`${ATTAINMENT}/missed`, {
    schema: {
      summary: 'List the enquiries of a week whose promised reply was late',
      querystring: z.object({
        clock: z.enum(promiseClocks, 'Unknown promise.'),
        week: z.iso.date('Give the first day of the week as YYYY-MM-DD.'),
      }),
      response: { 200: z.array(missedPromise) },
    },
    handler: async ({ query }) => listMissed(query.clock, query.week),
  })

  app.get('/api/contacts/:id', {
    schema: { summary: 'Read one enquiry with its related records', params, response: { 200: wholeContact } },
    async handler({ params }) {
      return (await findContact(params.id)) ?? unknown()
    },
  })

  app.post('/api/contacts/:id/consultation', {
    schema: { summary: 'Convert an enquiry to a consultation', params, response: { 200: listedConsultation, 201: listedConsultation } },
    async handler({ params, requestContext }, reply) {
      const { id: actorId } = await allow(requestContext, 'leads.write')
      const { consultation, isNew } = await convertToConsultation(params.id, actorId)
      return reply.status(isNew ? 201 : 200).send(written(consultation))
    },
  })

  app.post('/api/consultations', {
    schema: { summary: 'Create a consultation', body: newConsultation, response: { 201: listedConsultation } },
    async handler({ body }, reply) {
      return reply.status(201).send(written(await noteConsultation(body)))
    },
  })
}

/** The endpoints for a signed-in person's own enquiries. */
export const ownEnquiryApi: Api = async (app) => {
  app.get('/api/me/enquiries', {
    schema: { summary: 'List your own enquiries, newest first', response: { 200: z.array(ownEnquiry) } },
    async handler(request, reply) {
      const currentUser = await allow(request.requestContext, 'workspace.enter')
      reply.header('cache-control', 'no-store')
      return listEnquiriesOf(currentUser.id)
    },
  })
}

function written<Made extends { createdAt: Date }>(made: Made) {
  return { ...made, createdAt: made.createdAt.toISOString() }
}

/** Stores a consultation that did not come from an enquiry on the site. */
async function noteConsultation(consultation: NewConsultation): Promise<Row<'consultations'>> {
  const { company, phone, ...rest } = consultation
  const noted = await transaction(async (trx) => {
    const { id: personId } = await attachPerson(trx, consultation)
    return insert(trx, 'consultations', { ...rest, company: company || null, phone: phone || null, personId, source: 'staff' })
  })
  announceLeads()
  return noted
}

/**
 * Turns an enquiry into a consultation with its sender's data, and counts as a reply. One for each enquiry: the constraint decides, so a
 * repeated request returns the first one's consultation.
 */
async function convertToConsultation(contactId: string, actorId: string): Promise<{ consultation: Row<'consultations'>; isNew: boolean }> {
  const converted = await transaction(async (trx) => {
    const contact = await trx.selectFrom('contacts').selectAll().where('id', '=', contactId).executeTakeFirst()
    if (!contact) return stop('notFound', 'Enquiry not found.')
    if (contact.quarantinedAt) return stop('conflict', 'This enquiry is in quarantine. Release it first.', { code: 'quarantined' })
    const { personId, name, email, company, message } = contact
    const made = await trx
      .insertInto('consultations')
      .values({ id: newId(), personId, contactId, source: 'contact', name, email, company, projectDescription: message })
      .onConflict((conflict) => conflict.constraint('consultations_contact_key').doNothing())
      .returningAll()
      .executeTakeFirst()
    if (made) {
      await trx
        .updateTable('contacts')
        .set({ answeredAt: sql`coalesce(answered_at, now())` })
        .where('id', '=', contactId)
        .execute()
      await audit(trx, 'enquiry_converted', { actorId, subjectId: contactId })
      await noteLeadEvent(trx, { contactId, kind: 'converted', actorId })
      await advanceLead(trx, contactId, 'call', actorId)
    }
    return made
  })
  if (converted) {
    announceLeads()
    return { consultation: converted, isNew: true }
  }
  const first = await db.selectFrom('consultations').selectAll().where('contactId', '=', contactId).executeTakeFirstOrThrow()
  return { consultation: first, isNew: false }
}
