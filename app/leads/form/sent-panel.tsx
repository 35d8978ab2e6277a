import { useEffect, useRef } from 'react'
import { newTab } from '#app/content/calls.ts'
import { sentTexts } from '#app/content/sent.ts'
import type { EnquiryFormKind } from '#app/leads/lead/contact.ts'
import { buttonLook } from '#app/ui/button-look.ts'
import { enquiryToasts } from './enquiry-texts.ts'
import { type SentEnquiry, summaryOf } from './sent.ts'

type SentPanelProps = SentEnquiry & {
  form: EnquiryFormKind
  /** After sending by script, the focus moves here. */
  takesFocus?: boolean
}

/** Above a form that was sent without script. When it is sent once more, by script, the newer confirmation replaces this one. */
export function SentBefore(props: SentPanelProps) {
  return (
    <div id="sent" className="mb-8 scroll-mt-28 has-[~_*_[data-sent]]:hidden">
      <SentPanel {...props} />
    </div>
  )
}

/** The confirmation of an enquiry: what was sent, when we answer, its reference, and the way to a call. */
export function SentPanel({ form, reference, values, callUrl, takesFocus = false }: SentPanelProps) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (takesFocus) element.current?.focus()
  }, [takesFocus])
  const { title, description } = enquiryToasts(form).sent
  const [before, after] = sentTexts.receipt
  return (
    <div ref={element} data-sent tabIndex={-1} className="grid gap-5 rounded-card border border-leaf bg-leaf-wash p-5 outline-none">
      <div>
        <p className="text-h3 font-semibold">{title}</p>
        <p className="mt-1">{description}</p>
        {reference && (
          <p className="mt-2 text-small">
            {before} <strong className="font-mono whitespace-nowrap">{reference}</strong>. {after}
          </p>
        )}
      </div>
      {values && <Part title={sentTexts.what} rows={summaryOf(values)} />}
      <Part title={sentTexts.when} rows={sentTexts.steps.map(({ by, text }) => ({ label: by, text }))} />
      <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-small">
        {sentTexts.callText} <CallButton url={callUrl} />
      </p>
    </div>
  )
}

function Part({ title, rows }: { title: string; rows: readonly { label: string; text: string }[] }) {
  return (
    <div>
      <p className="text-small font-semibold">{title}</p>
      <dl className="mt-1 border-b border-line">
        {rows.map(({ label, text }) => (
          <div key={label} className="grid gap-x-4 border-t border-line py-2 text-small sm:grid-cols-[9rem_1fr]">
            <dt className="text-muted">{label}</dt>
            <dd className="wrap-anywhere">{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** An external calendar opens in a new tab. */
function CallButton({ url }: { url: string }) {
  const isExternal = !url.startsWith('/')
  return (
    <a href={url} {...(isExternal && { target: '_blank', rel: 'noopener' })} className={buttonLook('quiet')}>
      {sentTexts.call}
      {isExternal && <span className="sr-only">{newTab}</span>}
    </a>
  )
}
