import { defineEmail } from '#app/mail/email.server.ts'
import { Action, EmailHeading, FinePrint, Paragraph, TextLink } from '#app/mail/layout.tsx'
import { env } from '#app/platform/env.server.ts'

/** `subjectIds` are the rows that it is about, so that erasing a person finds it. */
type Notices = { items: { title: string; body: string | null; link: string }[]; isDigest: boolean; subjectIds: string[] }

const siteUrl = (link: string) => new URL(link, env.SITE_URL).href

/** One notification, or several in one email: a digest, or what was held back during quiet hours. */
export const noticeEmail = defineEmail<Notices>('notices', ({ items, isDigest }) => {
  const [first] = items
  const isOne = items.length === 1
  const heading = isOne ? (first?.title ?? '') : isDigest ? `Your digest: ${items.length} notifications` : `${items.length} notifications`
  return {
    subject: heading,
    preview: isOne
      ? (first?.body ?? heading)
      : items
          .map(({ title }) => title)
          .join(' · ')
          .slice(0, 150),
    body: (
      <>
        <EmailHeading>{heading}</EmailHeading>
        {isOne && first?.body && <Paragraph>{first.body}</Paragraph>}
        {!isOne &&
          items.map(({ title, body, link }, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- written once, never reordered
            <Paragraph key={at}>
              <TextLink href={siteUrl(link)}>{title}</TextLink>
              {body && ` – ${body}`}
            </Paragraph>
          ))}
        <Action href={siteUrl(isOne ? (first?.link ?? '/notifications') : '/notifications')}>
          {isOne ? 'Open' : 'Open notifications'}
        </Action>
        <FinePrint>
          You can choose what we email you about: <TextLink href={siteUrl('/account/notifications')}>notification settings</TextLink>.
        </FinePrint>
      </>
    ),
  }
})
