import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { partsOfText } from './quoted.ts'
import type { LeadEmail } from './unknown-email.ts'

type EmailBodyProps = { email: Pick<LeadEmail, 'html' | 'text' | 'hasRemoteContent'> }

/** The content of an email. Quotes are folded, and pictures of other servers load only when asked for. */
export function EmailBody({ email: { html, text, hasRemoteContent } }: EmailBodyProps) {
  const [withPictures, setWithPictures] = useState(false)
  if (html === null) return text === '' ? <p className="text-muted">This email has no text.</p> : <PlainBody text={text} />
  return (
    <div className="grid grid-cols-1 gap-3">
      {hasRemoteContent && !withPictures && (
        <p className="flex flex-wrap items-center gap-3 rounded-card bg-sunken px-4 py-2 text-small">
          Pictures are not loaded, so the sender cannot see that you read this.
          <Button type="button" look="quiet" size="small" onClick={() => setWithPictures(true)}>
            Load pictures
          </Button>
        </p>
      )}
      <div
        role="group"
        aria-label="Content of the email"
        // A wide table scrolls sideways.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="prose max-w-none overflow-x-auto wrap-anywhere"
        // The server has sanitized it.
        dangerouslySetInnerHTML={{ __html: withPictures ? withSources(html) : html }}
      />
    </div>
  )
}

/** In sanitized HTML, a quotation mark is part of no text of an attribute, so only whole attributes are found. */
function withSources(html: string): string {
  return html.replaceAll(' data-remote-src="', ' loading="lazy" referrerpolicy="no-referrer" src="')
}

function PlainBody({ text }: { text: string }) {
  return (
    <div className="grid grid-cols-1 gap-3">
      {partsOfText(text).map((part, at) =>
        part.isQuoted ? (
          // The parts of a text have no names, and never move.
          // oxlint-disable-next-line react/no-array-index-key
          <details key={at} className="text-muted">
            <summary className="cursor-pointer text-small">Quoted text</summary>
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
