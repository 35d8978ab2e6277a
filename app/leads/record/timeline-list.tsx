import { formatValue } from '#app/leads/lead/format.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { emptyPipeline, type LeadPipeline, leadUrl } from '#app/leads/lead/desk.ts'
import { pipelineQuery, useLeadAction } from '#app/leads/list/use-desk.tsx'
import { leadEventTexts } from '#app/leads/lead/lead-event.ts'
import { MessageView } from '#app/leads/reply/message-view.tsx'
import { apiRequest } from '#app/platform/browser/api.ts'
import { Form } from '#app/ui/admin/form.tsx'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { Menu } from '#app/ui/admin/menu.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { leadData } from '#app/leads/lead/use-lead-actions.tsx'
import { Button } from '#app/ui/button.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Field } from '#app/ui/field.tsx'
import { Textarea } from '#app/ui/input.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { factOf, findFact } from '#app/leads/lead/lead-facts.ts'
import { noteBody, noteChange } from '#app/leads/lead/note.ts'
import type { LeadDetail, LeadNote, TimelineEntry } from './timeline.ts'
import { useTimeline } from './use-lead.tsx'

/** The timeline with a field for notes above it, of this lead or of its person. */
export function Timeline({ lead, userId }: { lead: LeadDetail; userId: string }) {
  const [scope, setScope] = useState<'lead' | 'person'>('lead')
  const timeline = useTimeline(lead.reference, scope)
  const pipeline = useQuery(pipelineQuery).data ?? emptyPipeline
  return (
    <section aria-labelledby="timeline" className="grid grid-cols-1 content-start gap-4">
      <NoteForm reference={lead.reference} />
      <header className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="timeline" className="text-h3">
          Timeline
        </h2>
        {(lead.otherLeads.length > 0 || lead.person.accountSince) && (
          <Button type="button" look="quiet" size="small" onClick={() => setScope(scope === 'lead' ? 'person' : 'lead')}>
            {scope === 'lead' ? 'Show all of this person' : 'Show this lead only'}
          </Button>
        )}
      </header>
      {timeline.isPending && (
        <>
          <Loading>Loading the timeline...</Loading>
          <Skeleton lines={6} />
        </>
      )}
      {timeline.isError && !timeline.data && <Failed error={timeline.error} retry={timeline.refetch} />}
      {timeline.data && (
        <ol className="grid border-l border-line pl-4">
          {timeline.data.pages
            .flatMap(({ entries }) => entries)
            .map((entry) => (
              <Entry key={entry.id} entry={entry} lead={lead} pipeline={pipeline} userId={userId} />
            ))}
        </ol>
      )}
      {timeline.isError && timeline.data && <Failed error={timeline.error} retry={() => void timeline.fetchNextPage()} />}
      {timeline.hasNextPage && !timeline.isError && (
        <Button type="button" look="quiet" busy={timeline.isFetchingNextPage} onClick={() => void timeline.fetchNextPage()}>
          Show older
        </Button>
      )}
    </section>
  )
}

function NoteForm({ reference }: { reference: string }) {
  const form = useForm({
    schema: noteBody,
    send: async (body) => apiRequest('POST', `${leadUrl(reference)}/notes`, body),
    done: 'Note added',
    failed: 'Note not added',
    touches: leadData,
  })
  return (
    <Form form={form} resets className="grid grid-cols-1 gap-2">
      <Field label="Note" name="text" id="field-note" tool hint="Markdown works. Only staff can see it.">
        <Textarea most={10_000} rows={2} className="min-h-16!" />
      </Field>
      <SubmitButton className="justify-self-start" look="quiet" pending="Adding...">
        Add note
      </SubmitButton>
    </Form>
  )
}

type EntryProps = { entry: TimelineEntry; lead: LeadDetail; pipeline: LeadPipeline; userId: string }

