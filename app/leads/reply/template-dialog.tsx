import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { LEADS_URL } from '#app/leads/lead/desk.ts'
import { ApiError, apiRequest, type Method } from '#app/platform/browser/api.ts'
import { Menu } from '#app/ui/admin/menu.tsx'
import { showFailure } from '#app/ui/admin/tell-failure.ts'
import { undoButton } from '#app/ui/admin/undo.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input, Textarea } from '#app/ui/input.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { toast } from '#app/ui/toast.ts'
import { fillFields, missingFields, type ReplyFacts, replyFields } from './reply-field.ts'
import { MOST_REPLY, type ReplyTemplate, replyTemplate } from './reply.ts'
import { TEMPLATES_URL, templatesQuery } from './use-reply.tsx'

type TemplateDialogProps = { facts: ReplyFacts; signature: string; close: () => void }

/** All templates of replies, and the signature of this person. */
export function TemplateDialog({ facts, signature, close }: TemplateDialogProps) {
  const [edited, setEdited] = useState<ReplyTemplate | 'new'>()
  const template = edited === 'new' ? undefined : edited
  return (
    <Dialog open onClose={close} title={edited ? (template?.name ?? 'New template') : 'Templates and signature'} side>
      {edited ? (
        <TemplateForm key={template?.id} template={template} facts={facts} done={() => setEdited(undefined)} />
      ) : (
        <div className="grid grid-cols-1 gap-6">
          <TemplateList edit={setEdited} />
          <SignatureForm signature={signature} />
        </div>
      )}
    </Dialog>
  )
}

type Action = { method: Method; url: string; body?: object; done: string; undo?: () => Promise<unknown> }

function useTemplateAction(failed: string, onDone?: () => void) {
  const client = useQueryClient()
  const renew = async () => client.invalidateQueries({ queryKey: [TEMPLATES_URL] })
  return useMutation({
    mutationFn: async ({ method, url, body }: Action) => apiRequest(method, url, body),
    async onSuccess(_response, { done, undo }) {
      onDone?.()
      toast({ title: done, ...(undo && { button: undoButton({ send: undo, renew }) }) })
      await renew()
    },
    onError(error) {
      if (!errorsOf(error)) showFailure(failed, error)
    },
  })
}

function errorsOf(error: Error | null): Record<string, string> | undefined {
  return error instanceof ApiError ? error.problem?.errors : undefined
}

