import { z } from 'zod'
import { allow, may } from '#app/access.server.ts'
import type { CurrentUser } from '#app/account/session/current-user.ts'
import { allowIn, findMembership, requireRight } from '#app/organizations/organization/membership.server.ts'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { fileResponseSchema } from '#app/platform/http/response-schema.ts'
import { openFile } from '#app/platform/storage/storage.server.ts'
import { correctInvoice, listInvoices } from './invoice.server.ts'
import { correctBody, INVOICES, listedInvoice } from './invoice.ts'
import { invoiceFile } from './make.server.ts'

const tags = ['billing']
const params = z.object({ id: z.uuid('There is no such invoice.') })

/** Invoices: buyers and admins of the organization see its own, and staff with the right see all. */
export const invoicesApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'workspace.enter')
  })

  app.get('/api/organizations/:id/invoices', {
    schema: {
      summary: 'List the invoices of an organization, newest first',
      tags,
      params: z.object({ id: z.string().max(40, 'There is no such organization.') }),
      response: { 200: z.array(listedInvoice) },
    },
    async handler({ requestContext, params: { id } }) {
      const { organization } = await allowIn(requestContext, id, 'buy')
      return listInvoices({ organizationId: organization.id })
    },
  })

  for (const [kind, type] of [
    ['pdf', 'application/pdf'],
    ['xml', 'application/xml'],
  ] as const) {
    app.get(`${INVOICES}/:id/${kind}`, {
      schema: {
        summary: kind === 'pdf' ? 'Get an invoice as a PDF' : 'Get an invoice for programs, by EN 16931',
        tags,
        params,
        response: { 200: fileResponseSchema('The invoice.', type) },
      },
      async handler({ requestContext, params: { id } }, reply) {
        const { number } = await findFor(await allow(requestContext, 'workspace.enter'), id)
        const file = (await openFile(invoiceFile(id, kind))) ?? (await explainMissing(id, kind))
        return reply
          .headers({
            'content-type': type,
            'content-length': file.size,
            'content-disposition': `attachment; filename="${number.toLowerCase()}.${kind}"`,
          })
          .send(file.stream)
      },
    })
  }

  app.post(`${INVOICES}/:id/correct`, {
    schema: {
      summary: 'Issue an invoice again with the present facts of its buyer',
      description: 'For a wrong name, address or order number. The amounts stay; the corrected invoice takes the place of the one before.',
      tags,
      params,
      body: correctBody,
      response: { 201: z.object({ id: z.string(), number: z.string() }) },
    },
    async onRequest({ requestContext }) {
      await allow(requestContext, 'billing.write')
    },
    async handler({ requestContext, params: { id }, body: { reason } }, reply) {
      const { id: actorId } = await allow(requestContext, 'billing.write')
      const { number, id: correctedId } = await transaction((trx) =>
        correctInvoice(trx, id, reason, { id: actorId, address: requestContext.address }),
      )
      return reply.status(201).send({ id: correctedId, number })
    },
  })
}

/** Others' invoices do not exist for a person. */
async function findFor(user: CurrentUser, id: string): Promise<{ number: string }> {
  const found = await db
    .selectFrom('invoices')
    .innerJoin('orders', 'orders.id', 'invoices.orderId')
    .select(['number', 'orders.organizationId'])
    .where('invoices.id', '=', id)
    .executeTakeFirst()
  if (!found) return unknown()
  if (may(user, 'billing.read')) return found
  const membership = (await findMembership(user, found.organizationId)) ?? unknown()
  requireRight(membership, 'buy')
  return found
}

function unknown(): never {
  return stop('notFound', 'There is no such invoice.')
}

async function explainMissing(id: string, kind: 'pdf' | 'xml'): Promise<never> {
  const files = await db.selectFrom('invoiceFiles').select(['madeAt', 'xmlFormat']).where('invoiceId', '=', id).executeTakeFirst()
  if (files?.madeAt && kind === 'xml' && files.xmlFormat === '') return stop('notFound', 'This invoice has no form for programs.')
  return stop('unavailable', 'The document of this invoice is being made. Please try again in a minute.', { retryAfter: 60 })
}
