import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { leadUrl } from '#app/leads/lead/desk.ts'
import { isPast } from '#app/leads/lead/lead-format.ts'
import { pipelineQuery, useLeadAction } from '#app/leads/list/use-desk.tsx'
import { apiRequest } from '#app/platform/browser/api.ts'
import { leadData } from '#app/leads/lead/use-lead-actions.tsx'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Menu } from '#app/ui/admin/menu.tsx'
import { Button } from '#app/ui/button.tsx'
import { cx } from '#app/ui/class-names.ts'
import { Field } from '#app/ui/field.tsx'
import { Input, Select } from '#app/ui/input.tsx'
import { formatMoment, localMoment } from '#app/ui/moment.ts'
import { type LeadDetail, type LeadTask, taskBody } from './timeline.ts'

const taskUrl = (id: string) => `/api/lead-tasks/${id}`

/** The tasks of a lead: open ones first. */
export function TaskList({ lead: { reference, tasks } }: { lead: LeadDetail }) {
  const [edited, setEdited] = useState<LeadTask | 'new'>()
  const sorted = [...tasks.filter(({ doneAt }) => !doneAt), ...tasks.filter(({ doneAt }) => doneAt)]
  return (
    <section aria-labelledby="tasks" className="grid grid-cols-1 gap-2">
      <header className="flex items-center justify-between gap-3">
        <h2 id="tasks" className="text-h3">
          Tasks
        </h2>
        <Button type="button" look="quiet" size="small" onClick={() => setEdited('new')}>
          Add task
        </Button>
      </header>
      {tasks.length === 0 && <p className="text-small text-muted">No tasks. Add one with a due time and a reminder.</p>}
      <ul className="divide-y divide-line">
        {sorted.map((task) => (
          <Task key={task.id} task={task} reference={reference} edit={() => setEdited(task)} />
        ))}
      </ul>
      {edited && <TaskDialog task={edited === 'new' ? undefined : edited} reference={reference} close={() => setEdited(undefined)} />}
    </section>
  )
}

function Task({ task, reference, edit }: { task: LeadTask; reference: string; edit: () => void }) {
  const { id, title, assigneeId, dueAt, doneAt } = task
  const owners = useQuery(pipelineQuery).data?.owners ?? []
  const action = useLeadAction('Task not changed')
  const isLate = dueAt !== null && !doneAt && isPast(dueAt)
  const set = async (isDone: boolean) => apiRequest('PATCH', taskUrl(id), { isDone })
  const toggle = () =>
    action.mutate({
      method: 'PATCH',
      url: taskUrl(id),
      body: { isDone: !doneAt },
      done: doneAt ? 'Task reopened' : 'Task done',
      undo: () => set(doneAt !== null),
    })
  const remove = () => {
    const { remindAt } = task
    const restore = async () =>
      apiRequest('POST', `${leadUrl(reference)}/tasks`, { id, title, assigneeId, dueAt, remindAt, isDone: doneAt !== null })
    action.mutate({ method: 'DELETE', url: taskUrl(id), done: 'Task deleted', undo: restore })
  }
  return (
    <li className="flex items-start gap-3 py-2 text-small">
      <div className="flex grow items-start gap-3">
        <input
          type="checkbox"
          aria-label={title}
          checked={doneAt !== null}
          onChange={toggle}
          className="mt-0.5 size-4 cursor-pointer accent-ink"
        />
        <span className="grid">
          <span className={cx(doneAt !== null && 'text-muted line-through')}>{title}</span>
          <span className={cx('text-fine', isLate ? 'text-alarm' : 'text-muted')}>
            {[owners.find((owner) => owner.id === assigneeId)?.name, dueAt && `${isLate ? 'Overdue since' : 'Due'} ${formatMoment(dueAt)}`]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </span>
      </div>
      <Menu
        label={`More actions for ${title}`}
        entries={[
          { label: 'Edit', act: edit },
          { label: 'Delete', isDanger: true, act: remove },
        ]}
      />
    </li>
  )
}

type EditedTask = Pick<LeadTask, 'id' | 'title' | 'assigneeId' | 'dueAt' | 'remindAt'>

export function TaskDialog({ task, reference, close }: { task: EditedTask | undefined; reference: string; close: () => void }) {
  const owners = useQuery(pipelineQuery).data?.owners ?? []
  const momentOf = (text = '') => (text === '' ? null : new Date(text).toISOString())
  const form = useForm({
    schema: taskBody,
    read: ({ title, assigneeId, dueAt, remindAt }) => ({
      title,
      assigneeId: assigneeId || null,
      dueAt: momentOf(dueAt),
      remindAt: momentOf(remindAt),
    }),
    send: async (body) => (task ? apiRequest('PATCH', taskUrl(task.id), body) : apiRequest('POST', `${leadUrl(reference)}/tasks`, body)),
    done: task ? 'Task saved' : 'Task added',
    failed: 'Task not saved',
    touches: leadData,
    onDone: close,
  })
  return (
    <FormDialog form={form} onClose={close} title={task ? 'Edit task' : 'Add task'} submit="Save">
      <Field label="Task" name="title">
        <Input defaultValue={task?.title} most={200} autoComplete="off" />
      </Field>
      <Field label="Assigned to" name="assigneeId" optional>
        <Select defaultValue={task?.assigneeId ?? ''}>
          <option value="">Unassigned</option>
          {owners.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Due" name="dueAt" optional>
        <Input type="datetime-local" defaultValue={task?.dueAt ? localMoment(task.dueAt) : ''} />
      </Field>
      <Field label="Reminder" name="remindAt" optional hint="A notification at this time.">
        <Input type="datetime-local" defaultValue={task?.remindAt ? localMoment(task.remindAt) : ''} />
      </Field>
    </FormDialog>
  )
}