function Entry({ entry, lead, pipeline, userId }: EntryProps) {
  const { kind, at, reference, actorName, note, message, detail } = entry
  return (
    <li className="relative grid grid-cols-1 gap-1 pb-1.5 text-small before:absolute before:top-2.5 before:-left-[1.3rem] before:size-2 before:rounded-full before:bg-edge">
      <p className="flex min-h-7 flex-wrap items-center gap-x-2">
        <span className="font-medium">{textOf(entry, pipeline)}</span>
        {reference !== lead.reference && (
          <Link to={`/leads/${reference}`} className="link font-mono text-fine">
            {reference}
          </Link>
        )}
        <span className="text-fine text-muted">
          {actorName && `${actorName}, `}
          <time dateTime={at}>{formatMoment(at)}</time>
        </span>
        {note && note.authorId === userId && <NoteMenu note={note} reference={reference} />}
      </p>
      {note && (
        // The server has rendered and sanitized it.
        <div
          className="prose rounded-card bg-sunken px-3.5 py-2 text-small! [&_ul]:gap-0.5 [&>*+*]:mt-2"
          dangerouslySetInnerHTML={{ __html: note.html }}
        />
      )}
      {typeof detail['text'] === 'string' && (
        <p className="rounded-card bg-sunken px-3.5 py-2.5 whitespace-pre-line wrap-anywhere">{detail['text']}</p>
      )}
      {message && <MessageView message={message} />}
      {kind === 'note_added' && !note && <p className="text-muted">This note was deleted.</p>}
    </li>
  )
}

function NoteMenu({ note, reference }: { note: LeadNote; reference: string }) {
  const [isEditing, setEditing] = useState(false)
  const url = `/api/lead-notes/${note.id}`
  const remove = useLeadAction('Note not deleted')
  const restore = async () => apiRequest('POST', `${leadUrl(reference)}/notes`, { id: note.id, text: note.text })
  const entries = [
    { label: 'Edit', act: () => setEditing(true) },
    { label: 'Delete', isDanger: true, act: () => remove.mutate({ method: 'DELETE', url, done: 'Note deleted', undo: restore }) },
  ]
  return (
    <>
      <Menu label="More actions for this note" entries={entries} />
      {isEditing && <EditNoteDialog note={note} url={url} close={() => setEditing(false)} />}
    </>
  )
}

function EditNoteDialog({ note: { text, updatedAt }, url, close }: { note: LeadNote; url: string; close: () => void }) {
  const form = useForm({
    schema: noteChange,
    read: (texts) => ({ text: texts['text'], base: updatedAt }),
    send: async (body) => apiRequest('PATCH', url, body),
    done: 'Note saved',
    failed: 'Note not saved',
    touches: leadData,
    onDone: close,
  })
  return (
    <FormDialog form={form} onClose={close} title="Edit note" submit="Save">
      <Field label="Note" name="text" hint="Markdown works. Only staff can see it.">
        <Textarea defaultValue={text} most={10_000} />
      </Field>
    </FormDialog>
  )
}

/** An event in words, with the values before and after. */
export function textOf({ kind, detail, message }: TimelineEntry, { stages, owners }: LeadPipeline): string {
  const { from, to, field, title, by } = detail
  const stage = (id: unknown) => stages.find((each) => each.id === id)?.name ?? 'a removed stage'
  const owner = (id: unknown) => (id === null ? 'nobody' : (owners.find((each) => each.id === id)?.name ?? 'a former colleague'))
  if (kind === 'received') return 'Enquiry received'
  if (kind === 'email_sent' && message?.state === 'failed') return 'Email not sent'
  if (kind === 'stage_changed')
    return `Stage: ${stage(from)} → ${stage(to)}${typeof detail['reason'] === 'string' ? `, ${detail['reason']}` : ''}`
  if (kind === 'owner_changed') return `Owner: ${owner(from)} → ${owner(to)}`
  if (kind === 'tags_changed') return `Tags: ${wordsOf(from)} → ${wordsOf(to)}`
  if (kind === 'fact_changed') return `${labelOf(field)}: ${valueText(field, from)} → ${valueText(field, to)}`
  const known = Object.entries(leadEventTexts).find(([name]) => name === kind)?.[1] ?? kind
  if (kind === 'answered' && by === 'email') return 'Answered by email'
  // An email shows its subject itself.
  return typeof title === 'string' && !message ? `${known}: ${title}` : known
}

function labelOf(field: unknown): string {
  const name = findFact(field)
  return name ? factOf(name).label : 'Changed'
}

function valueText(field: unknown, value: unknown): string {
  const name = findFact(field)
  const kind = name && factOf(name).kind
  if (kind === 'money' && typeof value === 'number') return formatValue(value)
  if (kind === 'moment' && typeof value === 'string') return formatMoment(value)
  if (kind === 'flag') return value === true ? 'on' : 'off'
  return wordsOf(value)
}

function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return value.length > 0 ? value.join(', ') : 'none'
  return typeof value === 'string' && value !== '' ? value : 'none'
}
