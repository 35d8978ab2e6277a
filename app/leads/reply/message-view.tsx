import { useRef, useState } from 'react'
import { useLeadAction } from '#app/leads/desk/use-desk.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { LeadFileList } from './file-list.tsx'
import type { LeadMessage } from './message.ts'
import { messageUrl } from './use-reply.tsx'

/** An email in the timeline, in either direction, with its files. */
export function MessageView({ message }: { message: LeadMessage }) {
  const { direction, subject, fromName, fromAddress, toAddresses, files } = message
  return (
    <div className="grid gap-2 rounded-card border border-line bg-surface px-3.5 py-3">
      <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
        <strong className="font-semibold wrap-anywhere">{subject || 'No subject'}</strong>
        <MessageBadges message={message} />
      </p>
      <p className="text-fine text-muted wrap-anywhere">
        {direction === 'in' ? `From ${fromName ? `${fromName}, ` : ''}${fromAddress}` : `To ${toAddresses.join(', ')}`}
      </p>
      {direction === 'in' ? <ReceivedText message={message} /> : <SentText message={message} />}
      <LeadFileList label="Attachments" files={files} />
      {message.state === 'failed' && <FailedReply message={message} />}
    </div>
  )
}

function MessageBadges({ message: { kind, state } }: { message: LeadMessage }) {
  return (
    <>
      {kind === 'autoreply' && <Badge>Automatic reply</Badge>}
      {kind === 'bounce' && <Badge look="alarm">Bounced</Badge>}
      {state === 'sending' && <Badge look="grain">In the outbox</Badge>}
      {state === 'failed' && <Badge look="alarm">Not sent</Badge>}
    </>
  )
}

/** The server has rendered and sanitized it. */
function SentText({ message: { html, text } }: { message: LeadMessage }) {
  if (html === null) return <p className="whitespace-pre-line wrap-anywhere">{text}</p>
  return <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
}

function FailedReply({ message: { id, error } }: { message: LeadMessage }) {
  const send = useLeadAction('Not sent')
  return (
    <p className="flex flex-wrap items-center justify-between gap-3">
      <span className="text-alarm">{error}</span>
      <Button
        type="button"
        look="quiet"
        size="small"
        busy={send.isPending}
        onClick={() => send.mutate({ method: 'POST', url: `${messageUrl(id)}/send`, done: 'Email handed over to the outbox' })}
      >
        {send.isPending ? 'Sending...' : 'Send again'}
      </Button>
    </p>
  )
}

const LEAST_HEIGHT = 80
const MOST_HEIGHT = 640

/** The text; or the sanitized HTML, in a frame where nothing runs and nothing is loaded until asked. */
function ReceivedText({ message: { id, text, hasHtml, hasRemoteContent } }: { message: LeadMessage }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [shows, setShows] = useState<'text' | 'html' | 'remote'>(hasHtml ? 'html' : 'text')
  const [height, setHeight] = useState(LEAST_HEIGHT)
  const measure = () => {
    const needed = frame.current?.contentDocument?.documentElement.scrollHeight ?? 0
    setHeight(Math.min(Math.max(needed, LEAST_HEIGHT), MOST_HEIGHT))
  }
  return (
    <>
      {shows === 'text' ? (
        <p className="whitespace-pre-line wrap-anywhere">{text || 'This email has no text.'}</p>
      ) : (
        <iframe
          ref={frame}
          key={shows}
          title="Email"
          // No scripts: the same origin only lets the page measure its height.
          sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
          referrerPolicy="no-referrer"
          loading="lazy"
          src={`${messageUrl(id)}/html${shows === 'remote' ? '?remote=1' : ''}`}
          onLoad={measure}
          style={{ height }}
          className="w-full rounded-control border border-line bg-white"
        />
      )}
      {hasHtml && (
        <p className="flex flex-wrap items-center gap-2">
          {hasRemoteContent && shows === 'html' && (
            <Button type="button" look="quiet" size="small" onClick={() => setShows('remote')}>
              Load remote content
            </Button>
          )}
          <Button type="button" look="quiet" size="small" onClick={() => setShows(shows === 'text' ? 'html' : 'text')}>
            {shows === 'text' ? 'Show formatted' : 'Show as text'}
          </Button>
        </p>
      )}
    </>
  )
}
