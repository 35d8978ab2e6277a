import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { z } from 'zod/mini'
import { billingTask, taskNote } from '#app/billing/refunds/refund.ts'
import { reopenBody } from '#app/billing/subscriptions/subscription.ts'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { QuestionButton } from '#app/ui/admin/action-button.tsx'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Button } from '#app/ui/button.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Field } from '#app/ui/field.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Input } from '#app/ui/input.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { BILLING, billingData } from './desk.ts'
import { orderPath } from './look.tsx'

const tasks = `${BILLING}/tasks`

type Task = z.infer<typeof billingTask>

/** How many tasks are open, for the tab. */
export function useTaskCount(): number | undefined {
  return useQuery(apiQuery(tasks, z.array(billingTask))).data?.length || undefined
}

/** The list of decisions for staff: differences to the provider, failed refunds, late payments, disputes. */
export function TaskList({ mayWrite }: { mayWrite: boolean }) {
  const list = useQuery(apiQuery(tasks, z.array(billingTask)))
  if (list.isPending) return <Loading>Loading tasks...</Loading>
  if (list.isError) return <Failed as="h2" error={list.error} retry={list.refetch} />
  if (list.data.length === 0) {
    return <Empty title="Nothing to decide">Disputes, failed refunds and differences to the payment provider appear here.</Empty>
  }
  return (
    <ul aria-label="Tasks" className="divide-y divide-line border-y border-line">
      {list.data.map((task) => (
        <TaskLine key={task.id} task={task} mayWrite={mayWrite} />
      ))}
    </ul>
  )
}

function TaskLine({ task, mayWrite }: { task: Task; mayWrite: boolean }) {
  const { title, ours, theirs, order, paymentId, subscription, mayReopen, createdAt } = task
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 py-4">
      <div className="grid min-w-0 gap-1">
        <p className="font-semibold wrap-anywhere">{title}</p>
        {ours && <p className="text-small wrap-anywhere">{ours}</p>}
        {theirs && <p className="text-small text-muted wrap-anywhere">{theirs}</p>}
        <p className="flex flex-wrap gap-3 text-small text-muted">
          <time dateTime={createdAt}>{formatDay(createdAt)}</time>
          {order && (
            <Link to={orderPath(order)} className="link">
              {order}
            </Link>
          )}
          {paymentId && (
            <Link to={`/admin/billing/payments/${paymentId}`} className="link">
              Payment
            </Link>
          )}
        </p>
      </div>
      {mayWrite && (
        <div className="flex flex-wrap gap-2">
          {mayReopen && subscription && paymentId && <Reopen subscription={subscription} paymentId={paymentId} />}
          <MarkAsDone task={task} />
        </div>
      )}
    </li>
  )
}

/** A task that is done is listed no longer: its note goes into the audit log. */
function MarkAsDone({ task: { id, title } }: { task: Task }) {
  const [isOpen, setOpen] = useState(false)
  const form = useForm({
    schema: taskNote,
    send: async (body) => apiRequest('POST', `${tasks}/${id}/done`, body),
    done: 'Task done',
    failed: 'Not changed',
    touches: billingData,
    onDone: () => setOpen(false),
  })
  return (
    <>
      <Button type="button" look="quiet" size="small" aria-label={`Mark as done: ${title}`} onClick={() => setOpen(true)}>
        Mark as done
      </Button>
      {isOpen && (
        <FormDialog form={form} onClose={() => setOpen(false)} title="Mark as done?" submit="Mark as done">
          <p className="text-small">{title}. The task leaves the list. This cannot be undone.</p>
          <Field label="Note" name="note" optional hint="The decision, for the audit log.">
            <Input autoComplete="off" />
          </Field>
        </FormDialog>
      )}
    </>
  )
}

function Reopen({ subscription, paymentId }: { subscription: string; paymentId: string }) {
  const send = async () => apiRequest('POST', `/api/admin/subscriptions/${subscription}/reopen`, reopenBody.parse({ paymentId }))
  return (
    <QuestionButton
      action={{ send, done: 'Subscription reopened', failed: 'Not reopened', touches: billingData }}
      size="small"
      label="Reopen"
      aria-label={`Reopen ${subscription}`}
      question={`Reopen ${subscription}?`}
      confirm="Reopen"
      confirmLook="primary"
      pending="Reopening..."
    >
      <p>The customer gets access for one period from now, paid by this payment. It ends with the period.</p>
    </QuestionButton>
  )
}
