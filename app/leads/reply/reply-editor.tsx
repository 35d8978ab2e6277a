import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLeadAction } from '#app/leads/list/use-desk.tsx'
import { Form } from '#app/ui/admin/form.tsx'
import { useAction } from '#app/ui/admin/use-action.ts'
import type { FormState } from '#app/ui/admin/use-form.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Field } from '#app/ui/field.tsx'
import { FileDrop } from '#app/ui/file-drop.tsx'
import { Input, Select, Textarea } from '#app/ui/input.tsx'
import { formatDay, localMoment } from '#app/ui/moment.ts'
import { Progress } from '#app/ui/progress.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { LeadFileList } from './file-list.tsx'
import { fillFields, fillMarkdown, missingFields } from './reply-field.ts'
import { MOST_REPLY, type ReplyEditor, type ReplyTemplate } from './reply.ts'
import { TemplateDialog } from './template-dialog.tsx'
import {
  fileUrl,
  findReplyDraft,
  keepReplyDraft,
  newReplyId,
  previewReply,
  type ReplyDraft,
  replyQuery,
  templatesQuery,
  useLeadUpload,
  useReplyForm,
} from './use-reply.tsx'

type EditorProps = {
  lead: { id: string; reference: string }
  userId: string
  close: () => void
  /** Opens the editor again with the text of a reply that was undone. */
  reopen: (draft: ReplyDraft) => void
}

/** The editor of a reply. Its text stays in this browser until it is sent. */
export function ReplyForm(props: EditorProps) {
  const editor = useQuery(replyQuery(props.lead.reference))
  return (
    <section aria-labelledby="reply">
      <Card>
        {editor.isPending && <Skeleton lines={6} />}
        {editor.isError && <Failed error={editor.error} retry={editor.refetch} />}
        {editor.data && <OpenEditor {...props} editor={editor.data} />}
      </Card>
    </section>
  )
}

function OpenEditor({ lead, userId, close, reopen, editor }: EditorProps & { editor: ReplyEditor }) {
  const { reference, id: leadId } = lead
  const [written, setWritten] = useState(() => findReplyDraft(userId, leadId))
  // Until something is written, the subject follows the newest email.
  const draft: ReplyDraft = written ?? { subject: editor.subject, text: '' }
  const [replyId] = useState(newReplyId)
  const [sendAt, setSendAt] = useState<string>()
  const upload = useLeadUpload(reference, 'reply')
  const sending = useReplyForm({
    reference,
    read: () => ({
      id: replyId,
      ...draft,
      fileIds: editor.files.map(({ id }) => id),
      sendAt: sendAt === undefined ? null : new Date(sendAt).toISOString(),
    }),
    onSent() {
      keepReplyDraft(userId, leadId, undefined)
      close()
    },
    onCancelled: reopen,
  })
  useEffect(() => document.querySelector<HTMLElement>('#field-reply')?.focus(), [])
  const write = (next: ReplyDraft) => {
    setWritten(next)
    keepReplyDraft(userId, leadId, next.text.trim() === '' ? undefined : next)
  }
  const missing = missingFields(`${draft.subject}\n${draft.text}`, editor.facts)
  const reason = upload.isPending ? 'Wait for the upload.' : reasonAgainst(draft, missing, sendAt)
  // The browser keeps the draft, so leaving loses nothing. Ctrl with Enter sends as well, past the button.
  const form: FormState = { ...sending, isChanged: false, onSubmit: (...given) => (reason ? undefined : sending.onSubmit(...given)) }
  return (
    <Form form={form} className="grid grid-cols-1 gap-4">
      <EditorHead editor={editor} />
      <TemplateChoice editor={editor} insert={(template) => write(withTemplate(draft, template, editor))} />
      <Field label="Subject" name="subject" tool>
        <Input value={draft.subject} onChange={({ target }) => write({ ...draft, subject: target.value })} most={200} autoComplete="off" />
      </Field>
      <Field label="Email" name="reply" tool hint="Markdown works. Saved in this browser until you send it.">
        <Textarea
          value={draft.text}
          onChange={({ target }) => write({ ...draft, text: target.value })}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
          }}
          most={MOST_REPLY}
          className="min-h-48"
        />
      </Field>
      {missing.length > 0 && (
        <p role="alert" className="text-small font-medium text-alarm">
          No value for {missing.join(', ')}. Fill it in or delete it before you send.
        </p>
      )}
      {editor.signature && <p className="border-l-2 border-line pl-3 text-small whitespace-pre-line text-muted">{editor.signature}</p>}
      <Attachments editor={editor} upload={upload} />
      <Preview reference={reference} draft={draft} />
      {sendAt !== undefined && (
        <Field label="Send at" name="sendAt" tool>
          <Input type="datetime-local" value={sendAt} onChange={({ target }) => setSendAt(target.value)} className="max-w-64" />
        </Field>
      )}
      <p className="flex flex-wrap gap-2">
        <SubmitButton pending="Sending..." {...(reason && { unavailable: reason })}>
          {sendAt === undefined ? 'Send' : 'Schedule'}
        </SubmitButton>
        <Button
          type="button"
          look="quiet"
          aria-pressed={sendAt !== undefined}
          onClick={() => setSendAt(sendAt === undefined ? tomorrow() : undefined)}
        >
          {sendAt === undefined ? 'Send later' : 'Send now instead'}
        </Button>
        <Button type="button" look="quiet" onClick={close}>
          Close
        </Button>
      </p>
    </Form>
  )
}

