import { Action, EmailHeading, FinePrint, Paragraph, TextLink } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'
import { identity } from '#app/content/identity.ts'
import { publicDay, readingTime } from '#app/content/blog.ts'

type NewPost = {
  title: string
  excerpt: string
  minutes: number
  url: string
  unsubscribeUrl: string
  /** ISO 8601 */
  subscribedAt: string
}

/** A new post, to one subscriber. */
export const newPostEmail = defineEmail<NewPost>('newsletter-post', ({ title, excerpt, minutes, url, unsubscribeUrl, subscribedAt }) => ({
  subject: title,
  preview: excerpt,
  body: (
    <>
      <EmailHeading>{title}</EmailHeading>
      {excerpt && <Paragraph>{excerpt}</Paragraph>}
      <Action href={url}>Read the post ({readingTime(minutes)})</Action>
      <FinePrint>
        You get new posts of the {identity.name} blog because you subscribed on {publicDay(new Date(subscribedAt))}.{' '}
        <TextLink href={unsubscribeUrl}>Unsubscribe</TextLink>
      </FinePrint>
    </>
  ),
}))
