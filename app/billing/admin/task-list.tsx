import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { decidedElsewhere, taskNote } from '#app/billing/refunds/refund.ts'
import { reopenBody } from '#app/billing/subscriptions/subscription.ts'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { QuestionButton } from '#app/ui/admin/action-button.tsx'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { type ListLook, ListPage } from '#app/ui/admin/list-page.tsx'
import { neighborsOf, RecordDrawer, RecordFacts } from '#app/ui/admin/record.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { useListQuery } from '#app/ui/admin/use-list-query.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import { Badge } from '#app/ui/badge.tsx'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { BILLING, billingData, type ListedTask, taskKinds, taskPage } from './desk.ts'
import { dayColumn, NarrowRow, orderPath, paymentPath, TestBadge } from './look.tsx'

const tasks = `${BILLING}/tasks`

const kinds: Record<(typeof taskKinds)[number], string> = {
  refund_asked: 'Refund',
  cancel_asked: 'Cancellation',
  difference: 'Difference',
  refund_failed: 'Failed refund',
  late_payment: 'Late payment',
  double_subscription: 'Double subscription',
  dispute: 'Dispute',
  withdrawal: 'Withdrawal',
}

const look: ListLook<ListedTask> = {
  name: 'billing-tasks',
  caption: 'Decisions about payments',
  one: 'task',
  many: 'tasks',
  loading: 'Loading tasks...',
  empty: {
    title: 'Nothing to decide',
    text: 'Refunds and cancellations for a second person, disputes, failed refunds and differences to the payment provider appear here.',
  },
  none: 'No task matches this search, this kind and this state.',
  nameOf: ({ title }) => title,
  filters: [
    { key: 'q', label: 'Search', placeholder: 'Text or reference' },
    {
      key: 'kind',
      label: 'Kind',
      options: [{ value: '', label: 'All kinds' }, ...taskKinds.map((value) => ({ value, label: kinds[value] }))],
    },
    {
      key: 'state',
      label: 'State',
      usual: 'open',
      options: [
        { value: 'open', label: 'To decide' },
        { value: 'done', label: 'Done' },
      ],
    },
  ],
  columns: [
    { key: 'title', head: 'Task', view: ({ title }) => <span title={title}>{title}</span> },
    { key: 'kind', head: 'Kind', width: '10.5rem', from: 'medium', view: (row) => <KindBadge task={row} /> },
    { key: 'ours', head: 'Details', from: 'large', view: ({ ours, theirs }) => <span title={theirs || ours}>{ours || theirs}</span> },
    { key: 'order', head: 'Order', width: '7.5rem', from: 'medium', view: ({ order }) => order && <OrderLink order={order} /> },
    dayColumn(({ createdAt }) => createdAt, { key: 'created', head: 'Since', from: 'small' }),
  ],
  renderNarrow: (row) => (
    <NarrowRow lines={row.ours || row.theirs ? [row.ours || row.theirs] : []}>
      <KindBadge task={row} />
    </NarrowRow>
  ),
}

/** Nothing is wrong: these only wait. */
const calm = new Set<ListedTask['kind']>([...decidedElsewhere, 'withdrawal', 'late_payment'])

function KindBadge({ task: { kind, doneAt } }: { task: ListedTask }) {
  return <Badge look={doneAt ? 'plain' : calm.has(kind) ? 'grain' : 'alarm'}>{kinds[kind]}</Badge>
}

function OrderLink({ order }: { order: string }) {
  return (
    <Link to={orderPath(order)} className="link relative z-1 font-mono text-fine">
      {order}
    </Link>
  )
}

/** How many tasks are open, for the tab. */
export function useTaskCount(): number | undefined {
  return useQuery(apiQuery(`${tasks}?limit=1`, taskPage)).data?.open || undefined
}

