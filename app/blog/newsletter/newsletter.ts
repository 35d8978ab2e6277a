import { z } from 'zod/mini'
import { uuid } from '#app/platform/text/uuid.ts'
import { bulkChoice } from '#app/platform/tables/bulk-choice.ts'
import { paging, searchText } from '#app/ui/admin/paging.ts'

export const SUBSCRIBERS = '/api/newsletter/subscribers'
export const NEWSLETTER_POSTS = '/api/newsletter/posts'
/** The addresses that a change of issues or subscribers makes stale. */
export const newsletterData = ['/api/newsletter/']

/** `pending`: not confirmed yet. `bounced`: the mail server of the address rejected it permanently. */
export const subscriberState = z.enum(['active', 'pending', 'unsubscribed', 'bounced'], 'must be active, pending, unsubscribed or bounced')

export type SubscriberState = z.infer<typeof subscriberState>

/** The form that was used: at the list of posts, at the end of a post, or the page of the newsletter. */
export const subscriberSource = z.enum(['blog', 'post', 'page'])

export type SubscriberSource = z.infer<typeof subscriberSource>

const choice = {
  q: searchText('Search for a part of an address, at most 200 characters.'),
  state: z.optional(subscriberState),
}

export const subscriberFilter = z.object(choice)

export type SubscriberFilter = z.infer<typeof subscriberFilter>

export const subscriberChoice = z.object({ choice: bulkChoice(uuid('There is no such subscriber.'), z.strictObject(choice)) })

export type SubscriberChoice = z.infer<typeof subscriberChoice>['choice']

export const deletedSubscribers = z.object({ deleted: z.int() })

export const subscriberQuery = z.object({
  ...choice,
  cursor: z.optional(uuid('There is no such page.')),
  limit: paging.limit,
})

export type SubscriberQuery = z.infer<typeof subscriberQuery>

/** Times are ISO 8601. */
export const subscriber = z.object({
  id: z.string(),
  email: z.string(),
  state: subscriberState,
  source: subscriberSource,
  askedAt: z.string(),
  confirmedAt: z.nullable(z.string()),
})

export type Subscriber = z.infer<typeof subscriber>

/** `total` is the number of matches; `counts` are those of the whole list, whatever the filter. */
export const subscriberPage = z.object({
  subscribers: z.array(subscriber),
  total: z.int(),
  counts: z.object({ active: z.int(), pending: z.int(), unsubscribed: z.int(), bounced: z.int() }),
  nextCursor: z.nullable(z.string()),
})

export type SubscriberPage = z.infer<typeof subscriberPage>

/** `waiting` emails are on their way; `skipped` ones had no reader when their turn came. */
export const newsletterIssue = z.object({
  sentAt: z.string(),
  recipients: z.int(),
  sent: z.int(),
  waiting: z.int(),
  bounced: z.int(),
  skipped: z.int(),
  failed: z.int(),
})

export type NewsletterIssue = z.infer<typeof newsletterIssue>

/** A public post, and how it was sent to subscribers, if it was. */
export const newsletterPost = z.object({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  publishedAt: z.string(),
  issue: z.nullable(newsletterIssue),
})

export type NewsletterPost = z.infer<typeof newsletterPost>

/** `recipients`: the number of active subscribers now. `canSend`: whether a mail server is set up. */
export const newsletterPosts = z.object({ posts: z.array(newsletterPost), recipients: z.int(), canSend: z.boolean() })

export type NewsletterPosts = z.infer<typeof newsletterPosts>