function TemplateList({ edit }: { edit: (template: ReplyTemplate | 'new') => void }) {
  const list = useQuery(templatesQuery)
  const remove = useTemplateAction('Template not deleted')
  const order = useTemplateAction('Order not saved')
  const templates = list.data ?? []
  const sorted = templates.map(({ id }) => id)
  const arrange = async (ids: string[]) => apiRequest('PUT', `${TEMPLATES_URL}/order`, { ids })
  const move = (id: string, by: 1 | -1) => {
    const at = sorted.indexOf(id)
    const ids = sorted.toSpliced(at, 1).toSpliced(at + by, 0, id)
    order.mutate({ method: 'PUT', url: `${TEMPLATES_URL}/order`, body: { ids }, done: 'Template moved', undo: () => arrange(sorted) })
  }
  const restore = async ({ id, name, subject, text }: ReplyTemplate) => {
    const response = await apiRequest('POST', TEMPLATES_URL, { name, subject, text })
    const { id: added } = replyTemplate.parse(await response.json())
    await arrange(sorted.map((each) => (each === id ? added : each)))
  }
  const entriesOf = (template: ReplyTemplate, at: number) => [
    { label: 'Edit', act: () => edit(template) },
    ...(at > 0 ? [{ label: 'Move up', act: () => move(template.id, -1) }] : []),
    ...(at < templates.length - 1 ? [{ label: 'Move down', act: () => move(template.id, 1) }] : []),
    {
      label: 'Delete',
      isDanger: true,
      act: () =>
        remove.mutate({
          method: 'DELETE',
          url: `${TEMPLATES_URL}/${template.id}`,
          done: `${template.name} deleted`,
          undo: () => restore(template),
        }),
    },
  ]
  return (
    <section aria-labelledby="templates" className="grid grid-cols-1 gap-3">
      <header className="flex items-center justify-between gap-3">
        <h3 id="templates" className="text-body font-semibold">
          Templates
        </h3>
        <Button type="button" look="quiet" size="small" onClick={() => edit('new')}>
          Add template
        </Button>
      </header>
      {list.isPending && <Skeleton lines={3} />}
      {list.isError && <Failed error={list.error} retry={list.refetch} />}
      {list.data?.length === 0 && <Empty title="No templates">Add one for replies that you write often.</Empty>}
      <ul className="divide-y divide-line text-small">
        {templates.map((template, at) => (
          <li key={template.id} className="flex items-center justify-between gap-3 py-2">
            <button type="button" className="grid min-w-0 text-left" onClick={() => edit(template)}>
              <span className="link truncate font-medium">{template.name}</span>
              <span className="truncate text-fine text-muted">{template.subject}</span>
            </button>
            <Menu label={`More actions for ${template.name}`} entries={entriesOf(template, at)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

type TemplateFormProps = { template: ReplyTemplate | undefined; facts: ReplyFacts; done: () => void }

function TemplateForm({ template, facts, done }: TemplateFormProps) {
  const [given, setGiven] = useState({ name: template?.name ?? '', subject: template?.subject ?? '', text: template?.text ?? '' })
  const save = useTemplateAction('Template not saved', done)
  const errors = errorsOf(save.error)
  const missing = missingFields(`${given.subject}\n${given.text}`, facts)
  return (
    <form
      method="post"
      noValidate
      className="grid grid-cols-1 gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (template) {
          const body = { ...given, base: template.updatedAt }
          save.mutate({ method: 'PATCH', url: `${TEMPLATES_URL}/${template.id}`, body, done: 'Template saved' })
        } else save.mutate({ method: 'POST', url: TEMPLATES_URL, body: given, done: 'Template added' })
      }}
    >
      <Field label="Name" name="template-name" error={errors?.['name']}>
        <Input value={given.name} onChange={({ target }) => setGiven({ ...given, name: target.value })} most={80} autoComplete="off" />
      </Field>
      <Field label="Subject" name="template-subject" error={errors?.['subject']}>
        <Input
          value={given.subject}
          onChange={({ target }) => setGiven({ ...given, subject: target.value })}
          most={200}
          autoComplete="off"
        />
      </Field>
      <Field label="Text" name="template-text" error={errors?.['text']} hint={<FieldList />}>
        <Textarea
          value={given.text}
          onChange={({ target }) => setGiven({ ...given, text: target.value })}
          most={MOST_REPLY}
          className="min-h-48"
        />
      </Field>
      <section aria-label="Preview" className="grid grid-cols-1 gap-1 rounded-card bg-sunken px-4 py-3 text-small">
        <p className="font-semibold">{fillFields(given.subject, facts) || 'Preview with this lead'}</p>
        <p className="whitespace-pre-line wrap-anywhere">{fillFields(given.text, facts)}</p>
        {missing.length > 0 && <p className="text-muted">No value for this lead: {missing.join(', ')}</p>}
      </section>
      <p className="flex gap-2">
        <Button busy={save.isPending}>{save.isPending ? 'Saving...' : 'Save template'}</Button>
        <Button type="button" look="quiet" onClick={done}>
          Back
        </Button>
      </p>
    </form>
  )
}

function FieldList() {
  return (
    <>
      Markdown works. Fields:{' '}
      {Object.entries(replyFields).map(([name, meaning], at) => (
        <span key={name}>
          {at > 0 && ', '}
          <code title={meaning}>{`{{${name}}}`}</code>
        </span>
      ))}
    </>
  )
}

function SignatureForm({ signature }: { signature: string }) {
  const [text, setText] = useState(signature)
  const client = useQueryClient()
  const save = useMutation({
    mutationFn: async () => apiRequest('PUT', `${LEADS_URL}/signature`, { text }),
    async onSuccess() {
      toast({ title: 'Signature saved' })
      await client.invalidateQueries({ predicate: ({ queryKey: [url] }) => typeof url === 'string' && url.endsWith('/reply') })
    },
    onError: (error) => showFailure('Signature not saved', error),
  })
  return (
    <form
      method="post"
      noValidate
      className="grid grid-cols-1 gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <Field
        label="Your signature"
        name="signature"
        optional
        hint="Markdown works. It ends each of your replies."
        error={errorsOf(save.error)?.['text']}
      >
        <Textarea value={text} onChange={({ target }) => setText(target.value)} most={1000} className="min-h-24" />
      </Field>
      <Button look="quiet" className="justify-self-start" busy={save.isPending}>
        {save.isPending ? 'Saving...' : 'Save signature'}
      </Button>
    </form>
  )
}
