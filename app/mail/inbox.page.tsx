import type { Handle } from '#app/access.server.ts'
import { Link, type MetaFunction } from 'react-router'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Card } from '#app/ui/card.tsx'
import { cx } from '#app/ui/class-names.ts'
import { Empty } from '#app/ui/empty.tsx'
import { Page } from '#app/ui/page.tsx'
import { allowInbox } from './inbox.server.ts'
import type { EmailSummary } from './emails.ts'
import { listEmails, readEmail } from './emails.server.ts'
import { senderLine } from './outbox.server.ts'
import type { Route } from './+types/inbox.page.ts'

const LIMIT = 50
const SECONDS = 4

export const handle = { access: 'public' } satisfies Handle

/** The emails of a development machine without a mail server. */
export async function loader({ request, context }: Route.LoaderArgs) {
  allowInbox(requestContextOf(context))
  const { searchParams } = new URL(request.url)
  const emails = await listEmails({ limit: LIMIT })
  const open = emails.find(({ id }) => id === searchParams.get('letter')) ?? emails[0]
  const content = open && (await readEmail(open.id))
  return {
    emails,
    open: open && { ...open, text: content?.text, messageId: content?.messageId },
    from: senderLine(),
    auto: searchParams.has('auto'),
  }
}

export const headers = () => ({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })

export const meta: MetaFunction<typeof loader> = ({ loaderData }) => [
  { title: 'Emails on this machine' },
  { name: 'robots', content: 'noindex' },
  ...(loaderData?.auto ? [{ httpEquiv: 'refresh', content: String(SECONDS) }] : []),
]

export default function InboxPage({ loaderData: { emails, open, from, auto } }: Route.ComponentProps) {
  return (
    <Page
      kind="work"
      eyebrow="Only on this machine"
      title="Emails"
      intro="No mail server is set (SMTP_URL). Emails are stored here and sent once there is one."
      actions={
        <>
          <ButtonLink to="/dev/mail" reloadDocument>
            Check for new emails
          </ButtonLink>
          <ButtonLink to={auto ? '/dev/mail' : '/dev/mail?auto'} look="quiet" reloadDocument>
            {auto ? 'Stop checking automatically' : `Check every ${SECONDS} seconds`}
          </ButtonLink>
        </>
      }
    >
      {open ? (
        <div className="grid items-start gap-6 lg:grid-cols-[20rem_1fr]">
          <OpenEmail email={open} from={from} />
          <EmailList emails={emails} openId={open.id} />
        </div>
      ) : (
        <Empty title="No email yet">Sign up or send an enquiry to see its emails here.</Empty>
      )}
    </Page>
  )
}

function EmailList({ emails, openId }: { emails: EmailSummary[]; openId: string }) {
  return (
    <nav aria-label="Emails, newest first" className="lg:col-start-1 lg:row-start-1">
      <ol className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
        {emails.map(({ id, subject, kind, to, postedAt }) => (
          <li key={id}>
            <Link
              to={`/dev/mail?letter=${id}`}
              reloadDocument
              aria-current={id === openId ? 'true' : undefined}
              className={cx('grid min-h-11 gap-0.5 px-4 py-3 text-small', id === openId ? 'bg-grain-wash' : 'hover:bg-sunken')}
            >
              <span className="font-medium">{subject ?? kind}</span>
              <span className="break-all text-muted">{to}</span>
              <span className="font-mono text-fine text-muted">
                <Moment at={postedAt} />
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}

type OpenEmailProps = { email: EmailSummary & { text: string | undefined; messageId: string | undefined }; from: string }

function OpenEmail({ email, from }: OpenEmailProps) {
  if (email.text === undefined) {
    return (
      <div className="lg:col-start-2 lg:row-start-1">
        <Empty title={email.subject ?? email.kind}>This email was sent, and its content was deleted.</Empty>
      </div>
    )
  }
  const headers = [
    ['From', from],
    ['To', email.to],
    ['Message-ID', email.messageId],
    ['Kind', email.kind],
  ]
  return (
    // Placed by hand: the document may show it before the list that follows has arrived.
    <Card as="article" pad="none" className="lg:col-start-2 lg:row-start-1">
      <header className="grid gap-4 border-b border-line p-5 sm:p-6">
        <h2 className="text-h3">{email.subject}</h2>
        <dl className="grid gap-x-4 gap-y-1 font-mono text-fine sm:grid-cols-[auto_1fr]">
          {headers.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-muted">{name}</dt>
              <dd className="break-all">{value}</dd>
            </div>
          ))}
        </dl>
        <p>
          <a className="link" href={`/dev/mail/${email.id}`} target="_blank" rel="noopener">
            Open in a new tab
          </a>
        </p>
      </header>
      <iframe
        title={`The email: ${email.subject}`}
        src={`/dev/mail/${email.id}`}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        className="block h-[44rem] w-full border-0"
      />
      <details className="border-t border-line p-5 sm:p-6">
        <summary className="min-h-11 cursor-pointer content-center font-medium">As plain text</summary>
        <PlainText text={email.text} />
      </details>
    </Card>
  )
}

/** The text part with clickable URLs. */
function PlainText({ text }: { text: string }) {
  const [before = '', ...rest] = text.split(/(https?:\/\/[^\s<>]+)/)
  const pairs = Array.from({ length: rest.length / 2 }, (_, index) => ({ url: rest[index * 2], after: rest[index * 2 + 1] }))
  return (
    <pre className="mt-4 font-mono text-fine break-words whitespace-pre-wrap">
      {before}
      {pairs.map(({ url, after }) => (
        <span key={`${url}${after}`}>
          <a className="link" href={url}>
            {url}
          </a>
          {after}
        </span>
      ))}
    </pre>
  )
}

function Moment({ at }: { at: string }) {
  return <time dateTime={at}>{`${at.slice(0, 10)} ${at.slice(11, 19)} UTC`}</time>
}
