import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LEADS_URL } from '#app/leads/lead/desk.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { Form } from '#app/ui/admin/form.tsx'
import { Menu } from '#app/ui/admin/menu.tsx'
import { useAction } from '#app/ui/admin/use-action.ts'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input, Textarea } from '#app/ui/input.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { fillFields, missingFields, type ReplyFacts, replyFields } from './reply-field.ts'
import { MOST_REPLY, type ReplyTemplate, replyTemplate, signatureBody, templateBody, templateChange } from './reply.ts'
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

const touches = [TEMPLATES_URL]

function TemplateList({ edit }: { edit: (template: ReplyTemplate | 'new') => void }) {
  const list = useQuery(templatesQuery)
  const templates = list.data ?? []
  const sorted = templates.map(({ id }) => id)
  const arrange = async (ids: string[]) => apiRequest('PUT', `${TEMPLATES_URL}/order`, { ids })
  const order = useAction({
    send: arrange,
    done: 'Template moved',
    undo: () => async () => arrange(sorted),
    failed: 'Order not saved',
    touches,
  })
  const move = (id: string, by: 1 | -1) => {
    const at = sorted.indexOf(id)
    const ids = sorted.toSpliced(at, 1).toSpliced(at + by, 0, id)
    order.mutate(ids)
  }
  const restore = async ({ id, name, subject, text }: ReplyTemplate) => {
    const response = await apiRequest('POST', TEMPLATES_URL, { name, subject, text })
    const { id: added } = replyTemplate.parse(await response.json())
    await arrange(sorted.map((each) => (each === id ? added : each)))
  }
  const remove = useAction({
    send: async ({ id }: ReplyTemplate) => apiRequest('DELETE', `${TEMPLATES_URL}/${id}`),
    done: (_response, { name }) => `${name} deleted`,
    undo: (_response, template) => async () => restore(template),
    failed: 'Template not deleted',
    touches,
  })
  const entriesOf = (template: ReplyTemplate, at: number) => [
    { label: 'Edit', act: () => edit(template) },
    ...(at > 0 ? [{ label: 'Move up', act: () => move(template.id, -1) }] : []),
    ...(at < templates.length - 1 ? [{ label: 'Move down', act: () => move(template.id, 1) }] : []),
    {
      label: 'Delete',
      isDanger: true,
      act: () => remove.mutate(template),
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
  const [given, setGiven] = useState({ subject: template?.subject ?? '', text: template?.text ?? '' })
  const form = useTemplateForm(template, done)
  const missing = missingFields(`${given.subject}\n${given.text}`, facts)
  return (
    <Form form={form} className="grid grid-cols-1 gap-5">
      <Field label="Name" name="name" id="field-template-name">
        <Input defaultValue={template?.name} most={80} autoComplete="off" />
      </Field>
      <Field label="Subject" name="subject" id="field-template-subject">
        <Input
          value={given.subject}
          onChange={({ target }) => setGiven({ ...given, subject: target.value })}
          most={200}
          autoComplete="off"
        />
      </Field>
      <Field label="Text" name="text" id="field-template-text" hint={<FieldList />}>
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
        <SubmitButton>Save template</SubmitButton>
        <Button type="button" look="quiet" onClick={done}>
          Back
        </Button>
      </p>
    </Form>
  )
}

function useTemplateForm(template: ReplyTemplate | undefined, onDone: () => void) {
  const action = { failed: 'Template not saved', touches, onDone }
  const change = useForm({
    ...action,
    schema: templateChange,
    read: (texts) => ({ ...texts, base: template?.updatedAt }),
    send: async (body) => apiRequest('PATCH', `${TEMPLATES_URL}/${template?.id}`, body),
    done: 'Template saved',
  })
  const creation = useForm({
    ...action,
    schema: templateBody,
    send: async (body) => apiRequest('POST', TEMPLATES_URL, body),
    done: 'Template added',
  })
  return template ? change : creation
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
  const form = useForm({
    schema: signatureBody,
    send: async (body) => apiRequest('PUT', `${LEADS_URL}/signature`, body),
    done: 'Signature saved',
    failed: 'Signature not saved',
    touches: /\/reply$/,
  })
  return (
    <Form form={form} className="grid grid-cols-1 gap-3">
      <Field label="Your signature" name="text" id="field-signature" optional hint="Markdown works. It ends each of your replies.">
        <Textarea defaultValue={signature} most={1000} className="min-h-24" />
      </Field>
      <SubmitButton look="quiet" className="justify-self-start">
        Save signature
      </SubmitButton>
    </Form>
  )
}