/** The decisions of staff: requests for a second person, differences to the provider, failed refunds, late payments, disputes. The longest waiting one is first. */
export function TaskList({ mayWrite }: { mayWrite: boolean }) {
  const { params, change } = useView()
  const list = useListQuery(tasks, taskPage, look.filters)
  const rows = list.data?.tasks
  const id = params.get('task')
  const close = () => change({ task: undefined })
  return (
    <ListPage
      {...look}
      list={list}
      rows={rows}
      place={{ next: list.data?.nextCursor }}
      opens={(each) => ({ to: withChanges(params, { task: each.id }), isBeside: true })}
    >
      {id && (
        <RecordDrawer
          query={{ ...list, data: rows?.find((each) => each.id === id) }}
          one="task"
          titleOf={look.nameOf}
          renderState={(task) => (
            <>
              <KindBadge task={task} />
              {task.doneAt && <Badge look="leaf">Done</Badge>}
              <TestBadge row={task} />
            </>
          )}
          renderActions={(task) => mayWrite && !task.doneAt && <Actions task={task} close={close} />}
          missing="It was decided already, or the link is incomplete."
          neighbors={neighborsOf(rows, id, (task) => change({ task: task.id }, { replace: true }))}
          close={close}
        >
          {(task) => <Facts task={task} />}
        </RecordDrawer>
      )}
    </ListPage>
  )
}

function Facts({ task }: { task: ListedTask }) {
  const { kind, ours, theirs, order, paymentId, subscription, createdAt, askedBy, doneAt, doneBy, note } = task
  return (
    <RecordFacts
      facts={[
        [kind === 'difference' ? 'Our books' : 'Details', ours],
        [kind === 'difference' ? 'Provider' : 'Reason', theirs],
        ['Requested by', askedBy],
        ['Order', order && <OrderLink order={order} />],
        [
          'Payment',
          paymentId && (
            <Link to={paymentPath(paymentId)} className="link">
              Open the payment
            </Link>
          ),
        ],
        [
          'Subscription',
          subscription && (
            <Link to={`/admin/billing?q=${subscription}`} className="link font-mono text-fine">
              {subscription}
            </Link>
          ),
        ],
        ['Since', formatMoment(createdAt)],
        ['Done', doneAt && [formatMoment(doneAt), doneBy].filter(Boolean).join(' by ')],
        ['Note', note],
      ]}
    />
  )
}

type ActionsProps = { task: ListedTask; /** Closes the drawer: the task leaves the list. */ close: () => void }

function Actions({ task, close }: ActionsProps) {
  const { kind, mayReopen, order, subscription, paymentId } = task
  const place = order ? orderPath(order) : paymentId && paymentPath(paymentId)
  if (decidedElsewhere.some((each) => each === kind)) {
    // Once it is decided, going back leads to the list, which no longer has it.
    return (
      place && (
        <ButtonLink to={place} replace>
          {order ? 'Open the order to decide' : 'Open the payment to decide'}
        </ButtonLink>
      )
    )
  }
  return (
    <>
      {mayReopen && subscription && paymentId && <Reopen subscription={subscription} paymentId={paymentId} close={close} />}
      <MarkAsDone task={task} close={close} />
    </>
  )
}

/** The note stays on the task and in the audit log. */
function MarkAsDone({ task: { id, title }, close }: ActionsProps) {
  const [isOpen, setOpen] = useState(false)
  const form = useForm({
    schema: taskNote,
    send: async (body) => apiRequest('POST', `${tasks}/${id}/done`, body),
    done: 'Task done',
    failed: 'Not changed',
    touches: billingData,
    onDone: close,
  })
  return (
    <>
      <Button type="button" onClick={() => setOpen(true)}>
        Mark as done
      </Button>
      {isOpen && (
        <FormDialog form={form} onClose={() => setOpen(false)} title="Mark as done?" submit="Mark as done">
          <p className="text-small">{title}. The task moves to Done. It cannot be reopened.</p>
          <Field label="Note" name="note" optional hint="Your decision, for colleagues and the audit log.">
            <Input autoComplete="off" />
          </Field>
        </FormDialog>
      )}
    </>
  )
}

function Reopen({ subscription, paymentId, close }: { subscription: string; paymentId: string; close: () => void }) {
  const send = async () => apiRequest('POST', `/api/admin/subscriptions/${subscription}/reopen`, reopenBody.parse({ paymentId }))
  return (
    <QuestionButton
      action={{ send, done: 'Subscription reopened', failed: 'Not reopened', touches: billingData, onDone: close }}
      label="Reopen the subscription"
      question={`Reopen ${subscription}?`}
      confirm="Reopen"
      confirmLook="primary"
      pending="Reopening..."
    >
      <p>The customer gets access for one period from now, paid by this payment. It ends with the period.</p>
    </QuestionButton>
  )
}
