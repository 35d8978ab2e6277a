import { useQuery } from '@tanstack/react-query'
import { MailboxNotice } from '#app/leads/mailbox/mailbox-notice.tsx'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { useAction } from '#app/ui/admin/use-action.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { SETTINGS, siteConnections, testEmailOutcome } from './settings.ts'

/** How emails leave the installation and how calls are booked. The process reads these settings at its start. */
export function Connections({ mayWrite }: { mayWrite: boolean }) {
  const connections = useQuery(apiQuery(`${SETTINGS}/connections`, siteConnections))
  if (connections.isPending) {
    return (
      <div>
        <Loading>Loading...</Loading>
        <Skeleton lines={4} />
      </div>
    )
  }
  if (connections.isError) return <Failed error={connections.error} retry={connections.refetch} />
  const { smtp, bookingUrl, mailbox } = connections.data
  return (
    <div className="grid gap-4">
      <Card as="section" aria-labelledby="smtp" className="grid justify-items-start gap-3">
        <h2 id="smtp" className="text-h3">
          Email
        </h2>
        {smtp ? (
          <>
            <p>
              Emails leave through <span className="font-mono text-small">{smtp.host}</span> as{' '}
              <span className="font-mono text-small">{smtp.from}</span>.
            </p>
            {mayWrite && <TestEmail />}
          </>
        ) : (
          <p>
            No mail server is set up, so no email is sent yet. Set <code className="font-mono text-small">SMTP_URL</code>, such as{' '}
            <code className="font-mono text-small wrap-anywhere">smtps://user:password@smtp.your-provider.com</code>, and{' '}
            <code className="font-mono text-small">MAIL_FROM</code>. Then restart: emails that are waiting are sent.
          </p>
        )}
      </Card>
      <Card as="section" aria-labelledby="replies" className="grid justify-items-start gap-3">
        <h2 id="replies" className="text-h3">
          Replies
        </h2>
        <MailboxNotice mailbox={mailbox} />
      </Card>
      <Card as="section" aria-labelledby="calls" className="grid justify-items-start gap-3">
        <h2 id="calls" className="text-h3">
          Calls
        </h2>
        {bookingUrl ? (
          <p>
            Visitors book a call at{' '}
            <a href={bookingUrl} rel="noopener" className="link wrap-anywhere">
              {bookingUrl}
            </a>
            .
          </p>
        ) : (
          <p>
            Visitors book a call at{' '}
            <a href="/book" className="link">
              /book
            </a>
            . With <code className="font-mono text-small">BOOKING_URL</code>, the address of another calendar, they book it there.
          </p>
        )}
      </Card>
    </div>
  )
}

function TestEmail() {
  const test = useAction({
    send: async () => testEmailOutcome.parse(await (await apiRequest('POST', `${SETTINGS}/test-email`)).json()),
    failed: 'The test could not be sent',
    touches: [],
  })
  return (
    <>
      <Button type="button" look="quiet" busy={test.isPending} onClick={() => test.mutate()}>
        {test.isPending ? 'Sending...' : 'Send a test email to yourself'}
      </Button>
      <p role="status" className="text-small empty:hidden">
        {test.data && (
          <span className={test.data.sent ? 'text-leaf' : 'text-alarm'}>
            {test.data.sent ? `Sent to ${test.data.to}. ` : `Not sent to ${test.data.to}. `}
            {test.data.message}
          </span>
        )}
      </p>
    </>
  )
}
