import { Link } from 'react-router'
import { useLeadAction } from '#app/leads/list/use-desk.tsx'
import { EmailBody, EmailKindBadge } from './email-body.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { LeadFileList } from './file-list.tsx'
import type { LeadMessage } from './message.ts'
import { sendReply } from './use-reply.tsx'

/** An email in the timeline, in either direction, with its files. */
export function MessageView({ message }: { message: LeadMessage }) {
  const { id, direction, subject, fromName, fromAddress, replyToName, replyToAddress, toAddresses, files, state, error, isShortened } =
    message
  return (
    <div className="grid grid-cols-1 gap-2 rounded-card border border-line bg-surface px-3.5 py-3">
      <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
        <strong className="font-semibold wrap-anywhere">{subject || 'No subject'}</strong>
        <MessageBadges message={message} />
      </p>
      <p className="text-fine text-muted wrap-anywhere">
        {direction === 'in' ? `From ${fromName ? `${fromName}, ` : ''}${fromAddress}` : `To ${toAddresses.join(', ')}`}
      </p>
      {replyToAddress && (
        <p className="text-fine text-muted wrap-anywhere">Replies go to {[replyToName, replyToAddress].filter(Boolean).join(', ')}</p>
      )}
      {direction === 'in' ? <EmailBody email={message} /> : <SentText message={message} />}
      {state === 'received' && error && <p className="rounded-card bg-sunken px-3.5 py-2">{error}</p>}
      {state === 'received' && isShortened && (
        <Link to={`/leads/inbox?email=${id}`} className="link justify-self-start">
          Open the whole email
        </Link>
      )}
      <LeadFileList label="Attachments" files={files} />
      {state === 'failed' && <FailedReply message={message} />}
    </div>
  )
}

function MessageBadges({ message: { kind, state } }: { message: LeadMessage }) {
  return (
    <>
      <EmailKindBadge kind={kind} />
      {state === 'sending' && <Badge look="grain">In the outbox</Badge>}
      {state === 'failed' && <Badge look="alarm">Not sent</Badge>}
    </>
  )
}

/** The server has rendered and sanitized it. */
function SentText({ message: { html, text } }: { message: LeadMessage }) {
  if (html === null) return <p className="whitespace-pre-line wrap-anywhere">{text}</p>
  return <div className="prose text-small! [&>*+*]:mt-2" dangerouslySetInnerHTML={{ __html: html }} />
}

function FailedReply({ message: { id, error } }: { message: LeadMessage }) {
  const send = useLeadAction('Not sent')
  return (
    <p className="flex flex-wrap items-center justify-between gap-3">
      <span className="text-alarm">{error}</span>
      <Button type="button" look="quiet" size="small" busy={send.isPending} onClick={() => send.mutate(sendReply(id))}>
        {send.isPending ? 'Sending...' : 'Send again'}
      </Button>
    </p>
  )
}
