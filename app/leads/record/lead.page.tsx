import { useQuery } from '@tanstack/react-query'
import { StarIcon } from 'lucide-react'
import { use, useEffect, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import type { Handle } from '#app/access.server.ts'
import { viewerOf } from '#app/page-access.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { ConvertButton } from './convert-button.tsx'
import type { DeskDialogState } from '#app/leads/list/desk-dialogs.tsx'
import { pipelineQuery, useLiveDesk } from '#app/leads/list/use-desk.tsx'
import { StageMenu } from '#app/leads/list/stage-menu.tsx'
import { NO_ADDRESS } from '#app/leads/lead/lead-format.ts'
import { usePageKeys } from '#app/ui/admin/use-list-keys.ts'
import { ScheduledList } from '#app/leads/reply/scheduled-list.tsx'
import { withReturned } from '#app/leads/reply/reply.ts'
import { findReplyDraft, keepReplyDraft, type ReplyDraft, replyQuery } from '#app/leads/reply/use-reply.tsx'
import { findLeadId } from '#app/leads/lead/contact.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { ApiError } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { LeadsLink } from '#app/leads/list/leads-link.tsx'
import { Button } from '#app/ui/button.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Later, laterCode, LaterDialog } from '#app/ui/later-code.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Page } from '#app/ui/page.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { Route } from './+types/lead.page.ts'
import { LeadEnquiry, LeadFacts } from './lead-record.tsx'
import { MoreLeadActions } from './more-actions.tsx'
import type { LeadDetail } from './timeline.ts'
import { leadQuery, useFactChange } from './use-lead.tsx'

const replyCode = laterCode('The editor', () => import('#app/leads/reply/reply-editor.tsx'))
const timelineCode = laterCode('The timeline', () => import('./timeline-list.tsx'))
const sideCode = laterCode('The tasks and files', async () => {
  const [{ TaskList }, { FilePanel }, { VisitorPanel }, { PersonPanel }] = await Promise.all([
    import('./task-list.tsx'),
    import('#app/leads/reply/file-panel.tsx'),
    import('#app/leads/visitor/visitor-panel.tsx'),
    import('./person-panel.tsx'),
  ])
  return { TaskList, FilePanel, VisitorPanel, PersonPanel }
})
const dialogCode = laterCode('The dialog', () => import('#app/leads/list/desk-dialogs.tsx'))

export const handle = { access: 'leads.read' } satisfies Handle

export async function loader({ context, params }: Route.LoaderArgs) {
  if (!(await findLeadId(params.reference))) stop('notFound', 'There is no such lead. It may have been deleted.')
  return { reference: params.reference, userId: viewerOf(context).viewer.id }
}

export const meta = ({ params }: Route.MetaArgs) => pageMeta({ title: `Lead ${params.reference}`, index: false })

export default function LeadPage({ loaderData: { reference, userId } }: Route.ComponentProps) {
  const lead = usePageQuery(leadQuery(reference))
  useLiveDesk()
  if (lead.data) return <Lead key={reference} lead={lead.data} userId={userId} />
  const isGone = lead.error instanceof ApiError && lead.error.status === 404
  return (
    <Page kind="work" title="Lead">
      {lead.isPending && (
        <>
          <Loading>Loading the lead...</Loading>
          <div aria-hidden="true" className={columns}>
            <Skeleton lines={4} />
            <div className="h-80 animate-pulse rounded-card border border-line bg-surface lg:row-span-2" />
            <Skeleton lines={8} />
          </div>
        </>
      )}
      {lead.isError && !isGone && <Failed as="h2" error={lead.error} retry={lead.refetch} />}
      {isGone && (
        <Empty
          title="Lead not found"
          action={
            <Link to="/leads" className={buttonLook('quiet')}>
              Show all leads
            </Link>
          }
        >
          <p>No lead has the reference {reference}. It may have been deleted.</p>
        </Empty>
      )}
    </Page>
  )
}

function Lead({ lead, userId }: { lead: LeadDetail; userId: string }) {
  const { name, reference } = lead
  const [dialog, setDialog] = useState<DeskDialogState>()
  const reply = useReply(lead, userId)
  useLeadKeys(lead, setDialog, reply.open)
  return (
    <Page
      kind="work"
      eyebrow={<LeadsLink />}
      title={
        <>
          {name} <span className="font-mono text-body font-normal text-muted">{reference}</span>
        </>
      }
      actions={<LeadActions lead={lead} reply={reply.open} />}
    >
      <div className={columns}>
        <div className="grid grid-cols-1 content-start gap-4">
          <LeadEnquiry lead={lead} />
          {reply.isOpen && (
            <Later code={replyCode}>
              {({ ReplyForm }) => <ReplyForm key={reply.version} lead={lead} userId={userId} close={reply.close} reopen={reply.reopen} />}
            </Later>
          )}
          <ScheduledList messages={reply.scheduled} onCancelled={reply.reopen} />
        </div>
        {/* On a narrow screen, the facts come before the timeline, which can be long. */}
        <div className="grid grid-cols-1 content-start gap-5 lg:row-span-2">
          <LeadFacts lead={lead} />
          <Later code={sideCode}>
            {({ TaskList, FilePanel, VisitorPanel, PersonPanel }) => (
              <>
                <TaskList lead={lead} />
                <FilePanel reference={reference} />
                <VisitorPanel reference={reference} />
                <PersonPanel lead={lead} />
              </>
            )}
          </Later>
        </div>
        <div className="min-w-0">
          <Later code={timelineCode}>{({ Timeline }) => <Timeline lead={lead} userId={userId} />}</Later>
        </div>
      </div>
      {dialog && (
        <LaterDialog code={dialogCode} onClose={() => setDialog(undefined)}>
          {({ DeskDialog }) => <DeskDialog state={dialog} close={() => setDialog(undefined)} />}
        </LaterDialog>
      )}
    </Page>
  )
}

const columns = 'grid grid-cols-1 gap-x-6 gap-y-5 lg:grid-cols-[minmax(0,5fr)_minmax(19rem,2fr)] lg:grid-rows-[auto_1fr]'

/** The editor of a reply: open where one was begun in this browser, and again where a reply was undone. */
function useReply({ id, reference, email, quarantinedAt }: LeadDetail, userId: string) {
  const scheduled = useQuery(replyQuery(reference)).data?.scheduled ?? []
  const [search] = useSearchParams()
  const [isOpen, setOpen] = useState(
    () => !quarantinedAt && email !== '' && (search.has('reply') || findReplyDraft(userId, id) !== undefined),
  )
  const [version, setVersion] = useState(0)
  const open = () => {
    setOpen(true)
    document.querySelector<HTMLElement>('#field-reply')?.focus()
  }
  const reopen = (draft: ReplyDraft) => {
    keepReplyDraft(userId, id, withReturned(draft, findReplyDraft(userId, id)))
    setVersion((before) => before + 1)
    setOpen(true)
  }
  const close = () => {
    setOpen(false)
    // At the top, where what was sent appears: without the editor, the place of its buttons is empty.
    document.querySelector<HTMLElement>(`#${REPLY_BUTTON}`)?.focus()
  }
  return { scheduled, isOpen, version, open, close, reopen }
}

const REPLY_BUTTON = 'reply-by-email'

function useLeadKeys(lead: LeadDetail, open: (dialog: DeskDialogState) => void, reply: () => void) {
  const navigate = useNavigate()
  // The dialog is loaded in advance, as in the list, because the next key belongs to its field.
  useEffect(() => dialogCode.warm(), [])
  const chosen = { choice: { ids: [lead.id] }, count: 1 }
  usePageKeys({
    e: () => open({ open: 'stage', lead }),
    a: () => open({ open: 'owner', chosen, current: lead.ownerId ?? '' }),
    n: () => document.querySelector<HTMLElement>('#field-note')?.focus(),
    ...(!lead.quarantinedAt && lead.email && { r: reply }),
    '/': () => void navigate('/leads'),
    '?': () => open({ open: 'keys' }),
  })
}

function LeadActions({ lead, reply }: { lead: LeadDetail; reply: () => void }) {
  const { id, reference, isStarred, consultationId, quarantinedAt } = lead
  const change = useFactChange(reference)
  const pipeline = useQuery(pipelineQuery).data
  const moreActions = use(MoreLeadActions)
  return (
    <>
      {pipeline && <StageMenu lead={lead} pipeline={pipeline} />}
      <Button
        type="button"
        look="quiet"
        aria-pressed={isStarred}
        busy={change.isPending}
        onClick={() => change.mutate({ isStarred: { from: isStarred, to: !isStarred } })}
      >
        <StarIcon aria-hidden="true" className={isStarred ? 'size-4 fill-grain text-grain' : 'size-4'} />
        {isStarred ? 'Starred' : 'Star'}
      </Button>
      {!consultationId && !quarantinedAt && <ConvertButton id={id} look="quiet" />}
      {!quarantinedAt && moreActions(lead)}
      {!quarantinedAt && (
        <Button id={REPLY_BUTTON} type="button" onClick={reply} {...(!lead.email && { unavailable: NO_ADDRESS })}>
          Reply by email
        </Button>
      )}
    </>
  )
}
