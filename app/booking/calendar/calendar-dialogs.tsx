import { useQuery } from '@tanstack/react-query'
import { apiRequest } from '#app/platform/browser/api.ts'
import { QuestionDialog } from '#app/ui/admin/action-button.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { BlockDialog } from './block-dialog.tsx'
import type { BusySpan } from './calendar.ts'
import type { CalendarDialog, CalendarProps } from './calendar-dialog.ts'
import { CallDialog } from './call-dialog.tsx'
import { momentText } from './call-text.ts'
import { CancelDialog, HandOverDialog, SettleDialog } from './change-dialogs.tsx'
import { MoveCallDialog } from './move-dialog.tsx'
import { CALENDAR_DATA, callQuery, hostUrl } from './use-calendar.tsx'

type DialogsProps = CalendarProps & { dialog: CalendarDialog | undefined; close: () => void }

/** The open dialog: one that was opened here, or the call that the address names. */
export function CalendarDialogs({ dialog, close, ...props }: DialogsProps) {
  const { params, change } = useView()
  const named = params.get('call')
  if (!dialog) return named && <NamedCall id={named} {...props} close={() => change({ call: undefined }, { replace: true })} />
  const zone = props.you.zone
  switch (dialog.kind) {
    case 'call':
      return <CallDialog {...props} call={dialog.call} close={close} />
    case 'move':
      return <MoveCallDialog call={dialog.call} to={dialog.to} zone={zone} close={close} />
    case 'hand_over':
      return <HandOverDialog call={dialog.call} hosts={props.hosts} close={close} />
    case 'cancel':
      return <CancelDialog call={dialog.call} zone={zone} close={close} />
    case 'settle':
      return <SettleDialog call={dialog.call} status={dialog.status} close={close} />
    case 'block':
      return <BlockDialog host={dialog.host} span={dialog.span} zone={zone} close={close} />
    case 'unblock':
      return <UnblockDialog span={dialog.span} zone={zone} close={close} />
  }
}

/** From a link in an email, or in a calendar program. */
function NamedCall({ id, close, ...props }: CalendarProps & { id: string; close: () => void }) {
  const call = useQuery(callQuery(id))
  if (call.data) return <CallDialog {...props} call={call.data} close={close} />
  return (
    <Dialog open side onClose={close} title="Call">
      {call.isPending && <Loading>Loading the call...</Loading>}
      {call.isError && <Failed error={call.error} retry={call.refetch} />}
    </Dialog>
  )
}

function UnblockDialog({ span, zone, close }: { span: BusySpan; zone: string; close: () => void }) {
  const unblock = {
    send: async () => apiRequest('DELETE', `${hostUrl(span.hostId)}/blocks/${span.id}`),
    done: 'Time unblocked',
    failed: 'Could not unblock the time',
    touches: CALENDAR_DATA,
  }
  return (
    <QuestionDialog action={unblock} close={close} question="Unblock this time?" confirm="Unblock" pending="Unblocking..." look="primary">
      <p className="font-medium text-ink">{span.reason ?? 'Blocked time'}</p>
      <p>
        {momentText(span.startsAt, zone)} – {momentText(span.endsAt, zone)}
      </p>
      <p className="mt-2">Visitors can book calls in it again.</p>
    </QuestionDialog>
  )
}
