import { useEffect, useRef, useState } from 'react'
import type { LeadMessage } from './message.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { partsOfText } from './quoted.ts'

/** Tells what a machine wrote. */
export function EmailKindBadge({ kind }: Pick<LeadMessage, 'kind'>) {
  if (kind === 'message') return null
  return kind === 'bounce' ? <Badge look="alarm">Came back</Badge> : <Badge>Automatic reply</Badge>
}

type EmailBodyProps = { email: Pick<LeadMessage, 'id' | 'subject' | 'text' | 'hasHtml' | 'hasRemoteContent'> }

/** The content of a received email, formatted or as text. Quotes are folded, and remote content loads only when asked for. */
export function EmailBody({ email: { id, subject, text, hasHtml, hasRemoteContent } }: EmailBodyProps) {
  const [isText, showText] = useState(!hasHtml)
  const [withRemote, loadRemote] = useState(false)
  return (
    <div className="grid grid-cols-1 gap-2">
      {hasRemoteContent && !withRemote && !isText && (
        <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 rounded-card bg-sunken px-3.5 py-2 text-small">
          Remote content is not loaded, so the sender cannot see that you read this.
          <Button type="button" look="quiet" size="small" onClick={() => loadRemote(true)}>
            Load remote content
          </Button>
        </p>
      )}
      {isText ? (
        <PlainBody text={text} />
      ) : (
        <EmailFrame key={String(withRemote)} title={`Email: ${subject || 'No subject'}`} url={frameUrl(id, withRemote)} />
      )}
      {hasHtml && (
        <Button type="button" look="quiet" size="small" className="justify-self-start" onClick={() => showText(!isText)}>
          {isText ? 'Show formatted' : 'Show as text'}
        </Button>
      )}
    </div>
  )
}

function frameUrl(id: string, withRemote: boolean): string {
  return `/api/lead-messages/${id}/html${withRemote ? '?remote=1' : ''}`
}

const LEAST_HEIGHT = 48
const MOST_HEIGHT = 640

/** The sanitized HTML, in a frame where nothing runs. It is as high as its content, also after a quote is unfolded. */
function EmailFrame({ title, url }: { title: string; url: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const observer = useRef<ResizeObserver>(null)
  const [height, setHeight] = useState(LEAST_HEIGHT)
  const follow = () => {
    const body = frame.current?.contentDocument?.body
    observer.current?.disconnect()
    if (!body) return
    observer.current = new ResizeObserver(() => setHeight(Math.min(Math.max(body.offsetHeight + 2, LEAST_HEIGHT), MOST_HEIGHT)))
    observer.current.observe(body)
  }
  useEffect(() => () => observer.current?.disconnect(), [])
  return (
    <iframe
      ref={frame}
      title={title}
      // No scripts: the same origin only lets the page measure its height.
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
      loading="lazy"
      src={url}
      onLoad={follow}
      style={{ height }}
      className="w-full rounded-control border border-line"
    />
  )
}

function PlainBody({ text }: { text: string }) {
  if (text === '') return <p className="text-muted">This email has no text.</p>
  return (
    <div className="grid grid-cols-1 gap-3">
      {partsOfText(text).map((part, at) =>
        part.isQuoted ? (
          // The parts of a text have no names, and never move.
          // oxlint-disable-next-line react/no-array-index-key
          <details key={at} className="text-muted">
            <summary className="w-fit cursor-pointer text-small">Quoted text</summary>
            <p className="mt-2 border-l-2 border-line pl-3 whitespace-pre-line wrap-anywhere">{part.text}</p>
          </details>
        ) : (
          // oxlint-disable-next-line react/no-array-index-key
          <p key={at} className="whitespace-pre-line wrap-anywhere">
            {part.text}
          </p>
        ),
      )}
    </div>
  )
}
