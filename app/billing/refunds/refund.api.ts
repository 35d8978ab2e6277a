import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { applyDispute } from './dispute.server.ts'
import { findProvider } from '#app/billing/payments/providers.server.ts'
import { audit, by } from '#app/auth/users/audit.server.ts'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { makeEvidencePack } from './evidence.server.ts'
import { applyRefund, approveRefund, confirmTransfer, declineRefund, findUnapproved, requestRefund } from './refund.server.ts'
import { decidedElsewhere, declineBody, refundBody, refundReceipt, STAFF_BILLING, taskNote, testDisputeBody } from './refund.ts'
import { findSecondPersonLimit } from './second-person.server.ts'
import { disputeTestPayment, failTestRefund } from './test-money.server.ts'

const params = z.object({ id: z.uuid('There is no such payment, refund, dispute or task.') })
const tags = ['billing']
const bodyLimit = 8192

/** Disputes, for staff. */
export const disputeApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'billing.read')
  })

  app.get(`${STAFF_BILLING}/disputes/:id/evidence`, {
    schema: {
      summary: 'Download the evidence pack of a dispute',
      description: 'A ZIP of texts: the license and who accepted it, downloads, addresses and emails.',
      tags,
      params,
    },
    async handler({ params: { id } }, reply) {
      const { name, bytes } = await makeEvidencePack(id)
      reply.header('content-disposition', `attachment; filename="${name}"`)
      return reply.type('application/zip').send(Buffer.from(bytes))
    },
  })
}

/** Actions of staff with `billing.write` for payments. */
export const refundApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'billing.write')
  })

  app.post(`${STAFF_BILLING}/payments/:id/refunds`, {
    schema: {
      summary: 'Refund a payment, or a part of it',
      description: 'A large refund waits for a second person with the right, where there is one.',
      tags,
      params,
      body: refundBody,
      response: { 201: refundReceipt },
    },
    bodyLimit,
    async handler({ requestContext, params: { id }, body: { orderId, ...body } }, reply) {
      const asked = { paymentId: id, orderId: orderId || null, ...body }
      const limit = await findSecondPersonLimit(requestContext, await sumWith(id, body.amount))
      return reply.status(201).send(await requestRefund(asked, await actorOf(requestContext), limit))
    },
  })

  app.post(`${STAFF_BILLING}/refunds/:id/decline`, {
    schema: { summary: 'Decline a refund that was asked for', tags, params, body: declineBody, response: { 204: z.null() } },
    bodyLimit,
    async handler({ requestContext, params: { id }, body: { reason } }, reply) {
      await declineRefund(id, reason, await actorOf(requestContext))
      return reply.status(204).send(null)
    },
  })

  const decide = (step: 'approve' | 'sent', summary: string, act: (id: string, actor: { id: string; address: string }) => Promise<void>) =>
    app.post(`${STAFF_BILLING}/refunds/:id/${step}`, {
      schema: { summary, tags, params, response: { 204: z.null() } },
      async handler({ requestContext, params: { id } }, reply) {
        await act(id, await actorOf(requestContext))
        return reply.status(204).send(null)
      },
    })
  decide('approve', 'Approve the refund that another person asked for', approveRefund)
  decide('sent', 'Note that the money of a refund was sent from the bank', confirmTransfer)

  app.post(`${STAFF_BILLING}/tasks/:id/done`, {
    schema: { summary: 'Note that a task is done', tags, params, body: taskNote, response: { 204: z.null() } },
    bodyLimit,
    async handler({ requestContext, params: { id }, body: { note } }, reply) {
      await finishTask(id, note, await actorOf(requestContext))
      return reply.status(204).send(null)
    },
  })

  app.post(`${STAFF_BILLING}/test-payments/:id/dispute`, {
    schema: {
      summary: 'Dispute a payment of the test provider, or decide its dispute',
      tags,
      params,
      body: testDisputeBody,
      response: { 204: z.null() },
    },
    bodyLimit,
    async handler({ params: { id }, body: { state } }, reply) {
      const dispute = await disputeTestPayment(await findAtTestProvider('payments', id), state)
      const provider = findProvider('test')
      if (provider) await applyDispute(provider, dispute)
      return reply.status(204).send(null)
    },
  })

  app.post(`${STAFF_BILLING}/test-refunds/:id/fail`, {
    schema: { summary: 'Let a refund of the test provider fail', tags, params, response: { 204: z.null() } },
    async handler({ params: { id } }, reply) {
      const refund = await findAtTestProvider('refunds', id)
      await failTestRefund(refund)
      const provider = findProvider('test')
      if (provider) await applyRefund(provider, refund)
      return reply.status(204).send(null)
    },
  })
}

/** With the earlier refunds of the payment. */
async function sumWith(paymentId: string, amount: number): Promise<{ amount: number; currency: string }> {
  const payment = await db.selectFrom('payments').select('currency').where('id', '=', paymentId).executeTakeFirst()
  if (!payment) return stop('notFound', 'There is no such payment.')
  return { amount: amount + (await findUnapproved(db, paymentId)), currency: payment.currency }
}

async function actorOf(requestContext: RequestContext) {
  return { id: (await allow(requestContext, 'billing.write')).id, address: requestContext.address }
}

async function finishTask(id: string, note: string, actor: { id: string; address: string }): Promise<void> {
  await transaction(async (trx) => {
    const done = await trx
      .updateTable('billingTasks')
      .set({ doneAt: now, doneBy: actor.id, note })
      .where('id', '=', id)
      .where('doneAt', 'is', null)
      .where('kind', 'not in', decidedElsewhere)
      .returning('title')
      .executeTakeFirst()
    if (!done) stop('conflict', 'This task is done already, or is decided at its order or payment.', { code: 'task_done' })
    await audit(trx, 'billing_task_done', { ...by(actor), detail: { title: done.title, note } })
  })
}

async function findAtTestProvider(table: 'payments' | 'refunds', id: string): Promise<string> {
  const found =
    table === 'payments'
      ? await db.selectFrom('payments').select('providerId').where('id', '=', id).where('isTest', '=', true).executeTakeFirst()
      : await db.selectFrom('refunds').select('providerId').where('id', '=', id).executeTakeFirst()
  return found?.providerId ?? stop('notFound', 'There is no such object at the test provider.')
}