function reasonAgainst({ subject, text }: ReplyDraft, missing: string[], sendAt: string | undefined): string | undefined {
  if (subject.trim() === '') return 'Enter a subject first.'
  if (text.trim() === '') return 'Write the email first.'
  if (missing.length > 0) return `Fill in or delete ${missing.join(', ')} first.`
  if (sendAt !== undefined && !(Date.parse(sendAt) > Date.now())) return 'Choose a time in the future.'
  return undefined
}

/** Nine o'clock of the next day. */
function tomorrow(): string {
  const at = new Date()
  at.setDate(at.getDate() + 1)
  at.setHours(9, 0, 0, 0)
  return localMoment(at.toISOString())
}

/** Known facts are filled in; the others stay as fields. A written text stays above. */
function withTemplate({ text }: ReplyDraft, template: ReplyTemplate, { facts }: ReplyEditor): ReplyDraft {
  const filled = fillMarkdown(template.text, facts)
  return { subject: fillFields(template.subject, facts), text: text.trim() === '' ? filled : `${text.trimEnd()}\n\n${filled}` }
}

function EditorHead({
  editor: { to, fromName, fromAddress, delivery, hasReplyAddress, bouncedAt, bounceReason },
}: {
  editor: ReplyEditor
}) {
  return (
    <header className="grid grid-cols-1 gap-2">
      <h2 id="reply" className="text-h3">
        Reply
      </h2>
      <p className="text-small text-muted wrap-anywhere">
        From {fromName ? `${fromName}, ` : ''}
        {fromAddress} to {to}
      </p>
      {delivery === 'none' && (
        <Notice>
          No mail server is set up, so emails wait. Set <code>SMTP_URL</code>, then restart.
        </Notice>
      )}
      {delivery === 'inbox' && (
        <Notice>
          No mail server is set up: emails wait, and you can read them at{' '}
          <a href="/dev/mail" className="link">
            /dev/mail
          </a>
          .
        </Notice>
      )}
      {!hasReplyAddress && (
        <p className="text-fine text-muted">
          Replies go to {fromAddress}. Set <code>MAIL_REPLY_ADDRESS</code> so that each lead has an address of its own.
        </p>
      )}
      {bouncedAt && (
        <Notice isAlarm>
          This address rejected an email on {formatDay(bouncedAt)}
          {bounceReason ? `: ${bounceReason}` : '.'}
        </Notice>
      )}
    </header>
  )
}

function Notice({ isAlarm = false, children }: { isAlarm?: boolean; children: React.ReactNode }) {
  return (
    <p
      className={`rounded-card border border-l-4 border-line bg-surface px-4 py-2.5 text-small ${isAlarm ? 'border-l-alarm' : 'border-l-grain'}`}
    >
      {children}
    </p>
  )
}

function TemplateChoice({ editor, insert }: { editor: ReplyEditor; insert: (template: ReplyTemplate) => void }) {
  const templates = useQuery(templatesQuery)
  const [isManaging, setManaging] = useState(false)
  return (
    <div className="flex flex-wrap items-end gap-2">
      <Field label="Template" name="template" tool>
        <Select
          value=""
          onChange={({ target }) => {
            const template = templates.data?.find(({ id }) => id === target.value)
            if (template) insert(template)
          }}
        >
          <option value="">{templates.isError ? 'Templates could not be loaded' : 'Insert a template'}</option>
          {templates.data?.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <Button type="button" look="quiet" onClick={() => setManaging(true)}>
        Templates and signature
      </Button>
      {isManaging && <TemplateDialog facts={editor.facts} signature={editor.signature} close={() => setManaging(false)} />}
    </div>
  )
}

function Attachments({ editor, upload }: { editor: ReplyEditor; upload: ReturnType<typeof useLeadUpload> }) {
  const remove = useLeadAction('Attachment not removed')
  const removing = {
    accepts: () => true,
    act: ({ id }: { id: string }) => remove.mutate({ method: 'DELETE', url: fileUrl(id), done: 'Attachment removed' }),
  }
  return (
    <FileDrop
      label="Attachment"
      accept=""
      verb={upload.isPending ? 'Attaching...' : 'Attach a file'}
      busy={upload.isPending}
      take={upload.take}
    >
      <div className="grid w-full gap-2">
        {upload.current && <Progress label={`Upload of ${upload.current.name}`} value={upload.current.share} />}
        <LeadFileList label="Attachments of this email" files={editor.files} remove={removing} />
        {editor.files.length === 0 && !upload.current && <p className="text-small text-muted">Or drop it here. At most 15 MB together.</p>}
      </div>
    </FileDrop>
  )
}

function Preview({ reference, draft }: { reference: string; draft: ReplyDraft }) {
  const preview = useAction({ send: async () => previewReply(reference, draft), failed: 'No preview', touches: [] })
  if (!preview.data) {
    return (
      <Button
        type="button"
        look="quiet"
        size="small"
        className="justify-self-start"
        busy={preview.isPending}
        {...(draft.text.trim() === '' && { unavailable: 'Write the email first.' })}
        onClick={() => preview.mutate()}
      >
        {preview.isPending ? 'Loading the preview...' : 'Preview'}
      </Button>
    )
  }
  return (
    <section aria-label="Preview" className="grid grid-cols-1 gap-2 rounded-card bg-sunken px-4 py-3 text-small">
      <p className="font-semibold">{preview.data.subject}</p>
      {/* The server has rendered and sanitized it. */}
      <div className="prose" dangerouslySetInnerHTML={{ __html: preview.data.html }} />
      <p className="flex gap-2">
        <Button type="button" look="quiet" size="small" busy={preview.isPending} onClick={() => preview.mutate()}>
          Update preview
        </Button>
        <Button type="button" look="quiet" size="small" onClick={() => preview.reset()}>
          Hide preview
        </Button>
      </p>
    </section>
  )
}
