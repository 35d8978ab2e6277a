import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { exportFormat } from '#app/platform/tables/export-format.ts'
import { exportAnswer, sendExport } from '#app/platform/http/export.server.ts'
import { listNewsletterPosts, retryIssue, sendIssue } from './issue.server.ts'
import {
  deletedSubscribers,
  NEWSLETTER_POSTS,
  newsletterIssue,
  newsletterPosts,
  subscriberChoice,
  subscriberFilter,
  subscriberPage,
  subscriberQuery,
  SUBSCRIBERS,
} from './newsletter.ts'
import { deleteSubscriber, deleteSubscribers, exportSubscribers, listSubscribers } from './subscriber.server.ts'

const tags = ['blog']
const postId = z.object({ id: z.uuid('Post not found.') })

/** For staff: the subscribers, and the posts that are sent to them. The public forms are pages. */
export const newsletterApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'newsletter.manage')
  })

  app.get(SUBSCRIBERS, {
    schema: { summary: 'List newsletter subscribers, newest first', tags, querystring: subscriberQuery, response: { 200: subscriberPage } },
    handler: async ({ query }) => listSubscribers(query),
  })

  app.get(`${SUBSCRIBERS}.csv`, {
    schema: {
      summary: 'Export newsletter subscribers as CSV',
      tags,
      querystring: z.object({ ...subscriberFilter.shape, format: exportFormat }),
      response: { 200: exportAnswer },
    },
    config: { audit: 'subscribers_exported', limit: perVisitor('exports', 60, '1 hours') },
    exposeHeadRoute: false,
    async handler({ query }, reply) {
      const { format, ...filter } = query
      return sendExport(reply, { name: 'subscribers', list: exportSubscribers(filter), format })
    },
  })

  app.delete(`${SUBSCRIBERS}/:id`, {
    schema: {
      summary: 'Delete a newsletter subscriber',
      tags,
      params: z.object({ id: z.uuid('There is no such subscriber.') }),
      response: { 204: z.null() },
    },
    config: { audit: 'subscriber_removed' },
    async handler({ params: { id } }, reply) {
      if (!(await deleteSubscriber(id))) stop('notFound', 'There is no such subscriber.')
      return reply.status(204).send(null)
    },
  })

  app.post(`${SUBSCRIBERS}/delete`, {
    schema: {
      summary: 'Delete newsletter subscribers: some, or all that match',
      tags,
      body: subscriberChoice,
      response: { 200: deletedSubscribers },
    },
    async handler({ body, requestContext }) {
      const { id } = await allow(requestContext, 'newsletter.manage')
      return { deleted: await deleteSubscribers(body.choice, { id, address: requestContext.address }) }
    },
  })

  app.get(NEWSLETTER_POSTS, {
    schema: { summary: 'List the newest public posts with their emails to subscribers', tags, response: { 200: newsletterPosts } },
    handler: async () => listNewsletterPosts(),
  })

  app.post(`${NEWSLETTER_POSTS}/:id/send`, {
    schema: { summary: 'Send a public post to all subscribers, once', tags, params: postId, response: { 202: newsletterIssue } },
    config: { audit: 'newsletter_sent' },
    async handler({ requestContext, params: { id } }, reply) {
      const { id: sentBy } = await allow(requestContext, 'newsletter.manage')
      return reply.status(202).send(await sendIssue(id, sentBy))
    },
  })

  app.post(`${NEWSLETTER_POSTS}/:id/retry`, {
    schema: { summary: 'Send the failed emails of a post again', tags, params: postId, response: { 202: newsletterIssue } },
    async handler({ params: { id } }, reply) {
      return reply.status(202).send(await retryIssue(id))
    },
  })
}
